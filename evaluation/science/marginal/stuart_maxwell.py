"""Stuart–Maxwell and Bhapkar tests of marginal homogeneity of two raters on k levels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.estimates import TestResult
from evaluation.science.marginal.coin_flips import exact_p
from evaluation.science.marginal.discordance import Discordance
from evaluation.science.marginal.lattice import Lattice
from evaluation.science.marginal.options import ExactOptions

__all__ = ["bhapkar", "stuart_maxwell"]

AGREED = "no discordant items: the two margins are equal and there is nothing to test"


def stuart_maxwell(table: npt.NDArray[np.int64], options: ExactOptions) -> TestResult:
    """χ² = dᵀ V⁺ d with d_a = n_a+ − n_+a  (Stuart 1955; Maxwell 1970).

    V_aa = n_a+ + n_+a − 2 n_aa and V_ab = −(n_ab + n_ba). V is singular by nature, the more so where levels are
    empty or never confused, so V⁺ is the Moore–Penrose inverse and df = rank V = k − (connected components of the
    graph of discordant levels). No level is dropped and no constant is added to any cell.

    Parameters
    ----------
    table : array of int64, shape (k, k)
        First rater in rows, second in columns.

    Returns
    -------
    Asymptotic p; exact p given the number of discordant items of each kind. df = 0: statistic 0, p None.
    """
    discordance = Discordance.of(table)
    df = discordance.levels - discordance.components()
    if df == 0:
        return TestResult(0.0, 0, None, 1.0, 1.0, AGREED, "enumeration")
    from scipy.special import chdtrc

    statistic = _Quadratic(discordance)
    value = float(statistic(discordance.upper[None, :].astype(float))[0])
    exact = exact_p(discordance.totals, discordance.upper, statistic, options, statistic.lattice())
    return TestResult(value, df, float(chdtrc(df, value)), exact.p, discordance.smallest_p(), None, exact.method)


def bhapkar(test: TestResult, n: int) -> TestResult:
    """SM / (1 − SM/n) with n all items  (Bhapkar 1966; Keefe 1982): the Wald form of Stuart–Maxwell.

    A monotone function of the Stuart–Maxwell `test`, hence the same exact p. Undefined where SM = n.
    """
    if test.df == 0 or test.statistic is None:
        return test
    if np.isclose(test.statistic, n, rtol=1e-12):
        return TestResult(
            None,
            test.df,
            None,
            test.exact_p,
            test.min_p,
            "infinite: every item is discordant in a way that the margins fully explain; see the exact p",
            test.exact_method,
        )
    from scipy.special import chdtrc

    value = test.statistic / (1 - test.statistic / n)
    p = float(chdtrc(test.df, value))
    return TestResult(value, test.df, p, test.exact_p, test.min_p, None, test.exact_method)


class _Quadratic:
    """The statistic as a function of the counts above the diagonal; V depends on the totals alone."""

    def __init__(self, discordance: Discordance) -> None:
        pairs, k = len(discordance.totals), discordance.levels
        self.incidence = np.zeros((pairs, k))
        self.incidence[np.arange(pairs), discordance.first] = 1.0
        self.incidence[np.arange(pairs), discordance.second] = -1.0
        self.totals = discordance.totals.astype(float)
        covariance = self.incidence.T @ (self.totals[:, None] * self.incidence)
        self.inverse = np.linalg.pinv(covariance, hermitian=True)

    def __call__(self, upper: Array) -> Array:
        return self._of_differences((2.0 * upper - self.totals) @ self.incidence)

    def lattice(self) -> Lattice | None:
        """The differences of all levels but the last (they sum to 0) as the digits of one key, where that fits."""
        k, reach = self.incidence.shape[1], int(self.totals.sum())
        base = 2 * reach + 1
        if (k - 1) * np.log2(base) > 61:
            return None
        powers = base ** np.arange(k - 1, dtype=np.int64)
        weights = self.incidence[:, :-1].astype(np.int64) @ powers
        terms = [weight * np.arange(int(m) + 1) for weight, m in zip(weights, self.totals, strict=True)]
        centre = self.totals @ self.incidence

        def statistic(keys: npt.NDArray[np.int64]) -> Array:
            digits = (keys[:, None] + reach * powers.sum()) // powers % base - reach
            ups = np.column_stack([digits, -digits.sum(axis=1)])
            return self._of_differences(2.0 * ups - centre)

        return Lattice(terms, statistic)

    def _of_differences(self, differences: Array) -> Array:
        return np.asarray(((differences @ self.inverse) * differences).sum(-1))
