"""Is one agreement higher than another? A paired comparison of two coefficients on the same items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.coefficients.coefficient import Coefficient
from evaluation.science.coefficients.light import MeanPairwiseKappa
from evaluation.science.coefficients.registry import (
    SUFFIXES,
    coincidence_coefficients,
    complete_coefficients,
    identity_coefficients,
    pair_coefficients,
    rating_coefficients,
    score_coefficients,
)
from evaluation.science.estimates import Estimate
from evaluation.science.intervals.choice import Bound, IntervalOptions, estimate_all
from evaluation.science.moments import coincidence_features, identity_features, pair_features, score_features
from evaluation.science.patterns import rating_patterns
from evaluation.science.ratings import MISSING, RatingsTable
from evaluation.science.resampling.sample import Sample
from evaluation.science.resampling.statistic import Features, SmoothStatistic, Statistic
from evaluation.science.weights import disagreement_weights

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True)
class Comparison:
    """Two coefficients and their difference, left minus right, with one interval for the difference."""

    left: float | None
    right: float | None
    difference: Estimate


def compare(
    left: RatingsTable,
    right: RatingsTable,
    *,
    coefficient: str,
    other: str | None = None,
    options: IntervalOptions | None = None,
) -> Comparison:
    """Compare two coefficients over the same items.

    Items are resampled (or left out) jointly, so that what the two have in common cancels: two criteria rated on the
    same items, two pairs of raters, or two coefficients of one table (`left` is `right`).

    Parameters
    ----------
    left, right : RatingsTable
        One row an item, in the same order, with the same counts. Levels may differ. Clusters are those of `left`.
    coefficient, other : str
        Public names; `other` is the right one where it differs. Two raters are compared by the
        table of the items that both rated, more by the multi-rater conventions.
    options : IntervalOptions, optional

    Raises
    ------
    ValueError
        If the rows do not correspond, or a name is unknown for that number of raters.
    """
    if len(left.codes) != len(right.codes) or (left.counts != right.counts).any():
        raise ValueError("both tables must describe the same items, row by row")
    width, levels = left.codes.shape[1], max(len(left.levels), len(right.levels))
    joint = RatingsTable(
        levels=tuple(range(levels)),
        raters=tuple(f"{side}{j}" for side, table in (("l", left), ("r", right)) for j in range(table.codes.shape[1])),
        codes=np.hstack([left.codes, right.codes]),
        counts=left.counts,
        clusters=left.clusters,
    )
    patterns = rating_patterns(joint)
    patterns = patterns.where((patterns.rows != MISSING).any(axis=1) & (patterns.counts > 0))
    first = _bind(coefficient, patterns.rows[:, :width], patterns.counts, len(left.levels))
    second = _bind(other or coefficient, patterns.rows[:, width:], patterns.counts, len(right.levels))
    values = first.value(), second.value()
    names = (coefficient, other or coefficient)
    undefined = dict.fromkeys(name for name, value in zip(names, values, strict=True) if not np.isfinite(value))
    described = Coefficient("difference", _unused, f"undefined: {' and '.join(undefined)}", (-2.0, 2.0), fisher=False)
    bound = Bound(described, _Difference(first, second), patterns.items)
    sample = Sample.of(patterns.counts, patterns.clusters)
    estimate = estimate_all({"difference": bound}, sample, options or IntervalOptions())["difference"]
    return Comparison(_or_none(values[0]), _or_none(values[1]), estimate)


@dataclass(frozen=True)
class _Difference:
    left: Statistic
    right: Statistic

    @property
    def width(self) -> int:
        return max(self.left.width, self.right.width)

    def value(self) -> float:
        return self.left.value() - self.right.value()

    def leave_one_out(self) -> Array:
        return np.asarray(self.left.leave_one_out() - self.right.leave_one_out())

    def influence(self) -> Array:
        return np.asarray(self.left.influence() - self.right.influence())

    def at(self, counts: Array) -> Array:
        return np.asarray(self.left.at(counts) - self.right.at(counts))


def _bind(name: str, rows: npt.NDArray[np.int32], counts: npt.NDArray[np.int64], levels: int) -> Statistic:
    """A coefficient by its public name on these patterns; patterns it does not use have features of zero."""
    for scheme, suffix in SUFFIXES:
        if name == f"mean_pairwise_cohen_kappa{suffix}":
            return MeanPairwiseKappa(rows, counts, disagreement_weights(levels, scheme))
    complete = (rows != MISSING).all(axis=1)[:, None]
    families: list[tuple[tuple[Coefficient, ...], Callable[[], Array]]] = [
        (rating_coefficients(levels), lambda: pair_features(rows, levels)),
        (coincidence_coefficients(levels), lambda: coincidence_features(rows, levels)),
        (complete_coefficients(levels), lambda: pair_features(rows, levels) * complete),
        (identity_coefficients(levels), lambda: identity_features(rows, levels)),
        (score_coefficients(), lambda: score_features(rows) * complete),
    ]
    if rows.shape[1] == 2:
        cell = rows[:, :1] * levels + rows[:, 1:]
        families.insert(0, (pair_coefficients(levels), lambda: (cell == np.arange(levels**2)) * complete * 1.0))
    for coefficients, features in families:
        for coefficient in coefficients:
            if coefficient.name == name:
                return SmoothStatistic(Features(features()), counts, coefficient.value)
    raise ValueError(f"there is no coefficient {name!r} for {rows.shape[1]} raters on {levels} levels")


def _unused(sums: Array) -> Array:
    return sums


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
