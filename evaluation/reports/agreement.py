"""The agreement of a study in the public JSON shape, the same as that of `kappagraph agreement --json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from evaluation.reports.data import CODE_VERSION, StudyData, ratings_table
from evaluation.science.agreement import report
from evaluation.science.intervals.choice import IntervalOptions

__all__ = ["agreement_json"]


def agreement_json(*, data: StudyData, names: Mapping[int, str], seed: int) -> dict[str, Any]:
    """Every coefficient and marginal test of every criterion, with raters under these names.

    The figures do not depend on the names. `left_out` and the `study` settings are additions to the public shape.
    """
    options = IntervalOptions(seed=seed)
    criteria = []
    for scale in data.scales:
        table = ratings_table(data=data, scale=scale, names=names)
        found = report(table, criterion=scale.key, options=options).to_json()
        found["left_out"] = asdict(data.left_out[scale.pk])
        criteria.append(found)
    settings = {
        "ci": options.method,
        "confidence": options.confidence,
        "bootstrap": options.bootstrap,
        "seed": options.seed,
        "resampled_by": "question" if data.resampled_by_question else "item",
        "questions": data.questions,
    }
    return {"criteria": criteria, "settings": settings, "version": CODE_VERSION}
