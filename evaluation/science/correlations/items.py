"""Correlation of each criterion's item means (or medians) with each metric, as one family of tests."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.correlations.cluster_bootstrap import FEWEST_CLUSTERS, bootstrap_intervals
from evaluation.science.correlations.permutation import kendall_permutation, spearman_permutation
from evaluation.science.correlations.rank import kendall_p, kendall_tau_b, mid_ranks, spearman_p, spearman_rho
from evaluation.science.correlations.reliability import Reliability, reliability_of_mean
from evaluation.science.ratings import MISSING, RatingsTable
from graphs.science.inference import benjamini_hochberg, holm

__all__ = ["CorrelationOptions", "ItemCorrelation", "RankCorrelation", "correlate_items", "item_scores"]

Summary = Literal["mean", "median"]


@dataclass(frozen=True)
class CorrelationOptions:
    """How p values and intervals are made.

    Attributes
    ----------
    summary : "mean" or "median"
        Of an item's ratings, as level indices.
    arrangements : int
        Permutation p is exact up to so many distinct orders.
    draws, bootstrap : int
        Monte Carlo permutations beyond that; cluster resamples.
    confidence : float
    seed : int
    """

    summary: Summary = "mean"
    arrangements: int = 500_000
    draws: int = 9_999
    bootstrap: int = 2_000
    confidence: float = 0.95
    seed: int = 0


@dataclass(frozen=True)
class RankCorrelation:
    """One coefficient with its tests. `p_holm` and `p_bh` adjust `permutation_p` over the family."""

    value: float | None
    p: float | None
    permutation_p: float | None
    permutation_method: str | None
    ci: tuple[float, float] | None
    p_holm: float | None
    p_bh: float | None
    reason: str | None

    def to_json(self) -> dict[str, Any]:
        return self.__dict__ | {"ci": None if self.ci is None else list(self.ci)}


@dataclass(frozen=True)
class ItemCorrelation:
    """A criterion against a metric.

    `n` items have both; `missing` have a rating or should have one, but lack the rating or the metric. `within` is ρ
    of ranks taken within each cluster: where its sign is not that of the pooled ρ, clusters and not items carry the
    pooled one (`simpson`). `corrected` = ρ / ceiling, not cut at 1.
    """

    criterion: str
    metric: str
    n: int
    missing: int
    clusters: int | None
    spearman: RankCorrelation
    kendall: RankCorrelation
    within: float | None
    simpson: bool | None
    reliability: Reliability
    corrected: float | None
    family: str

    def to_json(self) -> dict[str, Any]:
        return {
            "criterion": self.criterion,
            "metric": self.metric,
            "n": self.n,
            "missing": self.missing,
            "clusters": self.clusters,
            "spearman": self.spearman.to_json(),
            "kendall": self.kendall.to_json(),
            "within_clusters": self.within,
            "simpson": self.simpson,
            "reliability": self.reliability.value,
            "reliability_name": self.reliability.name,
            "ceiling": self.reliability.ceiling,
            "corrected": self.corrected,
            "reason": self.reliability.reason,
            "family": self.family,
        }


def item_scores(table: RatingsTable, summary: Summary = "mean") -> Array:
    """Mean or median level index of each row's ratings, shape (rows,); NaN for a row without any."""
    scores = np.where(table.codes == MISSING, np.nan, table.codes.astype(float))
    result = np.full(len(scores), np.nan)
    rated = ~np.isnan(scores).all(axis=1)
    result[rated] = np.nanmean(scores[rated], axis=1) if summary == "mean" else np.nanmedian(scores[rated], axis=1)
    return result


def correlate_items(
    ratings: Mapping[str, RatingsTable],
    metrics: Mapping[str, Sequence[float | None]],
    *,
    clusters: Sequence[Hashable] | None = None,
    options: CorrelationOptions | None = None,
) -> list[ItemCorrelation]:
    """Correlate every criterion with every metric.

    Parameters
    ----------
    ratings : mapping of criterion → RatingsTable
        Each table has one row an item, in the order of the metrics' values.
    metrics : mapping of metric → values
        One value an item; None (or NaN) where the metric is undefined.
    clusters : sequence, optional
        What each item is nested in (its query or cell): permutations stay within, the bootstrap resamples them.
    options : CorrelationOptions, optional

    Returns
    -------
    One entry a criterion and metric, undefined ones with a reason. Holm and Benjamini–Hochberg run over all of them,
    for ρ and for τ-b apart; undefined tests are not counted.

    Raises
    ------
    ValueError
        If tables, metrics and clusters do not have the same number of items.
    """
    options = options or CorrelationOptions()
    sizes = {len(table.codes) for table in ratings.values()} | {len(values) for values in metrics.values()}
    if clusters is not None:
        sizes.add(len(clusters))
    if len(sizes) > 1:
        raise ValueError(f"ratings, metrics and clusters must describe the same items, not {sorted(sizes)} of them")
    groups = None if clusters is None else _number(clusters)
    family = f"{len(ratings)} criteria × {len(metrics)} metrics"
    found = []
    for criterion, table in ratings.items():
        scores, reliability = item_scores(table, options.summary), reliability_of_mean(table)
        for metric, values in metrics.items():
            y = np.array([np.nan if value is None else value for value in values], dtype=float)
            found.append(_correlate(criterion, metric, scores, y, groups, reliability, family, options))
    return _adjust(found)


def _correlate(
    criterion: str,
    metric: str,
    scores: Array,
    values: Array,
    groups: npt.NDArray[np.int64] | None,
    reliability: Reliability,
    family: str,
    options: CorrelationOptions,
) -> ItemCorrelation:
    both = np.isfinite(scores) & np.isfinite(values)
    x, y = scores[both], values[both]
    n = int(both.sum())
    nested = None if groups is None else groups[both]
    rho, tau = _both(x, y, nested, options)
    within = None if nested is None else _within(x, y, nested)
    ceiling = reliability.ceiling
    return ItemCorrelation(
        criterion=criterion,
        metric=metric,
        n=n,
        missing=len(both) - n,
        clusters=None if nested is None else len(np.unique(nested)),
        spearman=rho,
        kendall=tau,
        within=within,
        simpson=None if within is None or rho.value is None else within * rho.value < 0,
        reliability=reliability,
        corrected=None if rho.value is None or ceiling is None else rho.value / ceiling,
        family=family,
    )


def _both(
    x: Array, y: Array, groups: npt.NDArray[np.int64] | None, options: CorrelationOptions
) -> tuple[RankCorrelation, RankCorrelation]:
    n = len(x)
    rho, tau = (spearman_rho(x, y), kendall_tau_b(x, y)) if n else (None, None)
    if rho is None or tau is None:
        nothing = RankCorrelation(None, None, None, None, None, None, None, _undefined(x, y))
        return nothing, nothing
    units = np.arange(n) if groups is None else groups
    number, kind = len(np.unique(units)), "items" if groups is None else "clusters"
    few = number < FEWEST_CLUSTERS
    reason = f"no interval: {number} {kind}, fewer than {FEWEST_CLUSTERS}" if few else None
    rho_ci, tau_ci = bootstrap_intervals(
        x, y, units, resamples=options.bootstrap, confidence=options.confidence, seed=options.seed
    )
    limits = {"arrangements": options.arrangements, "draws": options.draws, "seed": options.seed}
    by_rho = spearman_permutation(x, y, groups, **limits)
    by_tau = kendall_permutation(x, y, groups, **limits)
    return (
        RankCorrelation(rho, spearman_p(rho, n), by_rho.p, by_rho.method, rho_ci, None, None, reason),
        RankCorrelation(tau, kendall_p(x, y), by_tau.p, by_tau.method, tau_ci, None, None, reason),
    )


def _undefined(x: Array, y: Array) -> str:
    if len(x) < 2:
        return "fewer than two items have both a rating and this metric"
    return "all items have the same rating" if np.ptp(x) == 0 else "the metric has the same value on all items"


def _within(x: Array, y: Array, groups: npt.NDArray[np.int64]) -> float | None:
    """ρ within clusters: ranks and their means are taken in each cluster, the products are pooled."""
    products = squares_x = squares_y = 0.0
    for group in np.unique(groups):
        here = groups == group
        a, b = mid_ranks(x[here]), mid_ranks(y[here])
        a, b = a - a.mean(), b - b.mean()
        products, squares_x, squares_y = products + a @ b, squares_x + a @ a, squares_y + b @ b
    spread = squares_x * squares_y
    return None if spread == 0 else float(products / np.sqrt(spread))


def _adjust(found: list[ItemCorrelation]) -> list[ItemCorrelation]:
    by_rho = _adjusted([entry.spearman for entry in found])
    by_tau = _adjusted([entry.kendall for entry in found])
    return [replace(entry, spearman=rho, kendall=tau) for entry, rho, tau in zip(found, by_rho, by_tau, strict=True)]


def _adjusted(tests: list[RankCorrelation]) -> list[RankCorrelation]:
    p_values = [test.permutation_p for test in tests]
    return [
        replace(test, p_holm=by_holm, p_bh=by_bh)
        for test, by_holm, by_bh in zip(tests, holm(p_values), benjamini_hochberg(p_values), strict=True)
    ]


def _number(labels: Sequence[Hashable]) -> npt.NDArray[np.int64]:
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(label, len(numbers)) for label in labels), np.int64, len(labels))
