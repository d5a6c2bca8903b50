"""Is one of two raters stricter? Wilcoxon's signed-rank test and the sign test on level indices."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.estimates import TestResult
from evaluation.science.marginal.coin_flips import exact_p
from evaluation.science.marginal.lattice import Lattice
from evaluation.science.marginal.options import ExactOptions

__all__ = ["sign_shift", "wilcoxon_shift"]

NO_SHIFT = "no discordant items: neither rater is ever above the other"


def wilcoxon_shift(table: npt.NDArray[np.int64], options: ExactOptions) -> TestResult:
    """W+ = sum of the mid-ranks of |d| where d = first − second > 0, zeros dropped  (Wilcoxon 1945).

    p: normal approximation with the variance Σ r²/4 of tied ranks, no continuity correction. exact_p: two-sided over
    all sign flips. It ranks differences of level indices, so it takes levels as equally spaced. df is None.
    """
    up, total = _by_distance(table)
    m = int(total.sum())
    if m == 0:
        return TestResult(0.0, None, None, 1.0, 1.0, NO_SHIFT, "enumeration")
    from scipy.special import ndtr

    used = total > 0
    up, total = up[used], total[used]
    ranks = np.cumsum(total) - (total - 1) / 2.0
    centre = float(ranks @ total) / 2

    def distance(counts: Array) -> Array:
        return np.abs(counts @ ranks - centre)

    value = float(ranks @ up)
    z = (value - centre) / float(np.sqrt((ranks**2) @ total / 4))
    # Ranks are halves at most, so that twice W+ is an integer with few values.
    doubled = np.rint(2 * ranks).astype(np.int64)
    lattice = Lattice(
        [rank * np.arange(t + 1) for rank, t in zip(doubled, total, strict=True)],
        lambda keys: np.abs(keys / 2 - centre),
    )
    exact = exact_p(total, up, distance, options, lattice)
    return TestResult(value, None, float(2 * ndtr(-abs(z))), exact.p, float(np.exp2(1 - m)), None, exact.method)


def sign_shift(table: npt.NDArray[np.int64]) -> TestResult:
    """Number of items on which the first rater is above the second, against Binomial(m, ½)  (Arbuthnott's sign test).

    The shift test that needs the order of the levels only. p: normal approximation; exact_p: two-sided binomial.
    """
    up, total = _by_distance(table)
    above, m = int(up.sum()), int(total.sum())
    if m == 0:
        return TestResult(0.0, None, None, 1.0, 1.0, NO_SHIFT, "enumeration")
    from scipy.special import bdtr, ndtr

    z = (2 * above - m) / float(np.sqrt(m))
    exact = min(1.0, 2 * float(bdtr(min(above, m - above), m, 0.5)))
    return TestResult(float(above), None, float(2 * ndtr(-abs(z))), exact, float(np.exp2(1 - m)), None, "enumeration")


def _by_distance(table: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """For |d| = 1 … k−1: items with the first rater above the second, and items in either direction."""
    k = len(table)
    above = np.array([np.trace(table, offset=-d) for d in range(1, k)], dtype=np.int64)
    below = np.array([np.trace(table, offset=d) for d in range(1, k)], dtype=np.int64)
    return above, above + below
