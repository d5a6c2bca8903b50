"""From patterns of ratings to the sums that the coefficients are functions of.

Every multi-rater coefficient here is a function of *sums over items*. Each pattern's share of those sums is a row of
a feature matrix; a resample is then one matrix product, a jackknife one subtraction.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.coefficients.icc import ScoreSums
from evaluation.science.patterns import level_counts

__all__ = [
    "coincidence_features",
    "coincidences",
    "identity_features",
    "identity_sums",
    "pair_features",
    "pair_sums",
    "score_features",
    "score_sums",
]


def pair_features(rows: npt.NDArray[np.int32], levels: int) -> Array:
    """Normalised table of ordered rating pairs (k², zero below two ratings), then level shares (k)."""
    n = level_counts(rows, levels).astype(float)
    r = n.sum(axis=1)
    products = _ordered_pairs(n)
    pairs = products / np.maximum(r * (r - 1), 1)[:, None, None]
    return np.hstack([pairs.reshape(len(rows), -1), n / np.maximum(r, 1)[:, None]])


def pair_sums(sums: Array, levels: int) -> tuple[Array, Array]:
    """Split sums of :func:`pair_features` into pairs (..., k, k) and prevalence (..., k)."""
    square = levels * levels
    return sums[..., :square].reshape(*sums.shape[:-1], levels, levels), sums[..., square:]


def coincidence_features(rows: npt.NDArray[np.int32], levels: int) -> Array:
    """Krippendorff's coincidences of each row, (P, k²); zero for rows with a single rating."""
    n = level_counts(rows, levels).astype(float)
    r = n.sum(axis=1)
    return np.asarray((_ordered_pairs(n) / np.maximum(r - 1, 1)[:, None, None]).reshape(len(rows), -1))


def coincidences(sums: Array, levels: int) -> Array:
    return sums.reshape(*sums.shape[:-1], levels, levels)


def identity_features(rows: npt.NDArray[np.int32], levels: int) -> Array:
    """As the pairs of :func:`pair_features` (k²), then one indicator for each rater and level (R·k)."""
    pairs = pair_features(rows, levels)[:, : levels * levels]
    indicators = rows[:, :, None] == np.arange(levels)
    return np.hstack([pairs, indicators.reshape(len(rows), -1).astype(float)])


def identity_sums(sums: Array, levels: int) -> tuple[Array, Array]:
    """Split sums of :func:`identity_features` into pairs (..., k, k) and margins (..., R, k)."""
    square = levels * levels
    lead = sums.shape[:-1]
    return sums[..., :square].reshape(*lead, levels, levels), sums[..., square:].reshape(*lead, -1, levels)


def score_features(rows: npt.NDArray[np.int32]) -> Array:
    """1, Σx², (Σx)² and the R scores of each complete row; scores are level indices 0 … k−1."""
    x = rows.astype(float)
    return np.column_stack([np.ones(len(rows)), (x**2).sum(1), x.sum(1) ** 2, x])


def score_sums(sums: Array) -> ScoreSums:
    return ScoreSums(items=sums[..., 0], squares=sums[..., 1], item_totals=sums[..., 2], raters=sums[..., 3:])


def _ordered_pairs(n: Array) -> Array:
    """n_a n_b − [a = b] n_a: how many ordered pairs of different ratings an item shows."""
    products = n[:, :, None] * n[:, None, :]
    diagonal = np.arange(n.shape[1])
    products[:, diagonal, diagonal] -= n
    return np.asarray(products)
