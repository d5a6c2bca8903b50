"""Bowker's test of symmetry of the k×k table of two raters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.estimates import TestResult
from evaluation.science.marginal.coin_flips import exact_p
from evaluation.science.marginal.discordance import Discordance
from evaluation.science.marginal.lattice import Lattice
from evaluation.science.marginal.options import ExactOptions

__all__ = ["bowker"]

# Terms of the statistic as integers: twelve decimals, finer than the tolerance of the comparison.
_SCALE = 1e12
_MOST_ITEMS = 1_000_000  # the statistic is at most that, and its key fits into 63 bits


def bowker(table: npt.NDArray[np.int64], options: ExactOptions) -> TestResult:
    """χ² = Σ_{a<b} (n_ab − n_ba)² / (n_ab + n_ba) over the pairs that occur  (Bowker 1948).

    df counts the pairs with n_ab + n_ba > 0 only: an empty pair says nothing. df = 0: statistic 0, p None.
    """
    discordance = Discordance.of(table)
    df = len(discordance.totals)
    if df == 0:
        return TestResult(0.0, 0, None, 1.0, 1.0, "no discordant items: there is no asymmetry to test", "enumeration")
    from scipy.special import chdtrc

    totals = discordance.totals.astype(float)

    def statistic(upper: Array) -> Array:
        return np.asarray(((2 * upper - totals) ** 2 / totals).sum(-1))

    value = float(statistic(discordance.upper[None, :].astype(float))[0])
    lattice = _lattice(discordance)
    exact = exact_p(discordance.totals, discordance.upper, statistic, options, lattice)
    return TestResult(value, df, float(chdtrc(df, value)), exact.p, discordance.smallest_p(), None, exact.method)


def _lattice(discordance: Discordance) -> Lattice | None:
    if discordance.items > _MOST_ITEMS:
        return None
    terms = [np.rint(_SCALE * (2 * np.arange(m + 1) - m) ** 2 / m).astype(np.int64) for m in discordance.totals]
    return Lattice(terms, lambda keys: keys / _SCALE)
