"""A picture of one interval across the bands of Landis and Koch, with the probability of each band."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import floor
from typing import Any

from django.utils.translation import gettext as _

from evaluation.reports.phrases import worded
from evaluation.reports.words import NAMES, decimal, headline, interval, share
from evaluation.science.bands import BANDS, POOR, band

__all__ = ["band_strip"]

LEFT, RIGHT = 6, 394
LINE = 13  # height of a line of names
SEEN = 0.005


def band_strip(criterion: Mapping[str, Any]) -> dict[str, Any] | None:
    """The headline coefficient on an axis from 0 (or the lowest value needed) to 1; None where it is undefined."""
    found, key = headline(criterion)
    if found["value"] is None:
        return None
    low, high = found["ci"] or (found["value"], found["value"])
    start = min(0.0, max(-1.0, floor(low * 5) / 5))
    names = ([POOR] if start < 0 else []) + [name for name, _ in BANDS]
    edges = [*([start] if start < 0 else []), 0.0, *(end for _, end in BANDS[:-1]), 1.0]

    def x(value: float) -> float:
        return round(LEFT + (min(value, 1.0) - start) / (1 - start) * (RIGHT - LEFT), 1)

    probabilities = (found.get("landis_koch") or {}).get("probabilities") or {}
    bands = [
        {
            "name": worded(name),
            "x": x(begin),
            "width": round(x(end) - x(begin), 1),
            "name_x": RIGHT if number == len(names) - 1 else round((x(begin) + x(end)) / 2, 1),
            "name_y": LINE * (1 + (number % 2 if start < 0 else 0)),
            "holds": name == band(found["value"]),
            "title": _("%(band)s: %(low)s to %(high)s")
            % {"band": worded(name), "low": decimal(begin, 1), "high": decimal(end, 1)},
        }
        for number, (name, (begin, end)) in enumerate(zip(names, pairwise(edges), strict=True))
    ]
    top = LINE * (2 if start < 0 else 1) + 6
    label = f"{NAMES[key]} {decimal(found['value'])}"
    if found["ci"]:
        label = _("%(value)s, 95 %% CI %(interval)s") % {"value": label, "interval": interval(low, high)}
    return {
        "bands": bands,
        "edges": [{"x": x(edge), "label": decimal(edge, 1)} for edge in edges],
        "point": x(found["value"]),
        "interval": {"low": x(low), "high": x(high)} if found["ci"] else None,
        "label": label,
        "likely": [(worded(name), share(p)) for name, p in probabilities.items() if p >= SEEN],
        "width": RIGHT + LEFT,
        "top": top,
        "middle": top + 13,
        "edge_y": top + 41,
        "height": top + 46,
    }
