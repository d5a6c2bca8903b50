"""Conger's kappa: Cohen's kappa for several raters, each with margins of their own."""

from __future__ import annotations

from evaluation.science.arrays import Array, cells_total, ratio, weighted

__all__ = ["conger_kappa"]


def conger_kappa(pairs: Array, margins: Array, disagreement: Array) -> Array:
    """κ = 1 − D_o/D_e; D_e is the mean over pairs of different raters of Σ v_ab p_ga p_hb  (Conger 1980; Gwet 2014).

    Parameters
    ----------
    pairs : Array, shape (..., k, k)
        Sum over items with two or more ratings of the item's normalised table of ordered rating pairs.
    margins : Array, shape (..., R, k)
        How often each rater used each level, over all items that the rater rated.
    disagreement : Array, shape (k, k)
        Disagreement weights v.

    Returns
    -------
    Array of shape (...), at most 1; with two raters and nothing missing it is Cohen's κ. NaN where the expected
    disagreement is 0, a rater has no rating, or no item has two ratings.
    """
    raters = margins.shape[-2]
    share = ratio(margins, margins.sum(-1)[..., None])
    pooled = share.sum(-2)
    every = ((pooled @ disagreement) * pooled).sum(-1)
    own = ((share @ disagreement) * share).sum((-2, -1))
    observed = ratio(weighted(pairs, disagreement), cells_total(pairs))
    return 1.0 - ratio(observed * (raters * (raters - 1)), every - own)
