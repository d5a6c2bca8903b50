"""The radar of a generated text against the mean of its retrieved set."""

import math
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from graphs.science.metric_registry import RADAR_AXES, metric
from graphs.science.profile import Profile

__all__ = ["Radar", "RadarAxis", "draw_radar"]

WIDTH, HEIGHT = 560, 400
CENTRE = (WIDTH / 2, HEIGHT / 2 + 4)
RADIUS = 138.0
LABEL_RADIUS = 158.0
LINE_HEIGHT = 18
CHARACTERS_A_LINE = 16
RINGS = (0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class RadarAxis:
    """One spoke: the metric's name in lines beside its end, and where the two texts stand on it (0 to 1)."""

    label: str
    lines: tuple[tuple[float, str], ...]
    label_x: float
    anchor: str
    end: tuple[float, float]
    new: float
    average: float
    new_at: tuple[float, float]
    average_at: tuple[float, float]


@dataclass(frozen=True)
class Radar:
    """Seven spokes in the paper's order, clockwise from the top; rings and polygons as SVG point lists."""

    width: int
    height: int
    centre: tuple[float, float]
    rings: tuple[str, ...]
    axes: tuple[RadarAxis, ...]
    new: str
    average: str


def draw_radar(profile: Profile) -> Radar | None:
    """Place a profile's normalised metrics; None where the profile says that there is no radar."""
    if profile.radar_new is None or profile.radar_average is None:
        return None
    axes = tuple(
        _axis(number, key, new, average)
        for number, (key, new, average) in enumerate(
            zip(RADAR_AXES, profile.radar_new, profile.radar_average, strict=True)
        )
    )
    return Radar(
        width=WIDTH,
        height=HEIGHT,
        centre=CENTRE,
        rings=tuple(_points(_at(number, share) for number in range(len(axes))) for share in RINGS),
        axes=axes,
        new=_points(axis.new_at for axis in axes),
        average=_points(axis.average_at for axis in axes),
    )


def _axis(number: int, key: str, new: float, average: float) -> RadarAxis:
    label = metric(key).label
    lines = textwrap.wrap(label, CHARACTERS_A_LINE)
    x, y = _at(number, LABEL_RADIUS / RADIUS)
    side = x - CENTRE[0]
    # Beside the circle the lines stand around its end; above and below they grow away from it.
    lift = (len(lines) - 1) / 2 - (y - CENTRE[1]) / LABEL_RADIUS * (len(lines) - 1) / 2
    return RadarAxis(
        label=label,
        lines=tuple((round(y + 5 + (row - lift) * LINE_HEIGHT, 1), line) for row, line in enumerate(lines)),
        label_x=x,
        anchor="middle" if abs(side) < 1 else "start" if side > 0 else "end",
        end=_at(number, 1),
        new=new,
        average=average,
        new_at=_at(number, new),
        average_at=_at(number, average),
    )


def _at(number: int, share: float) -> tuple[float, float]:
    angle = 2 * math.pi * number / len(RADAR_AXES)
    return (
        round(CENTRE[0] + share * RADIUS * math.sin(angle), 1),
        round(CENTRE[1] - share * RADIUS * math.cos(angle), 1),
    )


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
