"""The exact distribution of a sum of independent binomial counts, when the sum takes few values.

A statistic that depends on its counts only through a sum, one term a count, need not see every outcome: outcomes with
the same sum so far are merged after each count. The number of outcomes is a product, that of sums is often not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array

__all__ = ["Lattice", "log_binomial", "sum_distribution"]

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Lattice:
    """How a statistic reads as a function of a sum of integer keys.

    Attributes
    ----------
    terms : sequence of arrays of int64
        For each count, the key of each of its values 0 … m.
    statistic : callable
        Summed keys (N,) → values (N,).
    """

    terms: Sequence[Keys]
    statistic: Callable[[Keys], Array]


def sum_distribution(terms: Sequence[Keys], most: int) -> tuple[Keys, Array] | None:
    """Every value of the sum of keys with its probability under Binomial(m, ½) counts; None beyond `most` of them."""
    keys: Keys = np.zeros(1, np.int64)
    mass: Array = np.ones(1)
    for term in sorted(terms, key=len):
        if len(keys) * len(term) > 4 * most:
            return None
        sums = (keys[:, None] + term[None, :]).reshape(-1)
        weights = (mass[:, None] * np.exp(log_binomial(len(term) - 1))[None, :]).reshape(-1)
        keys, inverse = np.unique(sums, return_inverse=True)
        mass = np.bincount(inverse, weights=weights)
        if len(keys) > most:
            return None
    return keys, mass


def log_binomial(m: int) -> Array:
    """log of C(m, x)/2^m for x = 0 … m."""
    from scipy.special import gammaln

    x = np.arange(m + 1)
    return np.asarray(gammaln(m + 1) - gammaln(x + 1) - gammaln(m - x + 1) - m * np.log(2.0))
