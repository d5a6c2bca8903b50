"""Item-level correlations of a study: the mean rating of each item against each measure of its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from evaluation.reports.data import StudyData
from evaluation.reports.export.cells import csv_text
from evaluation.reports.export.columns import Column, Row, number, repr_number, text
from evaluation.science.correlations import CorrelationOptions, correlate_items
from evaluation.science.ratings import MISSING, RatingsTable
from evaluation.selectors.agreement import Scale
from evaluation.selectors.correlations import MEASURES

__all__ = ["correlation_columns", "correlation_rows", "grouping"]

FEWEST_CELLS = 10
FEWEST_ITEMS_A_CELL = 3


def correlation_rows(*, data: StudyData, seed: int) -> list[dict[str, Any]]:
    """One entry a criterion and measure, in the form of `ItemCorrelation.to_json`; all are one family of tests."""
    clustered_by, clusters = grouping(data)
    tables = {scale.key: _item_table(data, scale) for scale in data.scales}
    measures = {name: [item.measures[name] for item in data.items] for name in MEASURES}
    found = correlate_items(tables, measures, clusters=clusters, options=CorrelationOptions(seed=seed))
    return [entry.to_json() | {"clustered_by": clustered_by} for entry in found]


def grouping(data: StudyData) -> tuple[str, list[str] | None]:
    """What items are nested in: cells where these are many and filled, else questions, else nothing."""
    cells = [f"cell {item.cell}" if item.cell is not None else item.question for item in data.items]
    sizes = Counter(cells)
    if len(sizes) >= FEWEST_CELLS and len(cells) >= FEWEST_ITEMS_A_CELL * len(sizes):
        return "cell", cells
    if data.questions < len(data.items):
        return "question", [item.question for item in data.items]
    return "item", None


def _item_table(data: StudyData, scale: Scale) -> RatingsTable:
    """A row for each item in the order of the study, a column for each reviewer."""
    rows = {item.pk: number for number, item in enumerate(data.items)}
    columns = {rater.pk: number for number, rater in enumerate(data.raters)}
    codes = np.full((len(rows), len(columns)), MISSING, np.int32)
    for given in data.item_ratings.get(scale.pk, []):
        codes[rows[given.item], [columns[reviewer] for reviewer in given.reviewers]] = given.levels
    return RatingsTable.from_codes(codes, levels=scale.levels)


def correlation_columns() -> list[Column]:
    return [
        text("criterion", "key of the criterion"),
        text("measure", "graph metric or area, as in items.csv", "metric"),
        number("n", "items with a rating and the measure"),
        number("missing", "items that lack one of the two"),
        text("clustered_by", "what items are nested in: cell, question, or item where each stands for itself"),
        number("clusters", "how many of these there are"),
        *_coefficient("spearman", "Spearman’s ρ"),
        *_coefficient("kendall", "Kendall’s τ-b"),
        number("within_clusters", "ρ of ranks taken within clusters"),
        Column("simpson", "true or false", "whether within and pooled ρ differ in sign", _simpson),
        number("reliability", "reliability of the items’ mean ratings"),
        text("reliability_name", "which reliability"),
        number("ceiling", "its square root: the most that a correlation could reach"),
        number("corrected", "ρ divided by the ceiling, not cut at 1"),
        text("reliability_reason", "why there is no ceiling", "reason"),
        text("family", "the tests that Holm and Benjamini–Hochberg run over; undefined ones are not counted"),
    ]


def _coefficient(key: str, name: str) -> list[Column]:
    def value(field: str) -> Callable[[Row], str]:
        return lambda row: "" if row[key][field] is None else repr_number(row[key][field])

    def bound(end: int) -> Callable[[Row], str]:
        return lambda row: "" if row[key]["ci"] is None else repr_number(row[key]["ci"][end])

    def words(field: str) -> Callable[[Row], str]:
        return lambda row: csv_text(row[key][field])

    return [
        Column(key, "number", name, value("value")),
        Column(f"{key}_ci_low", "number", "lower end of its 95 % interval, resampled by cluster", bound(0)),
        Column(f"{key}_ci_high", "number", "upper end", bound(1)),
        Column(f"{key}_p", "number", "two-sided asymptotic p", value("p")),
        Column(f"{key}_permutation_p", "number", "two-sided permutation p, within clusters", value("permutation_p")),
        Column(f"{key}_permutation_method", "text", "how it came about", words("permutation_method")),
        Column(f"{key}_p_holm", "number", "permutation p after Holm", value("p_holm")),
        Column(f"{key}_p_bh", "number", "permutation p after Benjamini–Hochberg", value("p_bh")),
        Column(f"{key}_reason", "text", "why the value or its interval is empty", words("reason")),
    ]


def _simpson(row: Row) -> str:
    return "" if row["simpson"] is None else str(row["simpson"]).lower()
