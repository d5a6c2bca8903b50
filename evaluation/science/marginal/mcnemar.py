"""McNemar's test of two raters on two levels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evaluation.science.estimates import TestResult

__all__ = ["mcnemar"]


def mcnemar(table: npt.NDArray[np.int64]) -> TestResult:
    """χ² = (b − c)²/(b + c), without continuity correction  (McNemar 1947).

    Beside it the exact binomial p, min(1, 2 P(X ≤ min(b, c))), and the mid-p (Fagerland et al. 2013).
    Undefined for more than two levels (see Stuart–Maxwell). b + c = 0: statistic 0, p None.
    """
    if table.shape != (2, 2):
        return TestResult.undefined("McNemar's test is for two levels; Stuart-Maxwell and Bowker are for more")
    b, c = int(table[0, 1]), int(table[1, 0])
    m = b + c
    if m == 0:
        return TestResult(0.0, 0, None, 1.0, 1.0, "no discordant items: there is nothing to test", "enumeration")
    from scipy.special import bdtr, chdtrc, gammaln

    value = (b - c) ** 2 / m
    low = min(b, c)
    tail = 2 * float(bdtr(low, m, 0.5))
    point = float(np.exp(gammaln(m + 1) - gammaln(low + 1) - gammaln(m - low + 1) - m * np.log(2.0)))
    exact = 1.0 if b == c else min(1.0, tail)
    mid = 1.0 if b == c else tail - point
    return TestResult(value, 1, float(chdtrc(1, value)), exact, float(np.exp2(1 - m)), None, "enumeration", mid_p=mid)
