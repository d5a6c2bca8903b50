"""Clusters of items as compositions: how many items of each pattern, and how many clusters are made like that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Clusters"]

_CELLS_A_CHUNK = 20_000_000


@dataclass(frozen=True)
class Clusters:
    """Kinds of clusters.

    Attributes
    ----------
    composition : array of float64, shape (U, P)
        Items of each pattern in a cluster of each kind.
    multiplicity : array of int64, shape (U,)
        Clusters of each kind.
    """

    composition: npt.NDArray[np.float64]
    multiplicity: npt.NDArray[np.int64]

    @classmethod
    def of(
        cls, labels: npt.NDArray[np.int64], pattern: npt.NDArray[np.intp], counts: npt.NDArray[np.int64], patterns: int
    ) -> Clusters:
        """Group rows by cluster label; alike clusters are merged chunk by chunk, so that memory follows their kinds."""
        _, cluster = np.unique(labels, return_inverse=True)
        order = np.argsort(cluster, kind="stable")
        cluster, pattern, counts = cluster[order], pattern[order], counts[order]
        number = int(cluster[-1]) + 1 if len(cluster) else 0
        step = max(1, _CELLS_A_CHUNK // max(1, patterns))
        kinds = cls(np.zeros((0, patterns)), np.zeros(0, np.int64))
        for start in range(0, number, step):
            low, high = np.searchsorted(cluster, [start, start + step])
            dense = np.zeros((min(step, number - start), patterns))
            np.add.at(dense, (cluster[low:high] - start, pattern[low:high]), counts[low:high])
            kinds = _merged(
                np.vstack([kinds.composition, dense]),
                np.append(kinds.multiplicity, np.ones(len(dense), np.int64)),
            )
        return kinds

    def mapped(self, columns: npt.NDArray[np.float64]) -> Clusters:
        """Compositions in other patterns (P, Q), without the clusters that hold none of them."""
        composition = self.composition @ columns
        some = composition.any(axis=1)
        return _merged(composition[some], self.multiplicity[some])

    def where(self, keep: npt.NDArray[np.bool_]) -> Clusters:
        """Only these patterns, without the clusters that hold none of them."""
        composition = self.composition[:, keep]
        some = composition.any(axis=1)
        return _merged(composition[some], self.multiplicity[some])


def _merged(composition: npt.NDArray[np.float64], multiplicity: npt.NDArray[np.int64]) -> Clusters:
    kinds, inverse = np.unique(composition, axis=0, return_inverse=True)
    summed = np.bincount(inverse.reshape(-1), weights=multiplicity, minlength=len(kinds))
    return Clusters(kinds, np.rint(summed).astype(np.int64))
