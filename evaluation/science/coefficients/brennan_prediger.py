"""The Brennan–Prediger coefficient: chance agreement of raters who pick levels uniformly."""

from __future__ import annotations

import numpy as np

from evaluation.science.arrays import Array, cells_total, ratio, weighted

__all__ = ["brennan_prediger"]


def brennan_prediger(pairs: Array, agreement: Array) -> Array:
    """(p_a − p_e)/(1 − p_e) with p_a = Σ w_ab A_ab and p_e = Σ w / k²  (Brennan & Prediger 1981; Gwet 2014).

    Parameters
    ----------
    pairs : Array, shape (..., k, k)
        As for :func:`~evaluation.science.coefficients.exact.exact_agreement`.
    agreement : Array, shape (k, k)
        Agreement weights w over the declared levels: k counts levels that nobody used.

    Returns
    -------
    Array of shape (...), in [−p_e/(1 − p_e), 1]; NaN where no item has two ratings.
    """
    chance = np.asarray(agreement.mean())
    observed = ratio(weighted(pairs, agreement), cells_total(pairs))
    return ratio(observed - chance, np.broadcast_to(1.0 - chance, observed.shape))
