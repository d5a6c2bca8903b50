"""All distinct orders of values that may be tied: what an exact permutation test runs through."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array

__all__ = ["arrangement_count", "arrangements"]


def arrangement_count(values: npt.ArrayLike) -> int:
    """n! / Π t!, t the sizes of the groups of equal values."""
    _, ties = np.unique(np.asarray(values), return_counts=True)
    return math.factorial(int(ties.sum())) // math.prod(math.factorial(int(t)) for t in ties)


def arrangements(values: npt.ArrayLike) -> Array:
    """Every distinct order of the values once, shape (count, n); all are equally likely under permutation."""
    distinct, ties = np.unique(np.asarray(values), return_counts=True)
    rows = np.zeros((1, 0), np.int16)
    left = ties[None, :].astype(np.int16)
    for _ in range(int(ties.sum())):
        parent, choice = np.nonzero(left > 0)
        rows = np.column_stack([rows[parent], choice.astype(np.int16)])
        left = left[parent]
        left[np.arange(len(left)), choice] -= 1
    return np.asarray(distinct[rows])
