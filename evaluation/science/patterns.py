"""Distinct rows of ratings with their multiplicities: what every resample and jackknife runs over.

Two items with the same ratings cannot be told apart by any coefficient, so that n items reduce to P patterns and
the cost of resampling does not grow with n.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.science.clusters import Clusters
from evaluation.science.ratings import MISSING, RatingsTable

__all__ = ["Patterns", "level_counts", "rating_patterns"]


@dataclass(frozen=True)
class Patterns:
    """Distinct rows `rows` (P, R) with multiplicities `counts` (P,) and, with clusters, which hold how many of each.

    `clusters` is None where every item stands for itself.
    """

    rows: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int64]
    clusters: Clusters | None

    def where(self, keep: npt.NDArray[np.bool_]) -> Patterns:
        """Only these patterns; clusters left without any item go too."""
        clusters = None if self.clusters is None else self.clusters.where(keep)
        return Patterns(self.rows[keep], self.counts[keep], clusters)

    @property
    def items(self) -> int:
        return int(self.counts.sum())


def rating_patterns(table: RatingsTable) -> Patterns:
    """Reduce a table to its distinct rows, in an order that does not depend on that of the items."""
    rows, inverse = _unique_rows(table.codes, len(table.levels) + 1)
    counts = np.rint(np.bincount(inverse, weights=table.counts, minlength=len(rows))).astype(np.int64)
    clusters = None
    if table.clusters is not None:
        clusters = Clusters.of(table.clusters, inverse, table.counts, len(rows))
    return Patterns(rows, counts, clusters)


def level_counts(rows: npt.NDArray[np.int32], levels: int) -> npt.NDArray[np.int64]:
    """Count the ratings of each row at each level: (P, R) → (P, k)."""
    return np.stack([(rows == level).sum(axis=1) for level in range(levels)], axis=1).astype(np.int64)


def _unique_rows(codes: npt.NDArray[np.int32], base: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
    """``np.unique(axis=0)``, by one integer key a row where the row fits into 63 bits."""
    width = codes.shape[1]
    if width * np.log2(max(base, 2)) < 62:
        keys = np.zeros(len(codes), np.int64)
        for column in range(width):
            keys *= base
            keys += codes[:, column] - MISSING
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        return codes[first], inverse
    rows, inverse = np.unique(codes, axis=0, return_inverse=True)
    return rows, inverse.reshape(-1)
