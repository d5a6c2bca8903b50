"""Cohen's kappa, unweighted and weighted, and the largest value that its margins allow."""

from __future__ import annotations

import numpy as np

from evaluation.science.arrays import Array, cells_total, ratio, weighted

__all__ = ["cohen_kappa", "cohen_kappa_max"]


def cohen_kappa(table: Array, disagreement: Array) -> Array:
    """κ_w = 1 − n Σ v_ab n_ab / Σ v_ab n_a+ n_+b  (Cohen 1960, 1968).

    Parameters
    ----------
    table : Array, shape (..., k, k)
        Counts: first rater in rows, second in columns, over all declared levels.
    disagreement : Array, shape (k, k)
        Disagreement weights v; v = [a ≠ b] gives the unweighted κ.

    Returns
    -------
    Array of shape (...), in [−1, 1]; NaN where the expected disagreement is 0, that is where both raters used one
    and the same level throughout (0/0: neither 0 nor 1). If each rater used one level and the levels differ, κ = 0.
    """
    k = table.shape[-1]
    ones, each = np.ones(k), np.eye(k)
    # Margins by one product over all tables: a product for each small table takes three times as long.
    flat = table.reshape(*table.shape[:-2], k * k)
    rows, columns = flat @ np.repeat(each, k, axis=0), flat @ np.tile(each, (k, 1))
    observed = weighted(table, disagreement) * (rows @ ones)
    expected = ((rows @ disagreement) * columns) @ ones
    return 1.0 - ratio(observed, expected)


def cohen_kappa_max(table: Array) -> Array:
    """(Σ min(p_a+, p_+a) − p_e) / (1 − p_e): the κ of the best table with these margins (Umesh et al. 1989).

    Parameters
    ----------
    table : Array, shape (..., k, k)
        As for :func:`cohen_kappa`.

    Returns
    -------
    Array of shape (...), in [0, 1] and never below κ; 1 where both raters use the levels alike. NaN where κ is
    undefined.
    """
    total = cells_total(table)
    rows, columns = table.sum(-1), table.sum(-2)
    chance = (rows * columns).sum(-1)
    best = np.minimum(rows, columns).sum(-1) * total
    return ratio(best - chance, total * total - chance)
