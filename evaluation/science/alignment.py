"""Two criteria side by side, item by item, whatever the order in which their ratings came."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from evaluation.science.ratings import MISSING, RatingsTable

__all__ = ["align_items"]


def align_items(
    left: RatingsTable, left_items: Sequence[Hashable], right: RatingsTable, right_items: Sequence[Hashable]
) -> tuple[RatingsTable, RatingsTable]:
    """Give both tables one row for each item of either, in one order, as a paired comparison needs them.

    Parameters
    ----------
    left, right : RatingsTable
        One row an item (counts of 1). Levels and raters may differ.
    left_items, right_items : sequences
        Names of the rows. Items that only one table has are missing in the other.

    Returns
    -------
    The two tables; clusters, which must agree where both tables have the item, are those of either.

    Raises
    ------
    ValueError
        If names do not fit the rows or occur twice, a row stands for several items, only one table has clusters, or an
        item lies in two.
    """
    for table, names in ((left, left_items), (right, right_items)):
        if len(names) != len(table.codes) or len(set(names)) != len(names):
            raise ValueError("every row needs a name of its own")
        if (table.counts != 1).any():
            raise ValueError("rows that stand for several items cannot be aligned")
    if (left.clusters is None) != (right.clusters is None):
        raise ValueError("both tables must have clusters, or neither")
    place = {name: row for row, name in enumerate(dict.fromkeys([*left_items, *right_items]))}
    rows = [np.array([place[name] for name in names], np.int64) for names in (left_items, right_items)]
    clusters = _clusters(left, right, rows, len(place))
    return _spread(left, rows[0], len(place), clusters), _spread(right, rows[1], len(place), clusters)


def _spread(
    table: RatingsTable, rows: npt.NDArray[np.int64], items: int, clusters: npt.NDArray[np.int64] | None
) -> RatingsTable:
    codes = np.full((items, len(table.raters)), MISSING, np.int32)
    codes[rows] = table.codes
    return RatingsTable(table.levels, table.raters, codes, np.ones(items, np.int64), clusters)


def _clusters(
    left: RatingsTable, right: RatingsTable, rows: list[npt.NDArray[np.int64]], items: int
) -> npt.NDArray[np.int64] | None:
    """Clusters are numbered within a table: two numbers are one cluster where they share an item."""
    if left.clusters is None or right.clusters is None:
        return None
    both, at_left, at_right = np.intersect1d(rows[0], rows[1], return_indices=True)
    same = dict(zip(right.clusters[at_right].tolist(), left.clusters[at_left].tolist(), strict=True))
    back = dict(zip(left.clusters[at_left].tolist(), right.clusters[at_right].tolist(), strict=True))
    pairs = zip(left.clusters[at_left].tolist(), right.clusters[at_right].tolist(), strict=True)
    if any(same[b] != a or back[a] != b for a, b in pairs):
        raise ValueError(f"one of the {len(both)} common items lies in different clusters")
    fresh = int(left.clusters.max(initial=-1)) + 1
    numbers = {b: same.get(b, fresh + position) for position, b in enumerate(np.unique(right.clusters).tolist())}
    found = np.zeros(items, np.int64)
    found[rows[1]] = [numbers[b] for b in right.clusters.tolist()]
    found[rows[0]] = left.clusters
    return found
