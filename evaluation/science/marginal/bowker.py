"""Bowker's test of symmetry of the k×k table of two raters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.estimates import TestResult
from evaluation.science.marginal.coin_flips import exact_p
from evaluation.science.marginal.discordance import Discordance
from evaluation.science.marginal.options import ExactOptions

__all__ = ["bowker"]


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
    exact = exact_p(discordance.totals, discordance.upper, statistic, options)
    return TestResult(value, df, float(chdtrc(df, value)), exact.p, discordance.smallest_p(), None, exact.method)
