"""Shared inference: p-values from random draws, and their adjustment for many tests."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["TIE_TOLERANCE", "benjamini_hochberg", "holm", "permutation_p", "two_sided_permutation_p"]

#: Draws closer to the observed value than this, relative to the larger of the two, are ties: the same arrangement
#: computed in another order differs by rounding alone, and must not count as more extreme.
TIE_TOLERANCE = 1e-10


def two_sided_permutation_p(observed: float, draws: ArrayLike, *, rounding: float = 0.0) -> float:
    r"""Two-sided p of an observed statistic among draws under the null hypothesis.

    .. math:: p = \min\left(1, 2 \, \frac{\min(1 + \#\{T_b \ge T\},\ 1 + \#\{T_b \le T\})}{B + 1}\right)

    Parameters
    ----------
    observed : float
        T.
    draws : array_like, shape (B,)
        T_b, B at least 1.
    rounding : float
        Absolute difference that is a tie too, for statistics whose true value can be 0. Relative differences up to
        1e-10 always are.

    Returns
    -------
    float
        From 2 / (B + 1) to 1; never 0, since the observed arrangement is one of those possible.

    Raises
    ------
    ValueError
        If there are no draws or a value is not finite.

    References
    ----------
    B. Phipson and G. K. Smyth (2010). Permutation p-values should never be zero. *Statistical Applications in Genetics
    and Molecular Biology* 9(1), 39.
    """
    at_least, at_most, count = _tail_counts(observed, draws, rounding)
    return min(1.0, 2 * min(1 + at_least, 1 + at_most) / (count + 1))


def permutation_p(observed: float, draws: ArrayLike, *, rounding: float = 0.0) -> float:
    r"""One-sided p, large values being extreme: ``(1 + #{T_b ≥ T}) / (B + 1)``.

    Parameters, errors and reference are those of `two_sided_permutation_p`. For a test of a signed statistic in both
    directions pass absolute values.
    """
    at_least, _, count = _tail_counts(observed, draws, rounding)
    return (1 + at_least) / (count + 1)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    r"""Holm's step-down adjustment, which bounds the chance of any false rejection in the family.

    .. math:: \tilde p_{(i)} = \max_{j \le i} \min\left(1, (m - j + 1)\, p_{(j)}\right)

    Parameters
    ----------
    p_values : sequence of float or None
        One family. None marks an undefined test: it stays None and does not count towards m.

    Returns
    -------
    list of float or None
        Adjusted p-values in the order given.

    Raises
    ------
    ValueError
        If a p-value is not in [0, 1].

    References
    ----------
    S. Holm (1979). A simple sequentially rejective multiple test procedure. *Scandinavian Journal of Statistics* 6,
    65-70.
    """
    defined, order = _sorted_family(p_values)
    m = len(order)
    adjusted: list[float | None] = [None] * len(p_values)
    running = 0.0
    for rank, position in enumerate(order):
        running = max(running, min(1.0, (m - rank) * defined[position]))
        adjusted[position] = running
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    r"""Benjamini and Hochberg's step-up adjustment, which bounds the expected share of false rejections.

    .. math:: \tilde p_{(i)} = \min_{j \ge i} \min\left(1, \frac{m}{j}\, p_{(j)}\right)

    Parameters, return value and errors are those of `holm`.

    References
    ----------
    Y. Benjamini and Y. Hochberg (1995). Controlling the false discovery rate. *Journal of the Royal Statistical Society
    B* 57, 289-300.
    """
    defined, order = _sorted_family(p_values)
    m = len(order)
    adjusted: list[float | None] = [None] * len(p_values)
    running = 1.0
    for rank in range(m, 0, -1):
        position = order[rank - 1]
        running = min(running, defined[position] * m / rank)
        adjusted[position] = running
    return adjusted


def _sorted_family(p_values: Sequence[float | None]) -> tuple[dict[int, float], list[int]]:
    defined = {position: p for position, p in enumerate(p_values) if p is not None}
    for p in defined.values():
        if not 0 <= p <= 1:
            raise ValueError(f"a p-value lies in [0, 1] or is None, not {p}")
    return defined, sorted(defined, key=defined.__getitem__)


def _tail_counts(observed: float, draws: ArrayLike, rounding: float) -> tuple[int, int, int]:
    values = np.asarray(draws, dtype=np.float64)
    if values.size == 0:
        raise ValueError("a permutation p needs at least one draw")
    if not (np.isfinite(observed) and np.all(np.isfinite(values))):
        raise ValueError("a permutation p needs finite values: leave undefined draws out")
    allowed = np.maximum(TIE_TOLERANCE * np.maximum(np.abs(values), abs(observed)), rounding)
    ties = np.abs(values - observed) <= allowed
    at_least = int(np.count_nonzero((values > observed) | ties))
    at_most = int(np.count_nonzero((values < observed) | ties))
    return at_least, at_most, values.size
