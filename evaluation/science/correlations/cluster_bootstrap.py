"""Percentile intervals of rank correlations, resampled by cluster because items are nested."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.correlations.rank import weighted_ranks
from evaluation.science.intervals.bootstrap import percentile

__all__ = ["FEWEST_CLUSTERS", "bootstrap_intervals"]

FEWEST_CLUSTERS = 10
_MOST_KENDALL_ITEMS = 3_000
_CELLS_A_CHUNK = 2_000_000

Interval = tuple[float, float] | None


def bootstrap_intervals(
    x: Array, y: Array, clusters: npt.NDArray[np.int64], *, resamples: int, confidence: float, seed: int
) -> tuple[Interval, Interval]:
    """Intervals of ρ and τ-b over resampled clusters.

    Parameters
    ----------
    x, y : arrays, shape (n,)
    clusters : array of int64, shape (n,)
        At least :data:`FEWEST_CLUSTERS` different ones, or both intervals are None.

    Returns
    -------
    Percentile intervals; None where fewer than half of the resamples are defined, or (τ-b) beyond 3,000 items.
    """
    groups, group_of = np.unique(clusters, return_inverse=True)
    if len(groups) < FEWEST_CLUSTERS or resamples == 0:
        return None, None
    kendall = len(x) <= _MOST_KENDALL_ITEMS
    signs = np.sign(x[:, None] - x[None, :]) * np.sign(y[:, None] - y[None, :]) if kendall else np.zeros((0, 0))
    rhos, taus = [], []
    for weights in _cluster_weights(len(groups), group_of, resamples, seed):
        rhos.append(_weighted_rho(x, y, weights))
        if kendall:
            taus.append(_weighted_tau(x, y, weights, signs))
    rho = percentile(np.concatenate(rhos), confidence)
    return rho, percentile(np.concatenate(taus), confidence) if kendall else None


def _cluster_weights(groups: int, group_of: npt.NDArray[np.intp], resamples: int, seed: int) -> Iterator[Array]:
    rng = np.random.default_rng(seed)
    chunk = max(1, _CELLS_A_CHUNK // len(group_of))
    for start in range(0, resamples, chunk):
        drawn = rng.multinomial(groups, np.full(groups, 1 / groups), size=min(chunk, resamples - start))
        yield drawn[:, group_of].astype(float)


def _weighted_rho(x: Array, y: Array, weights: Array) -> Array:
    total = weights.sum(1, keepdims=True)
    a, b = weighted_ranks(x, weights), weighted_ranks(y, weights)
    a, b = a - (total + 1) / 2, b - (total + 1) / 2
    with np.errstate(all="ignore"):
        spread = (weights * a * a).sum(1) * (weights * b * b).sum(1)
        return np.asarray(np.where(spread > 0, (weights * a * b).sum(1) / np.sqrt(spread), np.nan))


def _weighted_tau(x: Array, y: Array, weights: Array, signs: Array) -> Array:
    pairs = weights.sum(1)
    pairs = pairs * (pairs - 1) / 2
    concordance = ((weights @ signs) * weights).sum(1) / 2
    with np.errstate(all="ignore"):
        spread = (pairs - _weighted_ties(x, weights)) * (pairs - _weighted_ties(y, weights))
        return np.asarray(np.where(spread > 0, concordance / np.sqrt(spread), np.nan))


def _weighted_ties(values: Array, weights: Array) -> Array:
    _, inverse = np.unique(values, return_inverse=True)
    groups = np.zeros((len(values), int(inverse.max()) + 1))
    groups[np.arange(len(values)), inverse] = 1.0
    sizes = weights @ groups
    return np.asarray((sizes * (sizes - 1) / 2).sum(1))
