"""Fleiss' kappa and, for two raters, Scott's pi: one pooled margin for all raters."""

from __future__ import annotations

import numpy as np

from evaluation.science.arrays import Array, cells_total, ratio, weighted

__all__ = ["fleiss_kappa"]


def fleiss_kappa(pairs: Array, prevalence: Array, disagreement: Array) -> Array:
    """κ = 1 − D_o / D_e with D_o = Σ v_ab A_ab and D_e = Σ v_ab π_a π_b  (Scott 1955; Fleiss 1971; Gwet 2014).

    Parameters
    ----------
    pairs : Array, shape (..., k, k)
        Sum over items (two or more ratings) of the item's table of ordered rating pairs, normalised to sum 1.
    prevalence : Array, shape (..., k)
        Sum over items (one or more ratings) of the share of the item's ratings at each level.
    disagreement : Array, shape (k, k)
        Disagreement weights v.

    Returns
    -------
    Array of shape (...), at most 1; NaN where every rating has the same level, or no item has two ratings.
    """
    ones = np.ones(prevalence.shape[-1])
    observed = ratio(weighted(pairs, disagreement), cells_total(pairs))
    expected = ((prevalence @ disagreement) * prevalence) @ ones
    return 1.0 - ratio(observed * (prevalence @ ones) ** 2, expected)
