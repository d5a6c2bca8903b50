"""Exact agreement: the share of agreeing pairs of ratings."""

from __future__ import annotations

import numpy as np

from evaluation.science.arrays import Array, cells_total, ratio, weighted

__all__ = ["exact_agreement"]


def exact_agreement(pairs: Array) -> Array:
    """Mean over items with two or more ratings of (agreeing pairs of ratings / pairs of ratings).

    Parameters
    ----------
    pairs : Array, shape (..., k, k)
        Sum over items of the item's table of ordered rating pairs, each item's table summing to 1. For two raters
        the plain k×k table serves: the result is then p_o = Σ n_aa / n.

    Returns
    -------
    Array of shape (...), in [0, 1]; NaN where no item has two ratings.
    """
    return ratio(weighted(pairs, np.eye(pairs.shape[-1])), cells_total(pairs))
