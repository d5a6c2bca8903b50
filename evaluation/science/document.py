"""The public JSON of a ratings file: what `kappagraph agreement --json` prints and the studio's download holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluation.science.agreement import CriterionReport, report
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.reading.options import ReadOptions
from evaluation.science.reading.ratings_file import RatingsFile

__all__ = ["agreement_document", "criterion_reports"]


def criterion_reports(ratings: RatingsFile, *, intervals: IntervalOptions) -> list[CriterionReport]:
    """The report of each criterion in the file, in the order in which they occur."""
    return [report(found.table, criterion=found.criterion, options=intervals) for found in ratings.criteria]


def agreement_document(
    reports: Sequence[CriterionReport],
    *,
    ratings: RatingsFile,
    reading: ReadOptions,
    intervals: IntervalOptions,
    version: str,
) -> dict[str, Any]:
    """Figures, and every setting that they rest on."""
    return {
        "criteria": [found.to_json() for found in reports],
        "settings": {
            "ci": intervals.method,
            "confidence": intervals.confidence,
            "bootstrap": intervals.bootstrap,
            "seed": intervals.seed,
            "cluster": reading.cluster,
            "duplicates": reading.duplicates,
            "fold": reading.fold,
            "levels_declared": reading.levels is not None,
            "shape": ratings.shape,
            "format": ratings.format,
        },
        "notices": list(ratings.notices),
        "version": version,
    }
