"""Coefficients of many simulated studies at once, each with its leave-one-out values."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from evaluation.science.arrays import Array
from evaluation.science.coefficients.cohen import cohen_kappa
from evaluation.science.coefficients.krippendorff import Metric, krippendorff_alpha
from evaluation.science.weights import disagreement_weights

__all__ = ["jackknifed_alpha", "jackknifed_kappa"]


def jackknifed_kappa(codes: Array, levels: int) -> tuple[Array, Array]:
    """Linear kappa, the mean over pairs of raters, and its jackknife standard error.

    Parameters
    ----------
    codes : Array, shape (S, n, R)
        Level indices of S studies, n items, R raters; nothing missing.
    levels : int

    Returns
    -------
    Values and standard errors, each of shape (S,); NaN where undefined. Items in one cell of a pair's table have one
    leave-one-out value, so that a pair costs no more than k² evaluations a study.
    """
    samples, items, raters = codes.shape
    square = levels * levels
    v = disagreement_weights(levels, "linear")
    study = np.arange(samples)[:, None]
    value, without = np.zeros(samples), np.zeros((samples, items))
    pairs = list(combinations(range(raters), 2))
    units = np.eye(square).reshape(square, levels, levels)
    with np.errstate(all="ignore"):
        for a, b in pairs:
            cell = codes[..., a] * levels + codes[..., b]
            tables = np.bincount((study * square + cell).reshape(-1), minlength=samples * square)
            tables = tables.reshape(samples, levels, levels).astype(float)
            value += cohen_kappa(tables, v)
            if items < square:
                without += cohen_kappa(tables[:, None] - units[cell], v)
            else:
                without += cohen_kappa(tables[:, None] - units, v)[study, cell]
    return value / len(pairs), _standard_error(without / len(pairs))


def jackknifed_alpha(codes: Array, levels: int, metric: Metric) -> tuple[Array, Array]:
    """Krippendorff's alpha and its jackknife standard error; arguments and result as above."""
    raters = codes.shape[2]
    given = (codes[..., None] == np.arange(levels)).sum(axis=2).astype(float)
    item = given[..., :, None] * given[..., None, :]
    diagonal = np.arange(levels)
    item[..., diagonal, diagonal] -= given
    item /= raters - 1
    total = item.sum(axis=1)
    with np.errstate(all="ignore"):
        without = krippendorff_alpha(total[:, None] - item, metric)
        return krippendorff_alpha(total, metric), _standard_error(without)


def _standard_error(without: Array) -> Array:
    n = without.shape[1]
    return np.asarray(np.sqrt((n - 1) / n * ((without - without.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)))
