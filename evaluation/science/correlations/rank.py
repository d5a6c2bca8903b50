"""Spearman's ρ and Kendall's τ-b with ties, their asymptotic p, and their values on weighted items."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array

__all__ = ["kendall_p", "kendall_tau_b", "mid_ranks", "spearman_p", "spearman_rho", "weighted_ranks"]


def mid_ranks(values: npt.ArrayLike) -> Array:
    """Ranks 1 … n; equal values share the mean of their ranks."""
    _, inverse, ties = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    ends = np.cumsum(ties)
    return np.asarray((ends - (ties - 1) / 2.0)[inverse])


def spearman_rho(x: Array, y: Array) -> float | None:
    """Pearson's correlation of the mid-ranks (Spearman 1904); None where x or y is constant or n < 2."""
    a, b = mid_ranks(x), mid_ranks(y)
    a, b = a - a.mean(), b - b.mean()
    spread = float((a @ a) * (b @ b))
    return None if spread == 0 else float(np.clip((a @ b) / np.sqrt(spread), -1.0, 1.0))


def spearman_p(rho: float, n: int) -> float | None:
    """Two-sided p from t = ρ √((n − 2)/(1 − ρ²)) on n − 2 degrees of freedom. Too small where n is; None for n < 3."""
    if n < 3:
        return None
    from scipy.special import stdtr

    if abs(rho) >= 1:
        return 0.0
    t = rho * np.sqrt((n - 2) / (1 - rho * rho))
    return float(2 * stdtr(n - 2, -abs(t)))


def kendall_tau_b(x: Array, y: Array) -> float | None:
    """(C − D)/√((n₀ − n₁)(n₀ − n₂)), n₁ and n₂ the pairs tied in x and in y (Kendall 1945); None where undefined."""
    pairs = len(x) * (len(x) - 1) / 2
    spread = (pairs - _tied_pairs(x)) * (pairs - _tied_pairs(y))
    if spread == 0:
        return None
    return float(np.clip(_concordance(x, y) / np.sqrt(spread), -1.0, 1.0))


def kendall_p(x: Array, y: Array) -> float | None:
    """Two-sided p of C − D by its normal approximation with the variance under ties (Kendall 1970, chapter 4)."""
    n = len(x)
    if n < 3:
        return None
    from scipy.special import erfc

    m = n * (n - 1.0)
    variance = (m * (2 * n + 5) - _tie_sum(x, 2, 5) - _tie_sum(y, 2, 5)) / 18
    variance += 2 * _tied_pairs(x) * _tied_pairs(y) / m
    variance += _tie_sum(x, 1, -2) * _tie_sum(y, 1, -2) / (9 * m * (n - 2))
    if variance <= 0:
        return None
    return float(erfc(abs(_concordance(x, y)) / np.sqrt(2 * variance)))


def weighted_ranks(values: Array, weights: Array) -> Array:
    """Mid-ranks of items that occur `weights` times each, (B, n) → (B, n): the ranks within each resample."""
    _, inverse = np.unique(values, return_inverse=True)
    groups = np.zeros((len(values), int(inverse.max()) + 1))
    groups[np.arange(len(values)), inverse] = 1.0
    sizes = weights @ groups
    middle = np.cumsum(sizes, axis=1) - (sizes - 1) / 2
    return np.asarray(middle[:, inverse])


def _concordance(x: Array, y: Array) -> float:
    """C − D, row by row, so that memory stays at n."""
    return float(sum((np.sign(x[i] - x[i + 1 :]) @ np.sign(y[i] - y[i + 1 :])) for i in range(len(x) - 1)))


def _tied_pairs(values: Array) -> float:
    _, ties = np.unique(values, return_counts=True)
    return float((ties * (ties - 1.0)).sum() / 2)


def _tie_sum(values: Array, factor: int, offset: int) -> float:
    """Σ t (t − 1)(factor·t + offset) over groups of tied values."""
    _, ties = np.unique(values, return_counts=True)
    t = ties.astype(float)
    return float((t * (t - 1) * (factor * t + offset)).sum())
