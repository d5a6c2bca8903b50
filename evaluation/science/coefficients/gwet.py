"""Gwet's AC1 and AC2: chance agreement that does not rise with skewed margins."""

from __future__ import annotations

import numpy as np

from evaluation.science.arrays import Array, cells_total, ratio, weighted

__all__ = ["gwet_ac"]


def gwet_ac(pairs: Array, prevalence: Array, agreement: Array) -> Array:
    """(p_a − p_e)/(1 − p_e), p_a = Σ w_ab A_ab, p_e = T_w Σ π_a (1 − π_a) / (k (k − 1)), T_w = Σ w  (Gwet 2008, 2014).

    Parameters
    ----------
    pairs, prevalence
        As for :func:`~evaluation.science.coefficients.fleiss.fleiss_kappa`.
    agreement : Array, shape (k, k)
        Agreement weights w over the declared levels; the identity gives AC1.

    Returns
    -------
    Array of shape (...), at most 1. With two or more declared levels p_e < 1, so that it is undefined (NaN) only
    where no item has two ratings; agreement on one level throughout is 1.
    """
    k = agreement.shape[0]
    observed = ratio(weighted(pairs, agreement), cells_total(pairs))
    ones = np.ones(k)
    total = prevalence @ ones
    # Σ π (1 − π) = 1 − Σ π²
    chance = agreement.sum() / (k * (k - 1)) * (1.0 - ratio((prevalence * prevalence) @ ones, total * total))
    return ratio(observed - chance, 1.0 - chance)
