"""A coefficient bound to data: its value, its leave-one-out values, its influences and its resampled values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array

__all__ = ["SmoothStatistic", "Statistic"]

_STEP = 1e-30


class Statistic(Protocol):
    """What intervals need to know of a coefficient on P patterns; NaN stands for undefined."""

    def value(self) -> float: ...

    def leave_one_out(self) -> Array:
        """Value without one item of each pattern, shape (P,)."""
        ...

    def influence(self) -> Array:
        """Derivative of the value along the weight of each pattern, shape (P,)."""
        ...

    def at(self, counts: Array) -> Array:
        """Values at other pattern counts, (B, P) → (B,)."""
        ...


@dataclass(frozen=True)
class SmoothStatistic:
    """A function of sums of features over items.

    Attributes
    ----------
    features : array, shape (P, d)
    counts : array, shape (P,)
    function : callable
        Sums (..., d) → values (...).
    """

    features: Array
    counts: npt.NDArray[np.int64]
    function: Callable[[Array], Array]

    @property
    def sums(self) -> Array:
        return np.asarray(self.counts @ self.features)

    def value(self) -> float:
        with np.errstate(all="ignore"):
            return float(self.function(self.sums))

    def leave_one_out(self) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(self.function(self.sums - self.features))

    def influence(self) -> Array:
        # The complex step is exact to machine precision, so that no formula needs a derivative by hand.
        with np.errstate(all="ignore"):
            return np.asarray(self.function(self.sums + 1j * _STEP * self.features).imag / _STEP)

    def at(self, counts: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(self.function(counts @ self.features))
