"""Two raters: every coefficient and marginal test of their table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluation.science.clusters import Clusters
from evaluation.science.coefficients.registry import BINARY_ONLY, SINGLE_LEVEL, pair_coefficients
from evaluation.science.estimates import Estimate, TestResult, undefined_estimates
from evaluation.science.intervals.choice import Bound, IntervalOptions, estimate_all
from evaluation.science.marginal.options import ExactOptions
from evaluation.science.marginal.registry import pair_tests
from evaluation.science.patterns import Patterns
from evaluation.science.ratings import MISSING, RatingsTable
from evaluation.science.resampling.sample import Sample
from evaluation.science.resampling.statistic import Features, SmoothStatistic

__all__ = ["PairReport", "pair_reports"]


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


def pair_reports(
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
        coefficients = undefined_estimates(_pair_names(), SINGLE_LEVEL, n)
    else:
        coefficients = _pair_estimates(patterns, cells, a, b, options)
    return PairReport(raters, n, cells, coefficients, pair_tests(cells, exact))


def _pair_estimates(
    patterns: Patterns, cells: npt.NDArray[np.int64], a: int, b: int, options: IntervalOptions
) -> dict[str, Estimate]:
    k, n = len(cells), int(cells.sum())
    if n == 0:
        return undefined_estimates(_pair_names(), "the two raters share no item", 0)
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


def _pair_names() -> list[str]:
    return [c.name for c in pair_coefficients(2)]
