"""Permutation p of rank correlations, within clusters where items are nested in them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.science.arrangements import arrangement_count, arrangements
from evaluation.science.arrays import Array
from evaluation.science.correlations.concordance import concordance
from evaluation.science.correlations.rank import mid_ranks

__all__ = ["PermutationP", "kendall_permutation", "spearman_permutation"]

_TOLERANCE = 1e-9
_CELLS_A_CHUNK = 2_000_000
_CONCORDANCE_CELLS = 400_000_000
_FEWEST_DRAWS = 999

Clusters = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PermutationP:
    """A two-sided p, and how it came about ("enumeration", or Monte Carlo with draws and seed)."""

    p: float
    method: str


def spearman_permutation(
    x: Array, y: Array, clusters: Clusters | None, *, arrangements: int, draws: int, seed: int
) -> PermutationP:
    """P(|ρ*| ≥ |ρ|) over permutations; within clusters, where ρ* is not centred at 0, twice the smaller tail.

    Exact where there are at most `arrangements`
    distinct orders; else (1 + #extreme)/(1 + draws), seeded.
    """
    a, b = mid_ranks(x), mid_ranks(y)
    b = b - b.mean()
    return _permute(a, b, clusters, lambda moved: moved @ b, arrangements, draws, seed)


def kendall_permutation(
    x: Array, y: Array, clusters: Clusters | None, *, arrangements: int, draws: int, seed: int
) -> PermutationP:
    """The same for τ-b, by C − D: its denominator does not change under permutation.

    Where items times distinct values of x are very many, fewer draws are made; the method says how many.
    """
    values, codes = np.unique(x, return_inverse=True)
    levels = len(values)

    def statistic(moved: Array) -> Array:
        return concordance(moved.astype(np.intp), y, levels)

    affordable = max(_FEWEST_DRAWS, min(draws, _CONCORDANCE_CELLS // max(1, len(x) * levels)))
    return _permute(codes, y, clusters, statistic, arrangements, min(draws, affordable), seed, cost=levels)


def _permute(
    x: Array,
    y: Array,
    clusters: Clusters | None,
    statistic: Callable[[Array], Array],
    most: int,
    draws: int,
    seed: int,
    cost: int = 0,
) -> PermutationP:
    groups = np.zeros(len(x), np.int64) if clusters is None else clusters
    observed = float(statistic(x[None, :])[0])
    chunk = max(1, _CELLS_A_CHUNK // max(len(x), cost))
    count = math.prod(arrangement_count(x[groups == group]) for group in np.unique(groups))
    if count <= most:
        every = _all_orders(x, groups)
        values = np.concatenate([statistic(every[i : i + chunk]) for i in range(0, len(every), chunk)])
        return PermutationP(_two_sided(values, observed, clusters is not None, 0), "enumeration")
    values = np.concatenate([statistic(moved) for moved in _random_orders(x, groups, draws, chunk, seed)])
    # The observed order is one of those possible, so that p is never 0.
    p = _two_sided(values, observed, clusters is not None, 1)
    return PermutationP(p, f"Monte Carlo, {draws} draws, seed {seed}")


def _two_sided(values: Array, observed: float, nested: bool, extra: int) -> float:
    """Share of values at least as far from 0; within clusters, where 0 is not the centre, twice the smaller tail."""
    slack = _TOLERANCE * max(1.0, abs(observed))
    total = len(values) + extra
    if not nested:
        return float(((np.abs(values) >= abs(observed) - slack).sum() + extra) / total)
    tails = ((values >= observed - slack).sum(), (values <= observed + slack).sum())
    return float(min(1.0, 2 * (min(tails) + extra) / total))


def _all_orders(x: Array, groups: Clusters) -> Array:
    """Every distinct order within groups: the product of the groups' own orders."""
    rows = np.tile(x, (1, 1))
    for group in np.unique(groups):
        here = np.flatnonzero(groups == group)
        own = arrangements(x[here])
        rows = np.repeat(rows, len(own), axis=0)
        rows[:, here] = np.tile(own, (len(rows) // len(own), 1))
    return rows


def _random_orders(x: Array, groups: Clusters, draws: int, chunk: int, seed: int) -> Iterator[Array]:
    rng = np.random.default_rng(seed)
    slots = np.argsort(groups, kind="stable")
    for start in range(0, draws, chunk):
        size = min(chunk, draws - start)
        # Sorting random fractions on top of the group number shuffles within groups and keeps groups together.
        order = np.argsort(groups + rng.random((size, len(x))), axis=1)
        moved = np.empty((size, len(x)))
        moved[:, slots] = x[order]
        yield moved
