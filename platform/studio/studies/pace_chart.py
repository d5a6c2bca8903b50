"""Geometry of the picture of ratings over time: a bar for each day, or for so many days that bars stay readable."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

__all__ = ["pace_chart"]

WIDTH, HEIGHT, LEFT, TOP, BASE = 640, 150, 56, 10, 118
MOST_BARS = 60


def pace_chart(days: Sequence[tuple[date, int]]) -> dict[str, Any] | None:
    """Bars from left to right with their titles, and where labels stand; None where there is nothing to draw."""
    if not days:
        return None
    together = -(-len(days) // MOST_BARS)
    groups = [days[start : start + together] for start in range(0, len(days), together)]
    totals = [sum(count for _, count in group) for group in groups]
    most = max(totals)
    step = (WIDTH - LEFT) / max(len(groups), 7)
    bars = []
    for place, (group, total) in enumerate(zip(groups, totals, strict=True)):
        height = round((BASE - TOP) * total / most, 1) if most else 0
        bars.append(
            {
                "x": round(LEFT + place * step + step * 0.1, 1),
                "y": round(BASE - height, 1),
                "width": round(step * 0.8, 1),
                "height": height,
                "first": group[0][0],
                "last": group[-1][0],
                "count": total,
            }
        )
    return {
        "bars": bars,
        "days": together,
        "most": most,
        "first": days[0][0],
        "last": days[-1][0],
        "total": sum(totals),
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "label_x": LEFT - 6,
        "top": TOP,
        "base": BASE,
        "day_y": BASE + 22,
        "last_x": round(LEFT + len(groups) * step, 1),
        "several": len(groups) > 2,
    }
