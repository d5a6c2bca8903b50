"""Ratings of items by raters on one ordered scale: the input of every agreement statistic."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["MISSING", "Level", "RatingsTable"]

MISSING = -1
Level: TypeAlias = str | int | float
Codes: TypeAlias = npt.NDArray[np.int32]
Counts: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RatingsTable:
    """Level indices by item and rater, aligned by item and never by position.

    Attributes
    ----------
    levels : tuple of Level
        All declared levels, lowest first. Order is data: it is never inferred from the labels.
    raters : tuple of str
        One label a column.
    codes : array of int32, shape (rows, raters)
        Level index 0 … k−1, or :data:`MISSING`.
    counts : array of int64, shape (rows,)
        How many items show this row. One for plain ratings; more where a database has already grouped equal rows.
    clusters : array of int64, shape (rows,), or None
        The group (for example the query) that an item belongs to.
    """

    levels: tuple[Level, ...]
    raters: tuple[str, ...]
    codes: Codes
    counts: Counts
    clusters: npt.NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        if self.codes.ndim != 2 or self.codes.shape[1] != len(self.raters):
            raise ValueError(f"codes must have one column for each of the {len(self.raters)} raters")
        if len(set(self.levels)) != len(self.levels):
            raise ValueError("a level is declared twice")
        if self.codes.size and (self.codes.max() >= len(self.levels) or self.codes.min() < MISSING):
            raise ValueError(f"level indices must lie between 0 and {len(self.levels) - 1}, or be {MISSING}")
        if self.counts.shape != (len(self.codes),) or (self.counts < 0).any():
            raise ValueError("counts must hold one number, zero or more, for each row of codes")

    @classmethod
    def from_codes(
        cls,
        codes: npt.ArrayLike,
        *,
        levels: Sequence[Level],
        raters: Sequence[str] | None = None,
        counts: npt.ArrayLike | None = None,
        clusters: Sequence[Hashable] | None = None,
    ) -> RatingsTable:
        """Build from a matrix of level indices (items in rows, raters in columns, -1 for missing).

        With `counts` each row stands for so many items: the result of one ``GROUP BY`` over rating patterns.
        """
        matrix = np.asarray(codes, dtype=np.int32)
        if matrix.ndim != 2:
            raise ValueError("codes must be a matrix: items in rows, raters in columns")
        rows, columns = matrix.shape
        return cls(
            levels=tuple(levels),
            raters=tuple(raters) if raters is not None else tuple(f"r{j + 1}" for j in range(columns)),
            codes=matrix,
            counts=np.ones(rows, np.int64) if counts is None else np.asarray(counts, dtype=np.int64),
            clusters=None if clusters is None else _number_sorted(clusters),
        )

    @classmethod
    def from_long(
        cls,
        items: Sequence[Hashable],
        raters: Sequence[str],
        level_indices: npt.ArrayLike,
        *,
        levels: Sequence[Level],
        clusters: Sequence[Hashable] | None = None,
    ) -> RatingsTable:
        """Build from one row a rating, as ``SELECT item, rater, level_index`` returns it.

        Raises
        ------
        ValueError
            If a rater rated an item twice, or an item lies in two clusters.
        """
        item_of, item_names = _factorise(items)
        rater_of, rater_names = _factorise(raters)
        values = np.asarray(level_indices, dtype=np.int32)
        cell = item_of * max(len(rater_names), 1) + rater_of
        if len(np.unique(cell)) != len(cell):
            raise ValueError("a rater has more than one rating of the same item")
        codes = np.full((len(item_names), len(rater_names)), MISSING, np.int32)
        codes[item_of, rater_of] = values
        groups = None
        if clusters is not None:
            row_group = _number_sorted(clusters)
            groups = np.zeros(len(item_names), np.int64)
            groups[item_of] = row_group
            if (groups[item_of] != row_group).any():
                raise ValueError("an item lies in more than one cluster")
        return cls(
            levels=tuple(levels),
            raters=tuple(str(name) for name in rater_names),
            codes=codes,
            counts=np.ones(len(item_names), np.int64),
            clusters=groups,
        )

    @classmethod
    def from_contingency(
        cls, table: npt.ArrayLike, *, levels: Sequence[Level], raters: Sequence[str] = ("r1", "r2")
    ) -> RatingsTable:
        """Build from a k×k table of counts: first rater in rows, second in columns."""
        matrix = np.asarray(table, dtype=np.int64)
        if matrix.shape != (len(levels), len(levels)):
            raise ValueError(f"the table must be {len(levels)} by {len(levels)}, one row and column a level")
        rows, columns = np.nonzero(matrix)
        return cls.from_codes(
            np.column_stack([rows, columns]), levels=levels, raters=raters, counts=matrix[rows, columns]
        )

    @property
    def items(self) -> int:
        return int(self.counts.sum())

    @property
    def ratings(self) -> int:
        return int(((self.codes != MISSING).sum(axis=1) * self.counts).sum())

    def without_empty(self) -> tuple[RatingsTable, tuple[str, ...], int]:
        """Drop rater columns and items without any rating; return what is left, those raters, and how many items."""
        given = (self.codes != MISSING) & (self.counts > 0)[:, None]
        columns, rows = given.any(axis=0), given.any(axis=1)
        dropped = tuple(rater for rater, kept in zip(self.raters, columns, strict=True) if not kept)
        table = RatingsTable(
            levels=self.levels,
            raters=tuple(rater for rater, kept in zip(self.raters, columns, strict=True) if kept),
            codes=self.codes[rows][:, columns],
            counts=self.counts[rows],
            clusters=None if self.clusters is None else self.clusters[rows],
        )
        return table, dropped, self.items - table.items

    def contingency(self, first: int, second: int) -> Counts:
        """Return the k×k table of two rater columns over the items that both rated."""
        k = len(self.levels)
        a, b = self.codes[:, first], self.codes[:, second]
        both = (a != MISSING) & (b != MISSING)
        cells = np.bincount(a[both] * k + b[both], weights=self.counts[both], minlength=k * k)
        return np.rint(cells).astype(np.int64).reshape(k, k)

    def sha256(self) -> str:
        """Hash of what the figures rest on; the order of items does not matter."""
        digest = hashlib.sha256(repr((self.levels, self.raters)).encode())
        parts: list[npt.NDArray[Any]] = [self.codes, self.counts[:, None]]
        if self.clusters is not None:
            parts.append(self.clusters[:, None])
        rows = np.column_stack(parts).astype(np.int64)
        digest.update(np.ascontiguousarray(rows[np.lexsort(rows.T)]).tobytes())
        return digest.hexdigest()


def _factorise(values: Sequence[Hashable]) -> tuple[npt.NDArray[np.int64], list[Hashable]]:
    """Number the distinct values in order of first appearance."""
    numbers: dict[Hashable, int] = {}
    codes = np.fromiter((numbers.setdefault(v, len(numbers)) for v in values), np.int64, len(values))
    return codes, list(numbers)


def _number_sorted(labels: Sequence[Hashable]) -> npt.NDArray[np.int64]:
    """Number cluster labels by their text, so that the order of the items leaves no trace."""
    numbers = {label: number for number, label in enumerate(sorted(set(labels), key=str))}
    return np.fromiter((numbers[label] for label in labels), np.int64, len(labels))
