"""Size beyond which an exact p is estimated by Monte Carlo, and the seed of that."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ExactOptions"]


@dataclass(frozen=True)
class ExactOptions:
    """Limits of exact computation.

    Attributes
    ----------
    outcomes : int
        Enumerate up to so many outcomes; beyond, draw.
    draws : int
        Monte Carlo draws B; p = (1 + #extreme) / (1 + B).
    seed : int
    """

    outcomes: int = 500_000
    draws: int = 20_000
    seed: int = 0
