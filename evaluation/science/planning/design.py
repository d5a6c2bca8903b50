"""What a study is planned with."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.science.planning.population import Margin, Model

__all__ = ["MOST_RATERS", "Design"]

MOST_RATERS = 20
_MOST_LEVELS = 20


@dataclass(frozen=True)
class Design:
    """Raters who all rate the same items, and what is expected of them.

    Attributes
    ----------
    raters : int
        Ratings that each item gets, 2 … 20. Where raters take turns, the number a single item gets.
    levels : int
        Declared levels, 2 … 20.
    kappa : float
        Anticipated linear kappa of two raters, 0 … 0.99.
    margin : {"balanced", "skewed"}
        How the levels are used.
    model : {"latent", "mixture"}
        Where disagreements fall; see :func:`~evaluation.science.planning.population.population`.
    confidence : float
    """

    raters: int = 2
    levels: int = 3
    kappa: float = 0.5
    margin: Margin = "balanced"
    model: Model = "latent"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if not 2 <= self.raters <= MOST_RATERS:
            raise ValueError(f"a plan takes 2 to {MOST_RATERS} raters an item")
        if not 2 <= self.levels <= _MOST_LEVELS:
            raise ValueError(f"a plan takes 2 to {_MOST_LEVELS} levels")
        if not 0 <= self.kappa <= 0.99:
            raise ValueError("the anticipated kappa must lie between 0 and 0.99")
        if not 0 < self.confidence < 1:
            raise ValueError("the confidence must lie between 0 and 1")
