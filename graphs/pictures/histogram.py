"""The draws of a null model as bars, and where the text stands among them."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Bar", "Histogram", "draw_histogram"]

WIDTH, HEIGHT = 320, 128
LEFT, RIGHT = 8.0, 312.0
TOP, FLOOR = 22.0, 104.0
GAP = 1.0
#: The letters beside the mark stay inside the frame.
MARK_ROOM = 30.0


@dataclass(frozen=True)
class Bar:
    """So many draws between two values."""

    x: float
    y: float
    width: float
    height: float
    count: int
    low: float
    high: float


@dataclass(frozen=True)
class Histogram:
    """Bars over a common floor; the text's own value is a line at `mark`, its name at `name_at`."""

    width: int
    height: int
    bars: tuple[Bar, ...]
    left: float
    right: float
    floor: float
    top: float
    mark: float
    name_at: float


def draw_histogram(counts: Sequence[int], *, low: float, high: float, observed: float) -> Histogram | None:
    """Place equal bins from `low` to `high`; None where there are no bins to draw."""
    if not counts or not max(counts) or high <= low:
        return None
    step = (RIGHT - LEFT) / len(counts)
    tallest = max(counts)
    bars = []
    for number, count in enumerate(counts):
        # A bin with a single draw in it stays visible.
        height = max(1.5, count / tallest * (FLOOR - TOP - 6)) if count else 0.0
        bars.append(
            Bar(
                x=round(LEFT + number * step, 1),
                y=round(FLOOR - height, 1),
                width=round(step - GAP, 1),
                height=round(height, 1),
                count=count,
                low=low + (high - low) * number / len(counts),
                high=low + (high - low) * (number + 1) / len(counts),
            )
        )
    mark = round(LEFT + min(1.0, max(0.0, (observed - low) / (high - low))) * (RIGHT - LEFT), 1)
    return Histogram(
        width=WIDTH,
        height=HEIGHT,
        bars=tuple(bar for bar in bars if bar.count),
        left=LEFT,
        right=RIGHT,
        floor=FLOOR,
        top=TOP,
        mark=mark,
        name_at=min(max(mark, MARK_ROOM), WIDTH - MARK_ROOM),
    )
