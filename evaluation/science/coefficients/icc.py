"""Intraclass correlations of a single rating, ICC(A,1) and ICC(C,1), from two-way analysis of variance.

They read level indices as equally spaced scores and use the items that every rater rated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.science.arrays import Array, ratio

__all__ = ["ScoreSums", "icc_a1", "icc_a1_interval", "icc_c1", "icc_c1_interval", "icc_ck"]


@dataclass(frozen=True)
class ScoreSums:
    """Sums over n items of scores x_ij by R raters; every field has shape (...), `raters` has (..., R)."""

    items: Array
    squares: Array  # Σ_ij x²
    item_totals: Array  # Σ_i (Σ_j x)²
    raters: Array  # Σ_i x_ij

    def scaled(self) -> tuple[Array, Array, Array]:
        """Sums of squares of items, raters and residual, each times n·R: exact integers for integer scores."""
        r = self.raters.shape[-1]
        grand = self.raters.sum(-1) ** 2
        rows = self.items * self.item_totals - grand
        columns = r * (self.raters**2).sum(-1) - grand
        total = self.items * r * self.squares - grand
        return rows, columns, total - rows - columns

    def mean_squares(self) -> tuple[Array, Array, Array]:
        """Mean squares of items, raters and residual, each times n·R·(n−1)(R−1) so that nothing is divided yet."""
        rows, columns, residual = self.scaled()
        r = self.raters.shape[-1]
        return rows * (r - 1), columns * (self.items - 1), residual


def icc_a1(sums: ScoreSums) -> Array:
    """ICC(A,1) = (MS_R − MS_E) / (MS_R + (R−1) MS_E + R (MS_C − MS_E)/n): two-way random, absolute agreement.

    McGraw & Wong 1996 (Shrout & Fleiss' ICC(2,1)). Between −1 and 1; NaN where no score varies or n < 2.
    """
    rows, columns, error = sums.mean_squares()
    r = sums.raters.shape[-1]
    denominator = rows + (r - 1) * error + ratio(r * (columns - error), sums.items)
    return _guard(rows - error, denominator, sums)


def icc_c1(sums: ScoreSums) -> Array:
    """ICC(C,1) = (MS_R − MS_E) / (MS_R + (R−1) MS_E): two-way mixed, consistency.

    McGraw & Wong 1996 (Shrout & Fleiss' ICC(3,1)). A constant offset between raters costs nothing. NaN where
    neither items nor residual vary, or n < 2.
    """
    rows, _, error = sums.mean_squares()
    r = sums.raters.shape[-1]
    return _guard(rows - error, rows + (r - 1) * error, sums)


def icc_ck(sums: ScoreSums) -> Array:
    """ICC(C,k) = (MS_R − MS_E) / MS_R, the consistency of the mean of the R ratings (Cronbach's α)."""
    rows, _, error = sums.mean_squares()
    return _guard(rows - error, rows, sums)


def icc_c1_interval(sums: ScoreSums, confidence: float) -> tuple[float, float] | None:
    """F interval of ICC(C,1), exact for normal scores (McGraw & Wong 1996, table 7)."""
    from scipy.special import fdtri

    rows, _, error = (float(x) for x in sums.mean_squares())
    n, r = float(sums.items), sums.raters.shape[-1]
    if n < 2 or error <= 0:
        return None
    df1, df2 = n - 1, (n - 1) * (r - 1)
    f = rows / error
    upper_tail = (1 + confidence) / 2
    low, high = f / float(fdtri(df1, df2, upper_tail)), f * float(fdtri(df2, df1, upper_tail))
    return (low - 1) / (low + r - 1), (high - 1) / (high + r - 1)


def icc_a1_interval(sums: ScoreSums, confidence: float) -> tuple[float, float] | None:
    """F interval of ICC(A,1) with Satterthwaite degrees of freedom (McGraw & Wong 1996, table 7)."""
    from scipy.special import fdtri

    rows, columns, error = (float(x) for x in sums.mean_squares())
    n, r = float(sums.items), sums.raters.shape[-1]
    if n < 2 or error <= 0:
        return None
    rho = float(icc_a1(sums))
    if not np.isfinite(rho) or rho >= 1:
        return None
    f_columns = columns / error
    spread = r * rho * f_columns + n * (1 + (r - 1) * rho) - r * rho
    bottom = (n - 1) * r**2 * rho**2 * f_columns**2 + (n * (1 + (r - 1) * rho) - r * rho) ** 2
    if bottom <= 0:
        return None
    df = (r - 1) * (n - 1) * spread**2 / bottom
    upper_tail = (1 + confidence) / 2
    f_low, f_high = float(fdtri(n - 1, df, upper_tail)), float(fdtri(df, n - 1, upper_tail))
    mixed = r * columns + (r * n - r - n) * error
    low = n * (rows - f_low * error) / (f_low * mixed + n * rows)
    high = n * (f_high * rows - error) / (mixed + n * f_high * rows)
    return low, high


def _guard(numerator: Array, denominator: Array, sums: ScoreSums) -> Array:
    """Undefined where nothing varies; the bound is relative, for scores need not be integers."""
    scale = np.abs(sums.items * sums.squares) + 1.0
    enough = (sums.items.real > 1.5) & (np.abs(denominator) > 1e-12 * scale)
    return np.asarray(np.where(enough, numerator / np.where(enough, denominator, 1.0), np.nan))
