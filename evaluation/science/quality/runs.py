"""Straight-lining: how long one level was given in a row, and how evenly the levels were used."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from evaluation.science.arrays import Array

__all__ = ["chance_of_run", "entropy", "largest_share", "longest_run"]


def longest_run(levels: Sequence[int]) -> tuple[int, int | None]:
    """Length of the longest run of one level, and that level: the long-string index (Johnson 2005).

    Parameters
    ----------
    levels
        Level indices in the order in which they were given.

    Returns
    -------
    (length, level); of equally long runs the first one; (0, None) without a rating.

    References
    ----------
    Johnson, J. A. (2005). Ascertaining the validity of individual protocols from web-based personality inventories.
    Journal of Research in Personality, 39, 103–129.
    """
    runs = [(sum(1 for _ in run), level) for level, run in groupby(levels)]
    return max(runs, key=lambda run: run[0]) if runs else (0, None)


def chance_of_run(shares: Sequence[float], n: int, length: int) -> float:
    """P(some level occurs `length` times in a row among n ratings) where each is drawn by these shares.

    With u_m(j) the probability that a run of level j begins at rating m and no run before was `length` long, and
    w_m(j) = Σ_{l=1}^{length−1} u_{m−l}(j) s_j^{l−1} that of such a run having just ended, a run begins with
    u_m(j) = s_j Σ_{i≠j} w_m(i), where u_1(j) = s_j. None was that long with probability Σ_j w_{n+1}(j). O(n k).

    Parameters
    ----------
    shares
        Non-negative, of sum 1: how often each level is given.
    n, length
        Number of ratings, and length of the run, at least 1.

    Returns
    -------
    Probability in [0, 1]; 0 where length > n.

    Raises
    ------
    ValueError
        If the shares are no distribution or the length is below 1.
    """
    s = np.asarray(shares, float)
    if (s < 0).any() or not np.isclose(s.sum(), 1.0):
        raise ValueError("shares are non-negative and sum to 1")
    if length < 1:
        raise ValueError("a run has at least one rating")
    if length > n:
        return 0.0
    whole = s ** (length - 1)
    begun = np.zeros((n + 2, len(s)))
    begun[1] = s
    ended = np.zeros(len(s))
    for m in range(2, n + 2):
        ended = s * ended + begun[m - 1]
        if m - length >= 1:
            ended -= whole * begun[m - length]
        np.maximum(ended, 0.0, out=ended)
        begun[m] = s * (ended.sum() - ended)
    return float(np.clip(1.0 - ended.sum(), 0.0, 1.0))


def largest_share(counts: Sequence[int]) -> tuple[float | None, int | None]:
    """Share of the level given most often, and that level; (None, None) without a rating."""
    total = sum(counts)
    if not total:
        return None, None
    most = int(np.argmax(counts))
    return counts[most] / total, most


def entropy(counts: Sequence[int]) -> float | None:
    """Shannon entropy of the levels used, H = −Σ p_j log p_j / log k, in [0, 1].

    1 where all k declared levels are used alike, 0 where one is; None without a rating or with fewer than two levels.
    """
    table: Array = np.asarray(counts, float)
    if len(table) < 2 or not table.sum():
        return None
    p = table[table > 0] / table.sum()
    return float(abs(np.sum(p * np.log(p)) / np.log(len(table))))
