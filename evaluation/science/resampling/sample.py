"""What is resampled: patterns with multiplicities, or whole clusters of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.clusters import Clusters

__all__ = ["Sample"]

_CELLS_A_CHUNK = 4_000_000


@dataclass(frozen=True)
class Sample:
    """Units that are exchangeable under resampling, each a bundle of patterns.

    Attributes
    ----------
    counts : array, shape (P,)
        Items of each pattern.
    multiplicity : array, shape (U,)
        How many units of each kind there are: items of each pattern, or clusters of each composition.
    composition : array, shape (U, P), or None
        Items of each pattern in a unit; None where a unit is one item (the identity).
    """

    counts: npt.NDArray[np.int64]
    multiplicity: npt.NDArray[np.int64]
    composition: Array | None

    @classmethod
    def of(cls, counts: npt.NDArray[np.int64], clusters: Clusters | None = None) -> Sample:
        """Resample items, or whole clusters."""
        if clusters is None:
            return cls(counts, counts, None)
        return cls(counts, clusters.multiplicity, clusters.composition)

    @cached_property
    def without_unit(self) -> Array | None:
        """Pattern counts without one cluster of each kind, (U, P); None where a unit is one item."""
        return None if self.composition is None else np.asarray(self.counts - self.composition)

    @property
    def units(self) -> int:
        return int(self.multiplicity.sum())

    def draws(self, number: int, rng: np.random.Generator, width: int = 1) -> Iterator[Array]:
        """Yield resampled pattern counts, (b, P) at a time, `number` in all; b is small where `width` is large.

        A resample of n units with replacement is one multinomial draw of the unit kinds: O(P) memory, whatever n.
        """
        kinds = len(self.multiplicity)
        chunk = max(1, _CELLS_A_CHUNK // max(kinds, len(self.counts), width))
        shares = self.multiplicity / self.units
        for start in range(0, number, chunk):
            drawn = rng.multinomial(self.units, shares, size=min(chunk, number - start)).astype(float)
            yield drawn if self.composition is None else drawn @ self.composition
