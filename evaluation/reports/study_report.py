"""The figures of a study's report, computed once for each state of the data."""

from __future__ import annotations

from typing import Any

from django.core.cache import cache

from evaluation.reports.agreement import agreement_json
from evaluation.reports.correlations import correlation_rows
from evaluation.reports.data import CODE_VERSION, StudyData

__all__ = ["agreement_figures", "cached_correlations", "correlation_figures"]

A_WEEK = 7 * 24 * 3600
# Raise it when the figures of the same data change within one version of the code.
SHAPE = 1


def agreement_figures(*, data: StudyData, seed: int = 0) -> dict[str, Any]:
    """The agreement JSON with raters under the labels R1, R2, …; cached by the data's hash."""
    found: dict[str, Any] | None = cache.get(key := _key("agreement", data, seed))
    if found is None:
        names = {rater.pk: rater.label for rater in data.raters}
        found = agreement_json(data=data, names=names, seed=seed)
        cache.set(key, found, A_WEEK)
    return found


def cached_correlations(*, data: StudyData, seed: int = 0) -> list[dict[str, Any]] | None:
    """The correlations if they were computed for this state of the data: they take seconds where items are many."""
    found: list[dict[str, Any]] | None = cache.get(_key("correlations", data, seed))
    return found


def correlation_figures(*, data: StudyData, seed: int = 0) -> list[dict[str, Any]]:
    found = cached_correlations(data=data, seed=seed)
    if found is None:
        found = correlation_rows(data=data, seed=seed)
        cache.set(_key("correlations", data, seed), found, A_WEEK)
    return found


def _key(what: str, data: StudyData, seed: int) -> str:
    return f"study-{what}:{SHAPE}:{CODE_VERSION}:{seed}:{data.sha256}"
