"""All raters together: every coefficient for more than two, each on the items that its convention asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from evaluation.science.coefficients.coefficient import Coefficient
from evaluation.science.coefficients.light import MeanPairwiseKappa
from evaluation.science.coefficients.registry import (
    NO_PAIRS,
    ONE_LEVEL,
    SINGLE_LEVEL,
    SUFFIXES,
    coincidence_coefficients,
    complete_coefficients,
    identity_coefficients,
    rating_coefficients,
    score_coefficients,
)
from evaluation.science.estimates import Estimate, undefined_estimates
from evaluation.science.intervals.choice import Bound, IntervalOptions, estimate_all
from evaluation.science.moments import coincidence_features, identity_features, pair_features, score_features
from evaluation.science.patterns import Patterns, level_counts
from evaluation.science.ratings import RatingsTable
from evaluation.science.resampling.sample import Sample
from evaluation.science.resampling.statistic import Features, SmoothStatistic
from evaluation.science.weights import disagreement_weights

__all__ = ["overall_estimates"]

TOO_FEW_RATERS = "fewer than two raters have ratings"
NO_COMPLETE = "no item was rated by every rater; fleiss_kappa_available uses all items with two or more ratings"


def overall_estimates(table: RatingsTable, patterns: Patterns, options: IntervalOptions) -> dict[str, Estimate]:
    k, r = len(table.levels), len(table.raters)
    names = _overall_names()
    if k < 2 or r < 2:
        return undefined_estimates(names, SINGLE_LEVEL if k < 2 else TOO_FEW_RATERS, 0)
    given = level_counts(patterns.rows, k).sum(axis=1)
    pairable = int(patterns.counts[given >= 2].sum())
    if pairable == 0:
        return undefined_estimates(names, NO_PAIRS, 0)
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
        estimates |= undefined_estimates(["fleiss_kappa"], NO_COMPLETE, 0)
        estimates |= undefined_estimates(["icc_a1", "icc_c1"], "no item was rated by every rater", 0)
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


def _overall_names() -> list[str]:
    light = [f"mean_pairwise_cohen_kappa{suffix}" for _, suffix in SUFFIXES]
    found = [*rating_coefficients(2), *coincidence_coefficients(2), *complete_coefficients(2)]
    found += [*identity_coefficients(2), *score_coefficients()]
    names = [c.name for c in found]
    return [*names[:1], *light, *names[1:]]
