"""Item by item and rater by rater: what coefficients sum up. The same for a study and for a file of ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["RatedItem", "disagreements", "level_use"]

# A page is for reading.
LISTED = 25


@dataclass(frozen=True)
class RatedItem:
    """The ratings of one item as level indices, a rater each."""

    name: str
    raters: tuple[str, ...]
    levels: tuple[int, ...]

    @property
    def spread(self) -> int:
        return max(self.levels) - min(self.levels)


def disagreements(items: Iterable[RatedItem], *, labels: Sequence[str], listed: int = LISTED) -> dict[str, Any]:
    """Items on which raters differ, the widest apart first, then in the order given.

    `of` counts the items with two or more ratings, `total` those on which raters differ, `rest` those not in `rows`.
    """
    several = [item for item in items if len(item.levels) > 1]
    apart = sorted((item for item in several if item.spread), key=lambda item: -item.spread)
    return {
        "total": len(apart),
        "of": len(several),
        "rest": max(0, len(apart) - listed),
        "rows": [
            {
                "item": item.name,
                "answers": [[rater, labels[level]] for rater, level in zip(item.raters, item.levels, strict=True)],
                "spread": item.spread,
            }
            for item in apart[:listed]
        ],
    }


def level_use(items: Iterable[RatedItem], *, levels: int) -> list[dict[str, Any]]:
    """How often each rater used each level, and the mean level (from 1), the strictest rater first.

    Raters who saw different items differ for that reason too: only tests over common items say who is stricter.
    """
    counts: dict[str, list[int]] = {}
    for item in items:
        for rater, level in zip(item.raters, item.levels, strict=True):
            counts.setdefault(rater, [0] * levels)[level] += 1
    rows = [
        {
            "rater": rater,
            "counts": used,
            "n": sum(used),
            "mean": sum(place * count for place, count in enumerate(used, start=1)) / sum(used),
        }
        for rater, used in counts.items()
    ]
    return sorted(rows, key=lambda row: (row["mean"], row["rater"]))
