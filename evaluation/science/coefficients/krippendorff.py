"""Krippendorff's alpha for nominal, ordinal and interval scales."""

from __future__ import annotations

from typing import Literal

import numpy as np

from evaluation.science.arrays import Array, ratio, weighted

__all__ = ["Metric", "krippendorff_alpha"]

Metric = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(coincidences: Array, metric: Metric) -> Array:
    """α = 1 − (n − 1) Σ o_ab δ²_ab / Σ n_a n_b δ²_ab  (Krippendorff 2011).

    Parameters
    ----------
    coincidences : Array, shape (..., k, k)
        Coincidence matrix o: an item with m ≥ 2 ratings adds its ordered pairs of ratings, each weighing 1/(m − 1).
        n_a are its margins, n their sum. Items with one rating never enter.
    metric : {"nominal", "ordinal", "interval"}
        δ² = [a ≠ b]; (Σ_{g=a..b} n_g − (n_a + n_b)/2)²; (a − b)² on level indices.

    Returns
    -------
    Array of shape (...), at most 1; NaN where all pairable ratings have one level. A single deviating rating among
    many equal ones gives α near 0 by design: there is too little variation to tell agreement from chance.
    """
    k = coincidences.shape[-1]
    ones, index = np.ones(k), np.arange(k)
    margins = coincidences @ ones
    total = margins @ ones
    if metric == "ordinal":
        # The rank of a level is the middle of its block of tied ratings; δ is the distance between two such ranks.
        middle = np.cumsum(margins, axis=-1) - margins / 2.0
        delta = (middle[..., :, None] - middle[..., None, :]) ** 2
        square = np.ones((k, k))
        observed = weighted(coincidences * delta, square)
        expected = weighted(margins[..., :, None] * margins[..., None, :] * delta, square)
    else:
        gap = np.abs(index[:, None] - index[None, :])
        fixed = (gap > 0).astype(float) if metric == "nominal" else (gap**2).astype(float)
        observed = weighted(coincidences, fixed)
        expected = ((margins @ fixed) * margins) @ ones
    return 1.0 - ratio(observed * (total - 1.0), expected)
