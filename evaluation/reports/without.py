"""What agreement is with one reviewer and without, before it is decided what becomes of their ratings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evaluation.models import Study
from evaluation.reports.data import StudyData, load, ratings_table
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.overall import overall_estimates
from evaluation.science.patterns import rating_patterns
from evaluation.selectors.agreement import Pattern, Scale

__all__ = ["COEFFICIENTS", "agreement_with_and_without"]

COEFFICIENTS = ("mean_pairwise_cohen_kappa_linear", "krippendorff_alpha_ordinal", "exact_agreement")


def agreement_with_and_without(*, study: Study, reviewer_id: int) -> list[dict[str, Any]]:
    """For each criterion with levels: `all` who count now, and `without` this reviewer.

    Each holds the counts `items` (with two ratings or more), `ratings` and `raters`, and the coefficients with value,
    interval, n and, where undefined, the reason.
    """
    data = load(study=study)
    rest = replace(data, patterns={scale: _without(found, reviewer_id) for scale, found in data.patterns.items()})
    return [
        {
            "criterion": scale.key,
            "name": scale.name,
            "all": _figures(data, scale),
            "without": _figures(rest, scale),
        }
        for scale in data.scales
    ]


def _without(patterns: list[Pattern], reviewer_id: int) -> list[Pattern]:
    rest = []
    for pattern in patterns:
        kept = [pair for pair in zip(pattern.raters, pattern.levels, strict=True) if pair[0] != reviewer_id]
        if kept:
            raters, levels = zip(*kept, strict=True)
            rest.append(replace(pattern, raters=raters, levels=levels))
    return rest


def _figures(data: StudyData, scale: Scale) -> dict[str, Any]:
    names = {rater.pk: rater.label for rater in data.raters}
    kept, _, _ = ratings_table(data=data, scale=scale, names=names).without_empty()
    patterns = rating_patterns(kept)
    estimates = overall_estimates(kept, patterns, IntervalOptions())
    found = data.patterns.get(scale.pk, [])
    return {
        "items": sum(pattern.items for pattern in found if len(pattern.raters) > 1),
        "ratings": kept.ratings,
        "raters": len(kept.raters),
        "coefficients": {name: _estimate(estimates[name].to_json()) for name in COEFFICIENTS},
    }


def _estimate(estimate: dict[str, Any]) -> dict[str, Any]:
    return {name: estimate[name] for name in ("value", "ci", "n", "reason")}
