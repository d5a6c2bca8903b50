"""The public reader: bytes of a ratings file → one table of ratings for each criterion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.science.ratings import MISSING, RatingsTable
from evaluation.science.reading.cells import Cells, collect
from evaluation.science.reading.columns import find_layout
from evaluation.science.reading.errors import RatingsFileError, shown
from evaluation.science.reading.options import ReadOptions, Shape
from evaluation.science.reading.scale import Scale, declare, infer
from evaluation.science.reading.sheets import open_sheet

__all__ = ["CriterionRatings", "RatingsFile", "read_ratings"]

Index = npt.NDArray[np.int64]


@dataclass(frozen=True)
class CriterionRatings:
    """The ratings of one criterion (None where the file has no criterion column), and the names of its items."""

    criterion: str | None
    table: RatingsTable
    items: tuple[str, ...]


@dataclass(frozen=True)
class RatingsFile:
    """What was read, and what a careful person should know about the reading."""

    criteria: tuple[CriterionRatings, ...]
    notices: tuple[str, ...]
    shape: Shape
    format: str


def read_ratings(data: bytes, *, name: str = "ratings", options: ReadOptions | None = None) -> RatingsFile:
    """Read CSV, TSV or XLSX, wide or long.

    Parameters
    ----------
    data : bytes
        The whole file. Encodings: UTF-8 with or without mark, UTF-16, Windows-1252.
    name : str
        How messages call the file.
    options : ReadOptions, optional
        Levels, columns and what to accept; by default all is detected.

    Raises
    ------
    RatingsFileError
        With one line that names the row and the way out.
    """
    options = options or ReadOptions()
    sheet = open_sheet(data, name)
    layout = find_layout(sheet.header, options, name)
    cells = collect(sheet, layout, name)
    if not cells.row:
        raise RatingsFileError(f"{name}: there is a header but no row under it")
    if not layout.item_is_named:
        _check_item_column(cells, sheet.header[layout.item], name)
    notices = list(sheet.notices)
    criteria = [
        _criterion(cells, number, label, layout.cluster is not None, options, name, notices)
        for number, label in _criteria(cells, name)
    ]
    return RatingsFile(tuple(criteria), tuple(notices), layout.shape, sheet.format)


def _criteria(cells: Cells, name: str) -> list[tuple[int, str | None]]:
    labels = cells.criteria.names()
    if not labels:
        return [(-1, None)]
    nameless = np.flatnonzero(np.frombuffer(cells.criterion, np.int64) == -1)
    if len(nameless):
        raise RatingsFileError(f"{name}: row {cells.row[int(nameless[0])]}: the criterion column is empty")
    return list(enumerate(labels))


def _criterion(
    cells: Cells,
    number: int,
    label: str | None,
    clustered: bool,
    options: ReadOptions,
    name: str,
    notices: list[str],
) -> CriterionRatings:
    where = name if label is None else f"{name}, criterion {label!r}"
    here = np.flatnonzero(np.frombuffer(cells.criterion, np.int64) == number)
    value, row = np.frombuffer(cells.value, np.int64)[here], np.frombuffer(cells.row, np.int64)[here]
    scale = _scale(cells, value, row, options, where, notices)
    index = _level_indices(cells, value, row, scale, where)
    items, item = np.unique(np.frombuffer(cells.item, np.int64)[here], return_inverse=True)
    raters, rater = np.unique(np.frombuffer(cells.rater, np.int64)[here], return_inverse=True)
    item_names, rater_names = cells.items.names(), cells.raters.names()

    def describe(cell: int) -> str:
        of_item, of_rater = divmod(cell, len(raters))
        return f"item {shown(item_names[items[of_item]])}, rater {shown(rater_names[raters[of_rater]])},"

    kept = _resolve_duplicates(
        item * len(raters) + rater,
        index,
        row,
        options,
        describe,
        where,
        notices,
    )
    codes = np.full((len(items), len(raters)), MISSING, np.int32)
    codes[item[kept], rater[kept]] = index[kept]
    groups = None
    if clustered:
        groups = _clusters(cells, np.frombuffer(cells.cluster, np.int64)[here], item, row, len(items), where)
    table = RatingsTable.from_codes(
        codes, levels=scale.levels, raters=[rater_names[i] for i in raters.tolist()], clusters=groups
    )
    return CriterionRatings(label, table, tuple(item_names[i] for i in items.tolist()))


def _scale(cells: Cells, value: Index, row: Index, options: ReadOptions, where: str, notices: list[str]) -> Scale:
    if options.levels is not None:
        return declare(options.levels, fold=options.fold)
    used, first = np.unique(value, return_index=True)
    texts = cells.values.names()
    scale = infer(
        {texts[v]: int(row[i]) for v, i in zip(used.tolist(), first.tolist(), strict=True)},
        fold=options.fold,
        where=where,
    )
    listed = ",".join(str(level) for level in scale.levels)
    notices.append(
        f"{where}: no --levels given: the numbers that occur were taken as the scale, {listed}; "
        "declare all levels if some were never used"
    )
    return scale


def _level_indices(cells: Cells, value: Index, row: Index, scale: Scale, where: str) -> npt.NDArray[np.int32]:
    """Each distinct text is looked up once."""
    texts = cells.values.names()
    used, first, inverse = np.unique(value, return_index=True, return_inverse=True)
    indices = np.empty(len(used), np.int32)
    refusals = []
    for position, (code, at) in enumerate(zip(used.tolist(), first.tolist(), strict=True)):
        try:
            indices[position] = scale.index(texts[code])
        except KeyError as refusal:
            refusals.append((int(row[at]), refusal.args[0]))
    if refusals:
        at, message = min(refusals)
        more = f" (and {len(refusals) - 1} more such values)" if len(refusals) > 1 else ""
        raise RatingsFileError(f"{where}: row {at}: {message}{more}")
    return np.asarray(indices[inverse])


def _resolve_duplicates(
    cell: Index,
    index: npt.NDArray[np.int32],
    row: Index,
    options: ReadOptions,
    describe: Callable[[int], str],
    where: str,
    notices: list[str],
) -> Index:
    """Positions of the ratings to keep: one for each cell, the last given; a missing value never displaces one."""
    given = np.flatnonzero(index != MISSING)
    order = given[np.argsort(cell[given], kind="stable")]
    sorted_cells = cell[order]
    last = np.append(sorted_cells[1:] != sorted_cells[:-1], True) if len(order) else np.zeros(0, bool)
    same_cell = ~last[:-1]
    differs = same_cell & (index[order][1:] != index[order][:-1])
    if differs.any() and options.duplicates == "error":
        at = int(np.flatnonzero(differs)[0])
        raise RatingsFileError(
            f"{where}: rows {row[order[at]]} and {row[order[at + 1]]} rate {describe(int(sorted_cells[at]))} "
            "differently; --duplicates last takes the later one"
        )
    repeated = int(same_cell.sum())
    if repeated:
        kind = "the last one was taken" if differs.any() else "all repeat the same value"
        notices.append(f"{where}: {repeated} repeated rating{'s' if repeated > 1 else ''}: {kind}")
    return np.asarray(order[last], np.int64)


def _clusters(cells: Cells, cluster: Index, item: Index, row: Index, items: int, where: str) -> list[str]:
    names = cells.clusters.names()
    groups = np.full(items, -1, np.int64)
    groups[item[::-1]] = cluster[::-1]
    odd = np.flatnonzero(groups[item] != cluster)
    if len(odd):
        first = int(np.flatnonzero(item == item[odd[0]])[0])
        raise RatingsFileError(
            f"{where}: rows {row[first]} and {row[odd[0]]} put one item into two clusters, "
            f"{names[int(cluster[first])]!r} and {names[int(cluster[odd[0]])]!r}"
        )
    return [names[group] for group in groups.tolist()]


def _check_item_column(cells: Cells, title: str, name: str) -> None:
    """A first column that was only assumed to name items must do so."""
    rows = len(cells.row) // max(1, len(cells.raters.rows))
    if rows > 3 and 2 * len(cells.items.rows) * max(1, len(cells.criteria.rows)) <= rows:
        raise RatingsFileError(
            f"{name}: the first column, {title!r}, repeats its values and so does not name the items; "
            "add an item column, or name it with --item COLUMN"
        )
