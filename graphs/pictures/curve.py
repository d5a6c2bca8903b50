"""A metric of one text over the windows."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Curve", "CurvePoint", "draw_curve"]

WIDTH, HEIGHT = 320, 128
LEFT, RIGHT = 16.0, 304.0
TOP, FLOOR = 14.0, 100.0


@dataclass(frozen=True)
class CurvePoint:
    """A window, the metric's value there, and its place on paper."""

    window: int
    value: float
    x: float
    y: float
    is_own: bool


@dataclass(frozen=True)
class Curve:
    """Points from the narrowest window to the widest, joined where windows follow each other; `ticks` name windows."""

    width: int
    height: int
    floor: float
    left: float
    right: float
    points: tuple[CurvePoint, ...]
    lines: tuple[str, ...]
    ticks: tuple[tuple[int, float], ...]


def draw_curve(values: Mapping[int, float | None], *, own: int) -> Curve | None:
    """Draw a metric by window, the smallest value at the foot; None where no window has a value.

    Parameters
    ----------
    values : mapping of int to float or None
        By window, in rising order; a gap is left where there is no value.
    own : int
        The window that the text is scored under, marked in the picture.
    """
    found = {window: value for window, value in values.items() if value is not None}
    if not found:
        return None
    windows = list(values)
    smallest, largest = min(found.values()), max(found.values())
    breadth = (RIGHT - LEFT) / max(1, windows[-1] - windows[0])

    def x(window: int) -> float:
        return round(LEFT + (window - windows[0]) * breadth, 1)

    def y(value: float) -> float:
        share = (value - smallest) / (largest - smallest) if largest > smallest else 0.5
        return round(FLOOR - 8 - share * (FLOOR - 8 - TOP), 1)

    points = [CurvePoint(window, value, x(window), y(value), window == own) for window, value in found.items()]
    lines: list[list[str]] = []
    for before, point in zip([None, *points[:-1]], points, strict=True):
        if before is None or point.window != before.window + 1:
            lines.append([])
        lines[-1].append(f"{point.x},{point.y}")
    return Curve(
        width=WIDTH,
        height=HEIGHT,
        floor=FLOOR,
        left=LEFT,
        right=RIGHT,
        points=tuple(points),
        lines=tuple(" ".join(line) for line in lines),
        ticks=tuple((window, x(window)) for window in windows),
    )
