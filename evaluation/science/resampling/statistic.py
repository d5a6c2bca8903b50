"""A coefficient bound to data: its value, its leave-one-out values, its influences and its resampled values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array

__all__ = ["Features", "SmoothStatistic", "Statistic"]

_STEP = 1e-30


class Statistic(Protocol):
    """What intervals need to know of a coefficient on P patterns; NaN stands for undefined."""

    @property
    def width(self) -> int:
        """Numbers that one resample needs at a time."""
        ...

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


class Features:
    """A feature matrix (P, d) that several coefficients share: the sums of one batch of resamples are taken once."""

    def __init__(self, matrix: Array) -> None:
        self.matrix = matrix
        self._counts: Array | None = None
        self._sums: Array = np.zeros(0)

    def sums(self, counts: Array) -> Array:
        """(B, P) → (B, d); remembers the last batch, by identity."""
        if counts is not self._counts:
            self._sums = np.asarray(counts @ self.matrix)
            self._counts = counts
        return self._sums


@dataclass(frozen=True)
class SmoothStatistic:
    """A function of sums of features over items.

    Attributes
    ----------
    features : Features
        Of P patterns, d each.
    counts : array, shape (P,)
    function : callable
        Sums (..., d) → values (...).
    """

    features: Features
    counts: npt.NDArray[np.int64]
    function: Callable[[Array], Array]

    @property
    def width(self) -> int:
        return int(self.features.matrix.shape[1])

    @property
    def sums(self) -> Array:
        return np.asarray(self.counts @ self.features.matrix)

    def value(self) -> float:
        with np.errstate(all="ignore"):
            return float(self.function(self.sums))

    def leave_one_out(self) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(self.function(self.sums - self.features.matrix))

    def influence(self) -> Array:
        # The complex step is exact to machine precision, so that no formula needs a derivative by hand.
        with np.errstate(all="ignore"):
            return np.asarray(self.function(self.sums + 1j * _STEP * self.features.matrix).imag / _STEP)

    def at(self, counts: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(self.function(self.features.sums(counts)))
