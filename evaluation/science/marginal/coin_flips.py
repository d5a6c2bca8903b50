"""Exact p of statistics that flip a fair coin for each discordant item.

Given how many items are discordant in each unordered way (say, low against medium), symmetry makes each of them fall
to either side with probability ½: g independent Binomial(m_g, ½) counts. Their joint distribution is enumerated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.marginal.lattice import Lattice, log_binomial, sum_distribution
from evaluation.science.marginal.options import ExactOptions

__all__ = ["ExactP", "exact_p"]

_CHUNK = 200_000


@dataclass(frozen=True)
class ExactP:
    p: float
    method: str


def exact_p(
    totals: npt.NDArray[np.int64],
    observed: npt.NDArray[np.int64],
    statistic: Callable[[Array], Array],
    options: ExactOptions,
    lattice: Lattice | None = None,
) -> ExactP:
    """P(statistic ≥ observed statistic) over independent Binomial(m_g, ½) counts.

    By full enumeration up to `options.outcomes` outcomes, or where the sums of `lattice` take no more values than
    that; by seeded Monte Carlo beyond.

    Parameters
    ----------
    totals, observed : arrays of int64, shape (g,)
        m_g, and the counts seen.
    statistic : callable
        Counts (N, g) → values (N,); large is extreme.
    options : ExactOptions
    lattice : Lattice, optional
        The same statistic as a function of a sum of keys.
    """
    threshold = float(statistic(observed[None, :].astype(float))[0])
    threshold -= 1e-9 * max(1.0, abs(threshold))
    sizes = [int(m) + 1 for m in totals]
    outcomes = float(np.prod(np.array(sizes, dtype=float)))
    if outcomes <= options.outcomes:
        return ExactP(_enumerate(sizes, statistic, threshold), "enumeration")
    sums = None if lattice is None else sum_distribution(lattice.terms, options.outcomes)
    if lattice is not None and sums is not None:
        keys, mass = sums
        return ExactP(min(1.0, float(mass[lattice.statistic(keys) >= threshold].sum())), "enumeration")
    rng = np.random.default_rng(options.seed)
    extreme = 0
    for start in range(0, options.draws, _CHUNK):
        size = min(_CHUNK, options.draws - start)
        counts = rng.binomial(totals, 0.5, size=(size, len(totals))).astype(float)
        extreme += int((statistic(counts) >= threshold).sum())
    return ExactP((1 + extreme) / (1 + options.draws), f"Monte Carlo, {options.draws} draws, seed {options.seed}")


def _enumerate(sizes: list[int], statistic: Callable[[Array], Array], threshold: float) -> float:
    log_masses = [log_binomial(size - 1) for size in sizes]
    outcomes = int(np.prod(sizes))
    total = 0.0
    for start in range(0, outcomes, _CHUNK):
        flat = np.arange(start, min(start + _CHUNK, outcomes))
        counts = np.stack(np.unravel_index(flat, sizes), axis=1)
        extreme = statistic(counts.astype(float)) >= threshold
        log_mass = sum(
            (log_masses[g][counts[extreme, g]] for g in range(len(sizes))), start=np.zeros(int(extreme.sum()))
        )
        total += float(np.exp(log_mass).sum())
    return min(1.0, total)
