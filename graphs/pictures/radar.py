"""The radar of one text against another, or against the mean of its retrieved set."""

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from graphs.science.metric_registry import RADAR_AXES, metric

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
    first: float
    second: float
    first_at: tuple[float, float]
    second_at: tuple[float, float]


@dataclass(frozen=True)
class Radar:
    """Seven spokes in the paper's order, clockwise from the top; rings and polygons as SVG point lists.

    `names` say in plain words whose polygons those are.
    """

    width: int
    height: int
    centre: tuple[float, float]
    rings: tuple[str, ...]
    axes: tuple[RadarAxis, ...]
    first: str
    second: str
    names: tuple[str, str]


def draw_radar(
    first: Sequence[float] | None, second: Sequence[float] | None, *, names: tuple[str, str]
) -> Radar | None:
    """Place two texts' normalised metrics, in the order of `RADAR_AXES`; None where one of them has no radar."""
    if first is None or second is None:
        return None
    axes = tuple(
        _axis(number, key, one, other)
        for number, (key, one, other) in enumerate(zip(RADAR_AXES, first, second, strict=True))
    )
    return Radar(
        width=WIDTH,
        height=HEIGHT,
        centre=CENTRE,
        rings=tuple(_points(_at(number, share) for number in range(len(axes))) for share in RINGS),
        axes=axes,
        first=_points(axis.first_at for axis in axes),
        second=_points(axis.second_at for axis in axes),
        names=names,
    )


def _axis(number: int, key: str, first: float, second: float) -> RadarAxis:
    label = gettext(metric(key).label)
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
        first=first,
        second=second,
        first_at=_at(number, first),
        second_at=_at(number, second),
    )


def _at(number: int, share: float) -> tuple[float, float]:
    angle = 2 * math.pi * number / len(RADAR_AXES)
    return (
        round(CENTRE[0] + share * RADIUS * math.sin(angle), 1),
        round(CENTRE[1] - share * RADIUS * math.cos(angle), 1),
    )


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
