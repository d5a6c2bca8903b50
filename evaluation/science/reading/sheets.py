"""From the bytes of a file to rows of text cells, whatever wrote it."""

from __future__ import annotations

import codecs
import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from evaluation.science.reading.errors import RatingsFileError

__all__ = ["Sheet", "open_sheet"]

MOST_UNPACKED = 200_000_000  # bytes of a workbook's parts together; shared texts are held in memory
_DELIMITERS = ",;\t|"
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]\s*[\[{\"\]}]")
_INVISIBLE = "\ufeff\u200b\u00a0 \t\r\n"


@dataclass(frozen=True)
class Sheet:
    """A header and the rows under it, each with its number in the file (the header is row 1)."""

    header: tuple[str, ...]
    rows: Iterator[tuple[int, list[str]]]
    format: str
    notices: tuple[str, ...]


def open_sheet(data: bytes, name: str) -> Sheet:
    """Detect the format, the encoding and the delimiter, and read the header.

    Raises
    ------
    RatingsFileError
        If the file is empty, has no header, or is of a kind that cannot be read.
    """
    if not data.strip():
        raise RatingsFileError(f"{name}: the file is empty")
    if data[:4] == b"PK\x03\x04":
        return _workbook(data, name)
    if data[:4] == b"\xd0\xcf\x11\xe0":
        raise RatingsFileError(f"{name}: the old XLS format cannot be read; save it as XLSX or CSV")
    if _JSON.match(data):
        raise RatingsFileError(f"{name}: JSON is not read here; save the ratings as CSV, TSV or XLSX")
    return _delimited(data, name)


def _delimited(data: bytes, name: str) -> Sheet:
    encoding, notices = _encoding(data, name)
    text = io.TextIOWrapper(io.BytesIO(data), encoding=encoding, newline="")
    try:
        first = text.readline()
        while first and not first.strip(_INVISIBLE):
            first = text.readline()
        text.seek(0)
    except UnicodeDecodeError as error:
        raise _not_text(name) from error
    delimiter = _delimiter(first)
    rows = _csv_rows(csv.reader(text, delimiter=delimiter, skipinitialspace=False), name)
    return _with_header(rows, name, f"csv, {encoding}, delimiter {delimiter!r}", notices)


def _encoding(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return encoding, ()
    head = data[:4096]
    if b"\x00" in head:
        # UTF-16 without a mark: in western text every other byte is zero, the second one in little-endian order.
        big, little = head[::2].count(0), head[1::2].count(0)
        if max(big, little) <= max(10 * min(big, little), len(head) // 20):
            raise _not_text(name)
        return ("utf-16-le" if little > big else "utf-16-be"), ()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252", ("the file is not UTF-8; it was read as Windows-1252",)
    return "utf-8", ()


def _not_text(name: str) -> RatingsFileError:
    return RatingsFileError(
        f"{name}: this is not UTF-8, UTF-16 or Windows-1252 text, nor a workbook; save the ratings as CSV, TSV or XLSX"
    )


def _delimiter(line: str) -> str:
    """The separator that the header uses most, outside quotes; a comma where there is none."""
    outside = "".join(line.split('"')[::2])
    counts = {delimiter: outside.count(delimiter) for delimiter in _DELIMITERS}
    best = max(counts, key=lambda delimiter: counts[delimiter])
    return best if counts[best] else ","


def _csv_rows(reader: Iterator[list[str]], name: str) -> Iterator[tuple[int, list[str]]]:
    number = 0
    try:
        for number, cells in enumerate(reader, start=1):
            yield number, cells
    except (csv.Error, UnicodeError) as error:
        raise RatingsFileError(f"{name}: row {number + 1} cannot be read ({error})") from error


def _workbook(data: bytes, name: str) -> Sheet:
    import openpyxl

    with _damage_named(name):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
        if unpacked > MOST_UNPACKED:
            raise RatingsFileError(
                f"{name}: the workbook unpacks to {unpacked:,} bytes; {MOST_UNPACKED:,} are the most. "
                "Save the sheet with the ratings as CSV"
            )
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book.worksheets[0]
    others = [other.title for other in book.worksheets[1:]]
    notices = (f"only the first sheet, {sheet.title!r}, was read (not {', '.join(others)})",) if others else ()
    return _with_header(_workbook_rows(sheet, name), name, "xlsx", notices)


def _workbook_rows(sheet: Any, name: str) -> Iterator[tuple[int, list[str]]]:
    with _damage_named(name):
        for number, values in enumerate(sheet.iter_rows(values_only=True), start=1):
            yield number, [_cell(value) for value in values]


@contextmanager
def _damage_named(name: str) -> Iterator[None]:
    """What the libraries raise at a damaged workbook is of a dozen kinds, none of them documented."""
    try:
        yield
    except RatingsFileError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise RatingsFileError(
            f"{name}: not a workbook that can be read ({reason or type(error).__name__}); "
            "open it in a spreadsheet program and save it again"
        ) from error


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _with_header(rows: Iterator[tuple[int, list[str]]], name: str, kind: str, notices: tuple[str, ...]) -> Sheet:
    number, header = next(
        ((number, titles) for number, cells in rows if any(titles := tuple(c.strip(_INVISIBLE) for c in cells))),
        (0, ()),
    )
    if not header:
        raise RatingsFileError(f"{name}: the file has no header row")
    width = max(column for column, title in enumerate(header, start=1) if title)
    header = header[:width]
    times = Counter(filter(None, header))
    repeated = sorted(title for title, count in times.items() if count > 1)
    if repeated:
        raise RatingsFileError(f"{name}: row {number}: the column name {repeated[0]!r} occurs twice")
    return Sheet(header, _body(rows, len(header), name), kind, notices)


def _body(rows: Iterator[tuple[int, list[str]]], width: int, name: str) -> Iterator[tuple[int, list[str]]]:
    """Rows cut or filled to the header's width; blank rows are passed over."""
    for number, cells in rows:
        if len(cells) != width:
            if any(cell.strip(_INVISIBLE) for cell in cells[width:]):
                raise RatingsFileError(
                    f"{name}: row {number} has {len(cells)} cells, but the header has {width} columns"
                )
            cells = [*cells[:width], *[""] * (width - len(cells))]
        if any(cells):
            yield number, cells
