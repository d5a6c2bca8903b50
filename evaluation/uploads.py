"""Texts from an uploaded CSV file or workbook.

Columns: id, question and text; for practice texts and attention checks also kind, feedback, and an expected level for
each criterion (`expected: meaningfulness`). The whole file is read before anything is stored: one bad row refuses it,
naming file, row and remedy.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from evaluation.encodings import decode
from evaluation.errors import UploadError
from evaluation.science.reading.errors import RatingsFileError
from evaluation.science.reading.sheets import open_sheet
from evaluation.text_rows import LONGEST_TEXT, TextRow, check_row

__all__ = ["MOST_PROBLEMS", "TextRow", "read_texts"]

MOST_PROBLEMS = 20
WORKBOOK = b"PK\x03\x04"
_EXPECTED = re.compile(r"expected\s*[:\s_-]\s*(\S.*)", re.IGNORECASE)


@dataclass(frozen=True)
class _Columns:
    named: dict[str, int]
    expected: tuple[tuple[str, int], ...]

    @property
    def last(self) -> int:
        return max([*self.named.values(), *(index for _key, index in self.expected)])


def read_texts(content: bytes, *, name: str = "the file") -> list[TextRow]:
    """The rows of a CSV (comma, semicolon or tab; UTF-8, UTF-16 or Windows-1252) or an XLSX, or an UploadError."""
    columns: _Columns | None = None
    rows: list[TextRow] = []
    seen: dict[str, int] = {}
    problems: list[str] = []
    source = _workbook_rows(content, name) if content.startswith(WORKBOOK) else _csv_rows(content, name)
    try:
        for number, cells in source:
            if not any(cell.strip() for cell in cells):
                continue
            place = _("{file}, row {number}").format(file=name, number=number)
            if columns is None:
                columns = _columns(cells, place)
                continue
            row = _row(cells, columns, place)
            if problem := _cells_problem(row, cells, columns) or _id_problem(row, seen) or check_row(row):
                problems.append(f"{place}: {problem}")
            seen.setdefault(row.external_id, number)
            rows.append(row)
    except _Unreadable as error:
        problems.append(str(error))
    if columns is None and not problems:
        problems.append(_("{file} is empty. Its first row names the columns: id, question, text.").format(file=name))
    elif not rows and not problems:
        problems.append(_("{file} has column names but no texts.").format(file=name))
    if problems:
        more = len(problems) - MOST_PROBLEMS
        rest = [_("… and {count} more rows like these.").format(count=more)] if more > 0 else []
        raise UploadError(problems[:MOST_PROBLEMS] + rest)
    return rows


class _Unreadable(Exception):
    """The file breaks off here; the message names the line."""


def _csv_rows(content: bytes, name: str) -> Iterator[tuple[int, list[str]]]:
    source = decode(content, name=name)
    header = source.lstrip("\r\n").partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    csv.field_size_limit(10 * LONGEST_TEXT)
    reader = csv.reader(io.StringIO(source, newline=""), delimiter=delimiter, strict=True)
    try:
        yield from enumerate(reader, start=1)
    except csv.Error as error:
        raise _Unreadable(
            _("{file}, line {line}: {error}. Put texts into double quotes, and double those inside.").format(
                file=name, line=reader.line_num, error=error
            )
        ) from error


def _workbook_rows(content: bytes, name: str) -> Iterator[tuple[int, list[str]]]:
    """The first sheet of a workbook, its header in front."""
    try:
        sheet = open_sheet(content, name)
        yield 1, list(sheet.header)
        yield from sheet.rows
    except RatingsFileError as error:
        raise _Unreadable(str(error)) from error


def _columns(cells: list[str], place: str) -> _Columns:
    found: dict[str, int] = {}
    expected: dict[str, int] = {}
    for index, cell in enumerate(cells):
        column = cell.strip().lower()
        if criterion := _EXPECTED.fullmatch(column):
            among, column = expected, criterion[1]
        elif column in {"id", "question", "text", "kind", "feedback"}:
            among = found
        else:
            continue
        if column in among:
            raise UploadError(
                [
                    _("{place}: two columns are called {column}; rename or delete one.").format(
                        place=place, column=column
                    )
                ]
            )
        among[column] = index
    if missing := [column for column in ("id", "text") if column not in found]:
        lacks = _(" and ").join(_("no column {column}").format(column=column) for column in missing)
        raise UploadError(
            [_("{place}: {lacks}. Name the columns id, question, text.").format(place=place, lacks=lacks)]
        )
    return _Columns(found, tuple(expected.items()))


def _row(cells: list[str], columns: _Columns, place: str) -> TextRow:
    def cell(index: int | None) -> str:
        return cells[index].strip() if index is not None and index < len(cells) else ""

    of = columns.named.get
    return TextRow(
        external_id=cell(of("id")),
        question=cell(of("question")),
        text=cell(of("text")),
        kind=cell(of("kind")).lower().removesuffix(" check") or "rated",
        feedback=cell(of("feedback")),
        expected=tuple((key, level) for key, index in columns.expected if (level := cell(index))),
        place=place,
    )


def _cells_problem(row: TextRow, cells: list[str], columns: _Columns) -> str | None:
    if len(cells) <= columns.last and not row.text:
        return _("only {count} cells. Is a line break inside a text that stands in no quotes?").format(count=len(cells))
    if any("\0" in cell for cell in cells):
        return _("a null character. Save the file as UTF-8 text and try again.")
    return None


def _id_problem(row: TextRow, seen: dict[str, int]) -> str | None:
    if row.external_id and row.external_id in seen:
        return _("the id '{id}' was used in row {row} already. Make one of them different.").format(
            id=row.external_id, row=seen[row.external_id]
        )
    return None
