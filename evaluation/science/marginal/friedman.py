"""Friedman's test: is any of several raters stricter?"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from evaluation.science.arrangements import arrangement_count, arrangements
from evaluation.science.arrays import Array
from evaluation.science.estimates import TestResult
from evaluation.science.marginal.options import ExactOptions

__all__ = ["friedman"]

_MOST_ARRANGEMENTS = 5_040  # of one item's ranks: 7 raters without ties
_SHUFFLED_CELLS = 200_000_000
_CHUNK_CELLS = 4_000_000
_DRAWN_CELLS = 2_000_000  # beyond so many counts of arrangements in all, fewer draws are made
_FEWEST_DRAWS = 1_000


def friedman(rows: npt.NDArray[np.int32], counts: npt.NDArray[np.int64], options: ExactOptions) -> TestResult:
    """χ² = (R − 1) Σ_j (T_j − T̄)² / Σ_ij (r_ij − (R+1)/2)², r the mid-ranks within an item, T_j their sums.

    Friedman 1937, in the form that allows ties (Conover 1999, section 5.8). df = R − 1.

    Parameters
    ----------
    rows : array of int32, shape (P, R)
        Complete rows of level indices.
    counts : array of int64, shape (P,)
        Items with each row.

    Returns
    -------
    exact_p: over all ways to permute the ratings within items where they are few enough, else over seeded draws, fewer
    of them where ratings can be permuted in very many ways (None where even those would be too many). Undefined where
    no item has two different ratings.
    """
    r = rows.shape[1]
    if r < 3:
        return TestResult.undefined("Friedman's test is for three or more raters; see the pair's shift test for two")
    if counts.sum() == 0:
        return TestResult.undefined("no item was rated by every rater")
    ranks = _mid_ranks(rows) - (r + 1) / 2
    moving = (ranks != 0).any(axis=1)
    ranks, counts = ranks[moving], counts[moving]
    spread = float(counts @ (ranks**2).sum(1))
    if spread == 0:
        return TestResult.undefined("the raters agree on every item: there is nothing to test")
    from scipy.special import chdtrc

    def statistic(totals: Array) -> Array:
        return np.asarray((r - 1) * (totals**2).sum(-1) / spread)

    value = float(statistic(counts @ ranks))
    threshold = value - 1e-9 * max(1.0, value)
    p = float(chdtrc(r - 1, value))
    # Items with the same ranks, whoever gave them, permute alike.
    kinds, inverse = np.unique(np.sort(ranks, axis=1), axis=0, return_inverse=True)
    items = np.rint(np.bincount(inverse.reshape(-1), weights=counts)).astype(np.int64)
    ways = [arrangement_count(kind) for kind in kinds]
    if sum(n * math.log(w) for n, w in zip(items.tolist(), ways, strict=True)) <= math.log(options.outcomes):
        totals, mass = _all_totals(kinds, items)
        values = statistic(totals)
        largest = float(values.max())
        return TestResult(
            value,
            r - 1,
            p,
            min(1.0, float(mass[values >= threshold].sum())),
            float(mass[values >= largest - 1e-9 * max(1.0, largest)].sum()),
            None,
            "enumeration",
        )
    affordable = max(_FEWEST_DRAWS, _DRAWN_CELLS // max(1, sum(w for w in ways if w <= _MOST_ARRANGEMENTS)))
    options = replace(options, draws=min(options.draws, affordable))
    extreme = _monte_carlo(kinds, items, ways, statistic, threshold, options)
    if extreme is None:
        return TestResult(value, r - 1, p, None, None, "too many raters and items for a Monte Carlo p", None)
    method = f"Monte Carlo, {options.draws} draws, seed {options.seed}"
    return TestResult(value, r - 1, p, (1 + extreme) / (1 + options.draws), None, None, method)


def _mid_ranks(rows: npt.NDArray[np.int32]) -> Array:
    below = (rows[:, None, :] < rows[:, :, None]).sum(-1)
    same = (rows[:, None, :] == rows[:, :, None]).sum(-1)
    return np.asarray(below + (same + 1) / 2)


def _all_totals(kinds: Array, items: npt.NDArray[np.int64]) -> tuple[Array, Array]:
    """Every attainable vector of rank sums, with its probability; equal vectors are merged item by item."""
    totals: Array = np.zeros((1, kinds.shape[1]))
    mass: Array = np.ones(1)
    for kind, n in zip(kinds, items.tolist(), strict=True):
        steps = arrangements(kind)
        for _ in range(n):
            sums = (totals[:, None, :] + steps[None, :, :]).reshape(-1, kinds.shape[1])
            weights = np.repeat(mass / len(steps), len(steps))
            totals, inverse = np.unique(sums, axis=0, return_inverse=True)
            mass = np.bincount(inverse.reshape(-1), weights=weights)
    return totals, mass


def _monte_carlo(
    kinds: Array,
    items: npt.NDArray[np.int64],
    ways: list[int],
    statistic: Callable[[Array], Array],
    threshold: float,
    options: ExactOptions,
) -> int | None:
    rng = np.random.default_rng(options.seed)
    r = kinds.shape[1]
    shuffled = sum(n for n, w in zip(items.tolist(), ways, strict=True) if w > _MOST_ARRANGEMENTS)
    if shuffled * r * options.draws > _SHUFFLED_CELLS:
        return None
    orders = [arrangements(kind) if w <= _MOST_ARRANGEMENTS else None for kind, w in zip(kinds, ways, strict=True)]
    chunk = max(1, _CHUNK_CELLS // max([r * shuffled, *(len(o) for o in orders if o is not None), r]))
    extreme = 0
    for start in range(0, options.draws, chunk):
        size = min(chunk, options.draws - start)
        totals = np.zeros((size, r))
        for kind, n, order in zip(kinds, items.tolist(), orders, strict=True):
            if order is None:
                block = np.broadcast_to(kind, (size, n, r))
                totals += rng.permuted(block, axis=2).sum(axis=1)
            else:
                totals += rng.multinomial(n, np.full(len(order), 1 / len(order)), size=size) @ order
        extreme += int((statistic(totals) >= threshold).sum())
    return extreme
