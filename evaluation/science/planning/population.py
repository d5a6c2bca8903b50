"""Populations of items and raters whose linear kappa is known exactly: what plans and coverage studies draw from.

Both are latent class models: an item belongs to a class, and given the class its raters answer independently.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluation.science.arrays import Array
from evaluation.science.coefficients.cohen import cohen_kappa
from evaluation.science.weights import disagreement_weights

__all__ = ["Margin", "Model", "Population", "margin_of", "population"]

Margin = Literal["balanced", "skewed"]
Model = Literal["latent", "mixture"]

_CLASSES = 1000
_HIGHEST_CORRELATION = 1 - 1e-9


@dataclass(frozen=True)
class Population:
    """Exchangeable raters of ordered levels.

    Attributes
    ----------
    weights : Array, shape (C,)
        Share of the items in each class.
    answers : Array, shape (C, k)
        Probability of each level given the class; the same for all raters.
    """

    weights: Array
    answers: Array

    @property
    def levels(self) -> int:
        return int(self.answers.shape[1])

    @property
    def pair_table(self) -> Array:
        """Joint probabilities of two raters' levels, (k, k); symmetric, with the margin of the population."""
        return np.asarray((self.answers.T * self.weights) @ self.answers)

    @property
    def linear_kappa(self) -> float:
        return float(cohen_kappa(self.pair_table, disagreement_weights(self.levels, "linear")))

    def draw(self, items: int, raters: int, samples: int, rng: np.random.Generator) -> Array:
        """Draw level indices, shape (samples, items, raters)."""
        classes = rng.choice(len(self.weights), size=(samples, items), p=self.weights)
        limits = np.cumsum(self.answers, axis=1)[:, :-1]
        uniform = rng.random((samples, items, raters))
        return np.asarray((uniform[..., None] >= limits[classes][:, :, None, :]).sum(-1))


def margin_of(levels: int, margin: Margin) -> Array:
    """Share of each level: all alike, or each 2.5 times as common as the next higher one (64, 26, 10 % for three)."""
    if margin == "balanced":
        return np.full(levels, 1 / levels)
    shares = 2.5 ** -np.arange(levels, dtype=float)
    return np.asarray(shares / shares.sum())


def population(levels: int, kappa: float, *, margin: Margin = "balanced", model: Model = "latent") -> Population:
    """Build a population with this linear kappa.

    Parameters
    ----------
    levels : int
        k, two or more.
    kappa : float
        Linear kappa of any two raters, 0 ≤ κ ≤ 0.99.
    margin : {"balanced", "skewed"}
        How often each level is used, by every rater; see :func:`margin_of`.
    model : {"latent", "mixture"}
        "latent": raters see a common normal trait with error of their own and cut it at the same thresholds, so that
        disagreements are mostly between neighbouring levels; the correlation is solved for κ. The trait takes 1,000
        equally likely values, the quantiles of a normal variable, so that κ is exact and not an integral's estimate.
        "mixture": p_ab = (1 − κ) p_a p_b + κ [a = b] p_a, a rater knows the item's level or guesses: κ under any
        weights, and disagreements as far apart as chance has them.

    Raises
    ------
    ValueError
        If levels or kappa are out of range.
    """
    if levels < 2:
        raise ValueError("agreement needs two levels or more")
    if not 0 <= kappa <= 0.99:
        raise ValueError("the anticipated kappa must lie between 0 and 0.99")
    shares = margin_of(levels, margin)
    if kappa == 0:
        return Population(np.ones(1), shares[None, :])
    if model == "mixture":
        knows = np.sqrt(kappa)
        return Population(shares, knows * np.eye(levels) + (1 - knows) * shares)
    return _latent(shares, kappa)


def _latent(shares: Array, kappa: float) -> Population:
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri

    trait = ndtri((np.arange(_CLASSES) + 0.5) / _CLASSES)
    weights = np.full(_CLASSES, 1 / _CLASSES)
    cuts = ndtri(np.cumsum(shares)[:-1])

    def at(correlation: float) -> Population:
        given = ndtr((cuts - np.sqrt(correlation) * trait[:, None]) / np.sqrt(1 - correlation))
        below = np.column_stack([np.zeros(_CLASSES), given, np.ones(_CLASSES)])
        return Population(weights, np.diff(below, axis=1))

    found = brentq(lambda correlation: at(correlation).linear_kappa - kappa, 0.0, _HIGHEST_CORRELATION, xtol=1e-14)
    return at(float(found))
