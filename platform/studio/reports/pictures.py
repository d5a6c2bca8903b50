"""Geometry of the report's pictures: heat maps, a forest plot, small scatter plots. Templates only draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log
from typing import Any

from django.utils.translation import gettext as _

from evaluation.reports import words
from evaluation.reports.words import decimal

SHADES = 5


@dataclass(frozen=True)
class HeatCell:
    count: int
    shade: int
    agrees: bool


def heat_map(table: Sequence[Sequence[int]], labels: Sequence[str]) -> dict[str, Any]:
    """A k×k table of counts with a shade for each cell and the margins."""
    most = max((cell for row in table for cell in row), default=0)
    rows = [
        {
            "label": labels[number],
            "cells": [HeatCell(cell, _shade(cell, most), number == column) for column, cell in enumerate(row)],
            "total": sum(row),
        }
        for number, row in enumerate(table)
    ]
    totals = [sum(column) for column in zip(*table, strict=True)]
    return {"n": sum(totals), "labels": labels, "rows": rows, "totals": totals}


def _shade(cell: int, most: int) -> int:
    """0 for none, then 1 to SHADES by share of the largest cell."""
    return 0 if cell == 0 else max(1, -(-cell * SHADES // most))


LEFT, WIDTH, ROW, EDGE = 160, 200, 26, 50


def forest(estimates: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Coefficients with their intervals on one axis up to 1; it begins at 0, −0.5 or −1, as the figures need."""
    defined = [(name, found) for name, found in estimates if found["value"] is not None]
    lowest = min((min([found["value"], *(found["ci"] or [])]) for _, found in defined), default=0.0)
    start = next(edge for edge in (0.0, -0.5, -1.0) if edge <= max(lowest, -1.0))

    def x(value: float) -> float:
        return round(LEFT + (value - start) / (1 - start) * WIDTH, 1)

    marks = []
    for number, (name, found) in enumerate(defined):
        interval = found["ci"]
        title = f"{name}: {decimal(found['value'])}"
        if interval:
            title = _("%(value)s, 95 %% CI %(interval)s") % {"value": title, "interval": words.interval(*interval)}
        marks.append(
            {
                "name": name,
                "title": title,
                "value": decimal(found["value"]),
                "y": ROW * number + 18,
                "text_y": ROW * number + 22,
                "x": x(found["value"]),
                "interval": None if not interval else {"low": x(interval[0]), "high": x(interval[1])},
            }
        )
    bottom = ROW * len(defined) + 8
    step = 0.25 if start == 0 else 0.5
    ticks = [start + number * step for number in range(round((1 - start) / step) + 1)]
    return {
        "marks": marks,
        "left": LEFT,
        "right": LEFT + WIDTH,
        "value_x": LEFT + WIDTH + EDGE,
        "width": LEFT + WIDTH + EDGE,
        "bottom": bottom,
        "axis_y": bottom + 18,
        "height": bottom + 26,
        "ticks": [{"x": x(tick), "label": decimal(tick)} for tick in ticks],
    }


BAR = 240


def level_bars(use: Sequence[Mapping[str, Any]], labels: Sequence[str]) -> list[dict[str, Any]]:
    """A bar a rater: the share of each level, lowest first, in shades that grow with the level."""
    rows = []
    for rater in use:
        parts, start = [], 0.0
        for place, count in enumerate(rater["counts"]):
            width = round(count / rater["n"] * BAR, 1)
            shade = 1 + round(place / max(1, len(labels) - 1) * (SHADES - 1))
            if count:
                parts.append(
                    {"x": round(start, 1), "width": width, "shade": shade, "title": f"{labels[place]}: {count}"}
                )
            start += width
        summary = ", ".join(f"{labels[place]} {count}" for place, count in enumerate(rater["counts"]))
        rows.append({**rater, "mean": decimal(rater["mean"]), "parts": parts, "summary": summary})
    return rows


PLOT = {"left": 56, "right": 232, "top": 6, "bottom": 132}


def scatter(points: Sequence[tuple[float, float, str]], levels: Sequence[str]) -> dict[str, Any] | None:
    """Mean rating (upright) against a measure (across); None where the measure does not vary."""
    across = [x for x, _, _ in points]
    if len(points) < 2 or min(across) == max(across):
        return None
    least, most = min(across), max(across)
    top = max(1, len(levels) - 1)

    def place(x: float, y: float) -> tuple[float, float]:
        span, rise = PLOT["right"] - PLOT["left"], PLOT["bottom"] - PLOT["top"]
        return (
            round(PLOT["left"] + 8 + (x - least) / (most - least) * (span - 16), 1),
            round(PLOT["bottom"] - 8 - y / top * (rise - 16), 1),
        )

    marks = [
        (
            *place(x, y),
            _("%(item)s: %(value)s, mean rating %(rating)s")
            % {"item": name, "value": decimal(x, 3), "rating": decimal(y)},
        )
        for x, y, name in points
    ]
    heights = [place(least, index)[1] for index in range(top + 1)]
    ticks = [{"y": y, "text_y": y + 4, "label": level} for y, level in zip(heights, levels, strict=False)]
    return {
        **PLOT,
        "label_x": PLOT["left"] - 6,
        "middle": (PLOT["left"] + PLOT["right"]) / 2,
        "points": [{"x": x, "y": y, "title": title} for x, y, title in marks],
        "ticks": ticks,
        "least": decimal(least, 3),
        "most": decimal(most, 3),
    }


CURVE = {"left": 40, "right": 380, "top": 10, "bottom": 200}


def width_curve(lines: Sequence[tuple[str, Sequence[tuple[int, float | None]]]], *, wanted: float) -> dict[str, Any]:
    """Width of the interval (upright, from 0) against the number of items (across, on a logarithmic scale)."""
    items = [number for number, _ in lines[0][1]]
    widths = [width for _, points in lines for _, width in points if width is not None]
    most = max(0.2, ceil(max([*widths, wanted]) * 5) / 5)

    def x(number: float) -> float:
        share = log(number / items[0]) / log(items[-1] / items[0])
        return round(CURVE["left"] + share * (CURVE["right"] - CURVE["left"]), 1)

    def y(width: float) -> float:
        return round(CURVE["bottom"] - width / most * (CURVE["bottom"] - CURVE["top"]), 1)

    drawn = []
    for name, points in lines:
        marks = [
            {
                "x": x(number),
                "y": y(width),
                "title": _("%(name)s, %(number)d items: width %(width)s")
                % {"name": name, "number": number, "width": decimal(width)},
            }
            for number, width in points
            if width is not None
        ]
        drawn.append({"name": name, "marks": marks, "points": " ".join(f"{mark['x']},{mark['y']}" for mark in marks)})
    step = 0.2 if most > 0.6 else 0.1
    ticks = [step * number for number in range(round(most / step) + 1)]
    return {
        **CURVE,
        "lines": drawn,
        "wanted": {"y": y(wanted), "label": decimal(wanted)},
        "ticks": [{"y": y(tick), "text_y": y(tick) + 4, "label": decimal(tick, 1)} for tick in ticks],
        "items": [{"x": x(number), "label": f"{number}"} for number in items],
        "label_x": CURVE["left"] - 6,
        "items_y": CURVE["bottom"] + 16,
        "name_y": CURVE["bottom"] + 32,
        "width": CURVE["right"] + 16,
        "height": CURVE["bottom"] + 40,
    }
