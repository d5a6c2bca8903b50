"""Coefficients of two raters on two levels: PABAK, prevalence index, bias index."""

from __future__ import annotations

from evaluation.science.arrays import Array, cells_total, ratio

__all__ = ["bias_index", "pabak", "prevalence_index"]


def pabak(table: Array) -> Array:
    """2 p_o − 1: κ adjusted for prevalence and bias (Byrt, Bishop & Carlin 1993).

    Parameters
    ----------
    table : Array, shape (..., 2, 2)
        Counts: first rater in rows, second in columns.

    Returns
    -------
    Array of shape (...), in [−1, 1]; NaN where there is no item. It is Brennan–Prediger on two levels.
    """
    return 2.0 * ratio(table[..., 0, 0] + table[..., 1, 1], cells_total(table)) - 1.0


def prevalence_index(table: Array) -> Array:
    """(a − d)/n for the table [[a, b], [c, d]], signed: positive where the first level prevails (Byrt et al. 1993).

    Shapes as for :func:`pabak`; in [−1, 1], NaN where there is no item. Reversing the levels flips the sign.
    """
    return ratio(table[..., 0, 0] - table[..., 1, 1], cells_total(table))


def bias_index(table: Array) -> Array:
    """(b − c)/n for the table [[a, b], [c, d]], signed: positive where the second rates higher (Byrt et al. 1993).

    Shapes as for :func:`pabak`; in [−1, 1], NaN where there is no item. Exchanging the raters flips the sign.
    """
    return ratio(table[..., 0, 1] - table[..., 1, 0], cells_total(table))
