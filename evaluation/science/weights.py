"""Agreement weights over k ordered levels.

A weight ``w[a, b]`` in [0, 1] says how much a pair of ratings (a, b) counts as agreement; ``1 - w`` is the
disagreement. Distances are between *declared* level indices, so that a level nobody used still takes its place.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from evaluation.science.arrays import Array

__all__ = ["Scheme", "agreement_weights", "disagreement_weights"]

Scheme = Literal["identity", "linear", "quadratic", "ordinal"]


def disagreement_weights(levels: int, scheme: Scheme = "identity") -> Array:
    """Return ``v[a, b] = 1 - w[a, b]``.

    Parameters
    ----------
    levels : int
        Number of declared levels k.
    scheme : {"identity", "linear", "quadratic", "ordinal"}
        identity: v = [a ≠ b]; linear: |a−b|/(k−1); quadratic: (a−b)²/(k−1)²;
        ordinal: C(|a−b|+1, 2)/C(k, 2) (Gwet 2014, section 3.5).

    Returns
    -------
    Array of shape (k, k), symmetric, zero on the diagonal, at most 1.
    """
    index = np.arange(levels)
    distance = np.abs(index[:, None] - index[None, :]).astype(float)
    if scheme == "identity":
        return np.asarray((distance > 0).astype(float))
    if levels < 2:
        return np.zeros((levels, levels))
    if scheme == "linear":
        return np.asarray(distance / (levels - 1))
    if scheme == "quadratic":
        return np.asarray(distance**2 / (levels - 1) ** 2)
    return np.asarray(distance * (distance + 1) / (levels * (levels - 1)))


def agreement_weights(levels: int, scheme: Scheme = "identity") -> Array:
    """Return ``w = 1 - v``; see :func:`disagreement_weights`."""
    return np.asarray(1.0 - disagreement_weights(levels, scheme))
