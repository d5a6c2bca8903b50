"""Texts from a table: CSV or TSV, with a row of column names."""

import csv
import io
import sys
from collections.abc import Iterator

from kappagraph.text_source import InputError, InputText, TextSource, identifier, required, text_key

__all__ = ["read_table"]


def read_table(file: str, name: str, content: str, source: TextSource, delimiters: str) -> Iterator[InputText]:
    """Yield the text of each row, the header being row 1; the delimiter is the one that fits the header.

    Raises
    ------
    InputError
        If a column is missing, quotes do not match, or a row has no text or no id.
    """
    # Abstracts can be longer than the csv module's default limit of 128 KiB a cell.
    csv.field_size_limit(2**31 - 1)
    delimiter, columns = _header(name, content, source, delimiters)
    key = text_key(source, columns, name)
    rows = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
    row = 0
    surplus = []
    try:
        for row, cells in enumerate(rows, start=1):
            if row == 1 or not any(cell.strip() for cell in cells):
                continue
            place = f"{name}, row {row}"
            if any(cells[len(columns) :]):
                if _is_cut(cells, columns.index(key) + 1, len(columns)):
                    raise InputError(
                        f"{place}: {len(cells)} cells under {len(columns)} columns; put quotes around a text that "
                        f"holds the separator {delimiter!r}"
                    )
                surplus.append(row)
            entry = dict(zip(columns, cells, strict=False))
            text = str(required(entry, key, place))
            yield InputText(identifier(source, entry, file, row, place), text, place)
    except csv.Error as error:
        raise InputError(f"{name}, row {row + 1}: {error}; check the quotes around its texts") from None
    if surplus:
        print(
            f"notice: {name}, row {surplus[0]}: more cells than columns (rows like it: {len(surplus)}); the text was "
            f"taken from the column {key!r}",
            file=sys.stderr,
        )


def _header(name: str, content: str, source: TextSource, delimiters: str) -> tuple[str, list[str]]:
    """Return the delimiter under which the wanted column is found, and the columns' names."""
    readings = {}
    for delimiter in delimiters:
        try:
            cells = next(csv.reader(io.StringIO(content, newline=""), delimiter=delimiter), [])
        except csv.Error:
            cells = []
        readings[delimiter] = [cell.strip() for cell in cells]
    delimiter = max(delimiters, key=lambda each: (source.text_column in readings[each], len(readings[each])))
    columns = readings[delimiter]
    if not any(columns):
        raise InputError(f"{name}: the file is empty; its first row should name the columns")
    for wanted in (text_key(source, columns, name), source.id_column):
        if wanted is not None and columns.count(wanted) != 1:
            fault = "no column is" if wanted not in columns else "more than one column is"
            raise InputError(f"{name}: {fault} called {wanted!r}; there are: {', '.join(columns)}")
    return delimiter, columns


def _is_cut(cells: list[str], after: int, columns: int) -> bool:
    """Whether surplus cells come from a separator inside the text, which ends before cell number ``after``.

    Some exports add cells at the end of a row, behind the text; prose that was cut goes on with a space.
    """
    return after == columns or cells[after].startswith(" ")
