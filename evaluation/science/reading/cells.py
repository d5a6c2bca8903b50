"""A ratings file as columns of numbers: each distinct text is kept once."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from evaluation.science.reading.columns import Layout
from evaluation.science.reading.errors import RatingsFileError
from evaluation.science.reading.sheets import Sheet

__all__ = ["Cells", "Texts", "collect"]

_INVISIBLE = "\ufeff\u200b\u00a0 \t\r\n"


@dataclass
class Texts:
    """Distinct texts in order of appearance, numbered, each with the row where it first occurs."""

    numbers: dict[str, int] = field(default_factory=dict)
    rows: list[int] = field(default_factory=list)

    def code(self, text: str, row: int) -> int:
        found = self.numbers.get(text)
        if found is None:
            found = self.numbers[text] = len(self.rows)
            self.rows.append(row)
        return found

    def names(self) -> list[str]:
        return list(self.numbers)


@dataclass
class Cells:
    """One entry a cell that may hold a rating, as codes into the distinct texts."""

    items: Texts = field(default_factory=Texts)
    raters: Texts = field(default_factory=Texts)
    values: Texts = field(default_factory=Texts)
    criteria: Texts = field(default_factory=Texts)
    clusters: Texts = field(default_factory=Texts)
    item: array[int] = field(default_factory=lambda: array("q"))
    rater: array[int] = field(default_factory=lambda: array("q"))
    value: array[int] = field(default_factory=lambda: array("q"))
    criterion: array[int] = field(default_factory=lambda: array("q"))
    cluster: array[int] = field(default_factory=lambda: array("q"))
    row: array[int] = field(default_factory=lambda: array("q"))

    def add(self, row: int, item: str, rater: int, value: str, criterion: int, cluster: int) -> None:
        self.item.append(self.items.code(item, row))
        self.rater.append(rater)
        self.value.append(self.values.code(value, row))
        self.criterion.append(criterion)
        self.cluster.append(cluster)
        self.row.append(row)


def collect(sheet: Sheet, layout: Layout, name: str) -> Cells:
    """Read all rows. Names of items, raters, criteria and clusters lose stray spaces; values keep theirs."""
    cells = Cells()
    if layout.shape == "wide":
        columns = [(column, cells.raters.code(sheet.header[column], 1)) for column in layout.raters]
    for row, texts in sheet.rows:
        item = texts[layout.item].strip(_INVISIBLE)
        if not item:
            if not any(text.strip(_INVISIBLE) for text in texts):
                continue
            raise RatingsFileError(f"{name}: row {row}: the item column {sheet.header[layout.item]!r} is empty")
        criterion = _optional(cells.criteria, texts, layout.criterion, row)
        cluster = _optional(cells.clusters, texts, layout.cluster, row)
        if cluster == -1 and layout.cluster is not None:
            raise RatingsFileError(f"{name}: row {row}: the cluster column is empty")
        if layout.shape == "wide":
            for column, rater in columns:
                cells.add(row, item, rater, texts[column], criterion, cluster)
        else:
            assert layout.value is not None  # noqa: S101 - a long layout has one
            rater_name = texts[layout.raters[0]].strip(_INVISIBLE)
            if not rater_name:
                raise RatingsFileError(f"{name}: row {row}: the rater column is empty")
            rater = cells.raters.code(rater_name, row)
            cells.add(row, item, rater, texts[layout.value], criterion, cluster)
    return cells


def _optional(texts: Texts, cells: list[str], column: int | None, row: int) -> int:
    if column is None:
        return -1
    text = cells[column].strip(_INVISIBLE)
    return texts.code(text, row) if text else -1
