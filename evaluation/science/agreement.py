"""The agreement report of one criterion: every coefficient and test, for each pair of raters and overall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluation.science.advice import advise
from evaluation.science.clusters import Clusters
from evaluation.science.coefficients.coefficient import Coefficient
from evaluation.science.coefficients.light import MeanPairwiseKappa
from evaluation.science.coefficients.registry import (
    BINARY_ONLY,
    NO_PAIRS,
    ONE_LEVEL,
    SUFFIXES,
    coincidence_coefficients,
    complete_coefficients,
    identity_coefficients,
    pair_coefficients,
    rating_coefficients,
    score_coefficients,
)
from evaluation.science.estimates import Estimate, TestResult
from evaluation.science.intervals.choice import Bound, IntervalOptions, estimate_all
from evaluation.science.marginal.friedman import friedman
from evaluation.science.marginal.options import ExactOptions
from evaluation.science.marginal.registry import pair_tests
from evaluation.science.moments import coincidence_features, identity_features, pair_features, score_features
from evaluation.science.patterns import Patterns, level_counts, rating_patterns
from evaluation.science.ratings import MISSING, Level, RatingsTable
from evaluation.science.resampling.sample import Sample
from evaluation.science.resampling.statistic import Features, SmoothStatistic
from evaluation.science.weights import disagreement_weights

__all__ = ["CriterionReport", "PairReport", "report"]

_SINGLE_LEVEL = "a single level is declared: agreement beyond chance has no meaning"
_TOO_FEW_RATERS = "fewer than two raters have ratings"
_NO_COMPLETE = "no item was rated by every rater; fleiss_kappa_available uses all items with two or more ratings"
_EXACT_BUDGET = 2_000_000  # outcomes enumerated over all pairs


@dataclass(frozen=True)
class PairReport:
    """Two raters over the items that both rated."""

    raters: tuple[str, str]
    n: int
    table: npt.NDArray[np.int64]
    coefficients: dict[str, Estimate]
    marginal_tests: dict[str, TestResult]

    def to_json(self) -> dict[str, Any]:
        return {
            "raters": list(self.raters),
            "n": self.n,
            "table": self.table.tolist(),
            "coefficients": {name: estimate.to_json() for name, estimate in self.coefficients.items()},
            "marginal_tests": {name: test.to_json() for name, test in self.marginal_tests.items()},
        }


@dataclass(frozen=True)
class CriterionReport:
    """Agreement on one criterion. `missing` counts the cells of items × raters without a rating."""

    criterion: str | None
    levels: tuple[Level, ...]
    raters: tuple[str, ...]
    items: int
    ratings: int
    missing: int
    overall: dict[str, Estimate]
    pairs: tuple[PairReport, ...]
    marginal_tests: dict[str, TestResult]
    warnings: tuple[str, ...]
    data_sha256: str

    def to_json(self) -> dict[str, Any]:
        """Shape of one entry of `criteria` in the public JSON."""
        return {
            "criterion": self.criterion,
            "levels": list(self.levels),
            "items": self.items,
            "raters": len(self.raters),
            "ratings": self.ratings,
            "missing": self.missing,
            "rater_names": list(self.raters),
            "overall": {name: estimate.to_json() for name, estimate in self.overall.items()},
            "pairs": [pair.to_json() for pair in self.pairs],
            "marginal_tests": {name: test.to_json() for name, test in self.marginal_tests.items()},
            "warnings": list(self.warnings),
            "data_sha256": self.data_sha256,
        }


def report(
    table: RatingsTable,
    *,
    criterion: str | None = None,
    options: IntervalOptions | None = None,
    exact: ExactOptions | None = None,
) -> CriterionReport:
    """Compute every coefficient and test that the ratings allow.

    Parameters
    ----------
    table : RatingsTable
        Ratings on the full declared scale; with clusters, intervals are resampled by cluster.
    criterion : str, optional
        Name to carry into the report.
    options : IntervalOptions, optional
        Interval method, confidence, resamples and seed.
    exact : ExactOptions, optional
        Limits of exact p values; by default a share of one budget for each pair, with the seed of `options`.

    Returns
    -------
    CriterionReport
        Undefined coefficients are None with a reason; nothing raises on degenerate data. Rater columns and items
        without any rating are set aside first, with a warning.
    """
    options = options or IntervalOptions()
    kept, empty_raters, empty_items = table.without_empty()
    number = len(kept.raters) * (len(kept.raters) - 1) // 2
    exact = exact or ExactOptions(
        outcomes=max(10_000, min(500_000, _EXACT_BUDGET // max(1, number))), seed=options.seed
    )
    patterns = rating_patterns(kept)
    pairs = tuple(_pairs(kept, patterns, options, exact))
    overall = _overall(kept, patterns, options)
    return CriterionReport(
        criterion=criterion,
        levels=kept.levels,
        raters=kept.raters,
        items=table.items,
        ratings=kept.ratings,
        missing=table.items * len(kept.raters) - kept.ratings,
        overall=overall,
        pairs=pairs,
        marginal_tests=_marginal(patterns, exact),
        warnings=advise(
            kept, patterns, overall, pairs_n=[pair.n for pair in pairs], dropped=empty_raters, empty_items=empty_items
        ),
        data_sha256=kept.sha256(),
    )


def _pairs(
    table: RatingsTable, patterns: Patterns, options: IntervalOptions, exact: ExactOptions
) -> Iterator[PairReport]:
    """Every pair of raters. In designs with many raters most pairs share few items: equal tables are computed once."""
    known: dict[bytes, PairReport] = {}
    for a, b in combinations(range(len(table.raters)), 2):
        cells = table.contingency(a, b)
        raters = (table.raters[a], table.raters[b])
        same = known.get(cells.tobytes())
        if same is None:
            found = _pair(raters, patterns, cells, a, b, options, exact)
            if table.clusters is None:
                known[cells.tobytes()] = found
            yield found
        else:
            yield replace(same, raters=raters)


def _pair(
    raters: tuple[str, str],
    patterns: Patterns,
    cells: npt.NDArray[np.int64],
    a: int,
    b: int,
    options: IntervalOptions,
    exact: ExactOptions,
) -> PairReport:
    n = int(cells.sum())
    if len(cells) < 2:
        coefficients = _undefined_all(_pair_names(), _SINGLE_LEVEL, n)
    else:
        coefficients = _pair_estimates(patterns, cells, a, b, options)
    return PairReport(raters, n, cells, coefficients, pair_tests(cells, exact))


def _pair_estimates(
    patterns: Patterns, cells: npt.NDArray[np.int64], a: int, b: int, options: IntervalOptions
) -> dict[str, Estimate]:
    k, n = len(cells), int(cells.sum())
    if n == 0:
        return _undefined_all(_pair_names(), "the two raters share no item", 0)
    occupied = np.flatnonzero(cells)
    counts = cells.reshape(-1)[occupied]
    features = Features(np.eye(k * k)[occupied])
    sample = Sample.of(counts, _pair_clusters(patterns, a, b, k, occupied))
    estimates = estimate_all(
        {c.name: Bound(c, SmoothStatistic(features, counts, c.value), n) for c in pair_coefficients(k)},
        sample,
        options,
    )
    for name, reason in BINARY_ONLY.items():
        estimates.setdefault(name, Estimate(None, None, None, None, n, reason))
    return {name: estimates[name] for name in _pair_names()}


def _pair_clusters(patterns: Patterns, a: int, b: int, k: int, occupied: npt.NDArray[np.intp]) -> Clusters | None:
    """Clusters by cell of the pair's table, for those clusters that hold a common item."""
    if patterns.clusters is None:
        return None
    first, second = patterns.rows[:, a], patterns.rows[:, b]
    cell = np.where((first != MISSING) & (second != MISSING), first * k + second, MISSING)
    return patterns.clusters.mapped((cell[:, None] == occupied[None, :]).astype(float))


def _overall(table: RatingsTable, patterns: Patterns, options: IntervalOptions) -> dict[str, Estimate]:
    k, r = len(table.levels), len(table.raters)
    names = _overall_names()
    if k < 2 or r < 2:
        return _undefined_all(names, _SINGLE_LEVEL if k < 2 else _TOO_FEW_RATERS, 0)
    given = level_counts(patterns.rows, k).sum(axis=1)
    pairable = int(patterns.counts[given >= 2].sum())
    if pairable == 0:
        return _undefined_all(names, NO_PAIRS, 0)
    estimates: dict[str, Estimate] = {}

    # Gwet's convention: p_a over items with two ratings or more, prevalence over all; his variance holds the ratio of
    # the two sample sizes fixed.
    shift = (given >= 2) / pairable - 1 / patterns.items
    estimates |= _estimates(
        patterns, pair_features(patterns.rows, k), rating_coefficients(k, paired=r == 2), pairable, options, shift
    )
    two = patterns.where(given >= 2)
    estimates |= _estimates(two, coincidence_features(two.rows, k), coincidence_coefficients(k), pairable, options)
    estimates |= _estimates(patterns, identity_features(patterns.rows, k), identity_coefficients(k), pairable, options)
    estimates |= _light(table, two, options)
    full = patterns.where(given == r)
    if full.items:
        estimates |= _estimates(full, pair_features(full.rows, k), complete_coefficients(k), full.items, options)
        estimates |= _estimates(full, score_features(full.rows), score_coefficients(), full.items, options)
    else:
        estimates |= _undefined_all(["fleiss_kappa"], _NO_COMPLETE, 0)
        estimates |= _undefined_all(["icc_a1", "icc_c1"], "no item was rated by every rater", 0)
    return {name: estimates[name] for name in names}


def _estimates(
    patterns: Patterns,
    features: npt.NDArray[Any],
    coefficients: Sequence[Coefficient],
    n: int,
    options: IntervalOptions,
    shift: npt.NDArray[Any] | None = None,
) -> dict[str, Estimate]:
    sample = Sample.of(patterns.counts, patterns.clusters)
    shared = Features(features)
    bounds = {c.name: Bound(c, SmoothStatistic(shared, patterns.counts, c.value), n, shift) for c in coefficients}
    return estimate_all(bounds, sample, options)


def _light(table: RatingsTable, patterns: Patterns, options: IntervalOptions) -> dict[str, Estimate]:
    bounds = {}
    for scheme, suffix in SUFFIXES:
        name = f"mean_pairwise_cohen_kappa{suffix}"
        statistic = MeanPairwiseKappa(patterns.rows, patterns.counts, disagreement_weights(len(table.levels), scheme))
        reason = _light_reason(table, statistic)
        coefficient = Coefficient(name, lambda sums: sums, reason, kappa_like=True)
        bounds[name] = Bound(coefficient, statistic, patterns.items)
    return estimate_all(bounds, Sample.of(patterns.counts, patterns.clusters), options)


def _light_reason(table: RatingsTable, statistic: MeanPairwiseKappa) -> str:
    undefined = statistic.undefined_pairs()
    if not undefined:
        return ONE_LEVEL
    named = ", ".join(f"{table.raters[a]} and {table.raters[b]}" for a, b in undefined[:3])
    more = f" and {len(undefined) - 3} more" if len(undefined) > 3 else ""
    return f"kappa is undefined (no common item, or a single level in use) for {named}{more}"


def _marginal(patterns: Patterns, exact: ExactOptions) -> dict[str, TestResult]:
    full = (patterns.rows != MISSING).all(axis=1)
    return {"friedman": friedman(patterns.rows[full], patterns.counts[full], exact)}


def _pair_names() -> list[str]:
    return [c.name for c in pair_coefficients(2)]


def _overall_names() -> list[str]:
    light = [f"mean_pairwise_cohen_kappa{suffix}" for _, suffix in SUFFIXES]
    found = [*rating_coefficients(2), *coincidence_coefficients(2), *complete_coefficients(2)]
    found += [*identity_coefficients(2), *score_coefficients()]
    names = [c.name for c in found]
    return [*names[:1], *light, *names[1:]]


def _undefined_all(names: list[str], reason: str, n: int) -> dict[str, Estimate]:
    return {name: Estimate(None, None, None, None, n, reason) for name in names}
