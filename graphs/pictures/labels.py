"""Which nodes get a label and on which side, so that no label covers another or a node."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Label", "place_labels"]

#: Width of a character and height of a line at a font size of 1, on the generous side for a sans-serif face.
CHARACTER, LINE = 0.62, 1.1

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Label:
    """Where the text begins, sits in the middle or ends (`anchor`), on its baseline."""

    x: float
    y: float
    anchor: str


def place_labels(
    words: Sequence[str],
    circles: Sequence[tuple[float, float, float]],
    *,
    order: Sequence[int],
    size: float,
    frame: tuple[float, float],
) -> dict[int, Label]:
    """Place labels in the given order of importance; a node around which there is no room goes without.

    Parameters
    ----------
    words : sequence of str
        Text of each node.
    circles : sequence of (x, y, radius)
        Where the nodes are; no label covers any of them.
    order : sequence of int
        Nodes that want a label, the most important first.
    size : float
        Font size.
    frame : (width, height)
        Labels stay inside.
    """
    taken: list[Box] = [(x - r, y - r, x + r, y + r) for x, y, r in circles]
    labels: dict[int, Label] = {}
    for node in order:
        for label, box in _candidates(words[node], circles[node], size):
            inside = box[0] >= 0 and box[1] >= 0 and box[2] <= frame[0] and box[3] <= frame[1]
            if inside and not any(_overlap(box, other) for other in taken):
                labels[node] = label
                taken.append(box)
                break
    return labels


def _candidates(word: str, circle: tuple[float, float, float], size: float) -> list[tuple[Label, Box]]:
    """Right, left, above and below the node, each with the box it would fill."""
    x, y, radius = circle
    width, height = CHARACTER * size * len(word), LINE * size
    gap = radius + 3
    starts = [
        (x + gap, y, x + gap, "start"),
        (x - gap - width, y, x - gap, "end"),
        (x - width / 2, y - gap - height / 2, x, "middle"),
        (x - width / 2, y + gap + height / 2, x, "middle"),
    ]
    return [
        (
            Label(round(at, 1), round(middle + 0.35 * size, 1), anchor),
            (left, middle - height / 2, left + width, middle + height / 2),
        )
        for left, middle, at, anchor in starts
    ]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
