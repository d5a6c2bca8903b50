"""The discordant part of a k×k table, and which levels it connects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Discordance"]


@dataclass(frozen=True)
class Discordance:
    """Off-diagonal counts by unordered pair of levels; pairs without any item are left out.

    Attributes
    ----------
    first, second : arrays of int, shape (g,)
        The two levels of each pair, first < second.
    upper : array of int64, shape (g,)
        Items with the lower level from the first rater and the higher from the second.
    totals : array of int64, shape (g,)
        Items in either direction.
    levels : int
    """

    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    upper: npt.NDArray[np.int64]
    totals: npt.NDArray[np.int64]
    levels: int

    @classmethod
    def of(cls, table: npt.NDArray[np.int64]) -> Discordance:
        a, b = np.triu_indices(len(table), 1)
        totals = table[a, b] + table[b, a]
        used = totals > 0
        a, b = a[used], b[used]
        return cls(a, b, table[a, b], totals[used], len(table))

    @property
    def items(self) -> int:
        return int(self.totals.sum())

    def components(self) -> int:
        """Number of connected components of the graph on levels whose edges are the discordant pairs."""
        parent = list(range(self.levels))

        def root(x: int) -> int:
            while parent[x] != x:
                x = parent[x]
            return x

        for a, b in zip(self.first.tolist(), self.second.tolist(), strict=True):
            parent[root(a)] = root(b)
        return sum(parent[x] == x for x in range(self.levels))

    def smallest_p(self) -> float:
        """The smallest exact p that so few discordant items can reach: 2^(1−m), when all m point one way.

        Every exact p here is at least that, since turning all items round leaves the statistic as it is.
        """
        return float(np.exp2(1.0 - self.items)) if self.items else 1.0
