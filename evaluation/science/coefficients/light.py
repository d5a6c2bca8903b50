"""Light's kappa: the mean of Cohen's kappa over all pairs of raters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.coefficients.cohen import cohen_kappa
from evaluation.science.ratings import MISSING

__all__ = ["MeanPairwiseKappa"]


@dataclass(frozen=True)
class MeanPairwiseKappa:
    """Mean over the R(R−1)/2 pairs of Cohen's κ_w, each over the items that both rated (Light 1971). Range [−1, 1].

    Undefined where a pair has no common item or an undefined κ. Pairs are taken one after the other, so that memory
    stays at patterns × resamples whatever the number of raters.

    Attributes
    ----------
    rows : array of int32, shape (P, R)
        Distinct rows of level indices.
    counts : array of int64, shape (P,)
    disagreement : Array, shape (k, k)
    """

    rows: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int64]
    disagreement: Array

    @property
    def width(self) -> int:
        return int(self.disagreement.size)

    @cached_property
    def _cells(self) -> list[npt.NDArray[np.int64]]:
        """For each pair, the cell of the k×k table that each pattern falls in; k² where one rating is missing."""
        k = len(self.disagreement)
        cells = []
        for a, b in combinations(range(self.rows.shape[1]), 2):
            first, second = self.rows[:, a], self.rows[:, b]
            both = (first != MISSING) & (second != MISSING)
            cells.append(np.where(both, first * k + second, k * k).astype(np.int64))
        return cells

    def value(self) -> float:
        return float(self.at(self.counts[None, :].astype(float))[0])

    def at(self, counts: Array) -> Array:
        k = len(self.disagreement)
        total = np.zeros(len(counts))
        with np.errstate(all="ignore"):
            for cell in self._cells:
                one_hot = (cell[:, None] == np.arange(k * k)).astype(float)
                total += cohen_kappa((counts @ one_hot).reshape(-1, k, k), self.disagreement)
        return total / len(self._cells)

    def leave_one_out(self) -> Array:
        return self._per_cell(lambda table, unit: cohen_kappa(table - unit, self.disagreement))

    def influence(self) -> Array:
        step = 1e-30
        return self._per_cell(lambda table, unit: cohen_kappa(table + 1j * step * unit, self.disagreement).imag / step)

    def undefined_pairs(self) -> list[tuple[int, int]]:
        """The pairs of columns whose κ is undefined or that share no item."""
        pairs = combinations(range(self.rows.shape[1]), 2)
        return [pair for pair, kappa in zip(pairs, self._kappas(), strict=True) if not np.isfinite(kappa)]

    def _kappas(self) -> list[float]:
        with np.errstate(all="ignore"):
            return [float(cohen_kappa(self._table(cell), self.disagreement)) for cell in self._cells]

    def _table(self, cell: npt.NDArray[np.int64]) -> Array:
        k = len(self.disagreement)
        return np.bincount(cell, weights=self.counts, minlength=k * k + 1)[: k * k].reshape(k, k)

    def _per_cell(self, function: Callable[[Array, Array], Array]) -> Array:
        """Evaluate on the k² + 1 cells a pattern can fall in (the last: not rated by both), then look up."""
        k = len(self.disagreement)
        units = np.vstack([np.eye(k * k), np.zeros(k * k)]).reshape(-1, k, k)
        total = np.zeros(len(self.rows))
        with np.errstate(all="ignore"):
            for cell in self._cells:
                total += function(self._table(cell), units)[cell]
        return total / len(self._cells)
