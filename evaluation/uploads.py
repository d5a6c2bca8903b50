"""Texts from an uploaded CSV file with the columns id, question and text.

The whole file is read before anything is stored: one bad row refuses it, naming file, row and remedy.
"""

import codecs
import csv
import io
from dataclasses import dataclass

from evaluation.errors import UploadError

__all__ = ["TextRow", "read_texts"]

MOST_PROBLEMS = 20
LONGEST_ID, LONGEST_TEXT = 200, 100_000
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class TextRow:
    external_id: str
    question: str
    text: str
    kind: str = "rated"
    feedback: str = ""
    # (key of a criterion, value or label of the level), for practice texts and attention checks.
    expected: tuple[tuple[str, str], ...] = ()


def read_texts(content: bytes, *, name: str = "the file") -> list[TextRow]:
    """The rows of a CSV (comma, semicolon or tab; UTF-8, UTF-16 or Windows-1252), or an UploadError."""
    source = _decode(content, name)
    header = source.lstrip("\r\n").partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    csv.field_size_limit(10 * LONGEST_TEXT)
    reader = csv.reader(io.StringIO(source, newline=""), delimiter=delimiter, strict=True)
    columns: dict[str, int] | None = None
    rows: list[TextRow] = []
    seen: dict[str, int] = {}
    problems: list[str] = []
    try:
        for number, cells in enumerate(reader, start=1):
            if not any(cell.strip() for cell in cells):
                continue
            if columns is None:
                columns = _columns(cells, name, number)
                continue
            row = TextRow(*(_cell(cells, columns.get(column)) for column in ("id", "question", "text")))
            if problem := _problem(row, cells, columns, seen):
                problems.append(f"{name}, row {number}: {problem}")
            seen.setdefault(row.external_id, number)
            rows.append(row)
    except csv.Error as error:
        problems.append(
            f"{name}, line {reader.line_num}: {error}. Put texts into double quotes, and double those inside."
        )
    if columns is None and not problems:
        problems.append(f"{name} is empty. Its first row names the columns: id, question, text.")
    elif not rows and not problems:
        problems.append(f"{name} has column names but no texts.")
    if problems:
        more = len(problems) - MOST_PROBLEMS
        raise UploadError(problems[:MOST_PROBLEMS] + ([f"… and {more} more rows like these."] if more > 0 else []))
    return rows


def _decode(content: bytes, name: str) -> str:
    encoding = next((codec for bom, codec in _BOMS if content.startswith(bom)), None)
    for codec in [encoding] if encoding else ["utf-8", "cp1252"]:
        try:
            return content.decode(codec)
        except UnicodeDecodeError:
            continue
    raise UploadError([f"{name} is in no encoding known here. Save it as UTF-8 (in Excel: CSV UTF-8) and try again."])


def _columns(cells: list[str], name: str, number: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for index, cell in enumerate(cells):
        column = cell.strip().lower()
        if column in {"id", "question", "text"}:
            if column in found:
                raise UploadError([f"{name}, row {number}: two columns are called {column}; rename or delete one."])
            found[column] = index
    if missing := [column for column in ("id", "text") if column not in found]:
        raise UploadError(
            [f"{name}, row {number}: no column {' and no column '.join(missing)}. Name the columns id, question, text."]
        )
    return found


def _cell(cells: list[str], index: int | None) -> str:
    return cells[index].strip() if index is not None and index < len(cells) else ""


def _problem(row: TextRow, cells: list[str], columns: dict[str, int], seen: dict[str, int]) -> str | None:
    if len(cells) <= max(columns.values()) and not row.text:
        return f"only {len(cells)} cells. Is a line break inside a text that stands in no quotes?"
    if not row.external_id:
        return "no id. Give the text a name of its own."
    if row.external_id in seen:
        return (
            f"the id {row.external_id!r} was used in row {seen[row.external_id]} already. Make one of them different."
        )
    if len(row.external_id) > LONGEST_ID:
        return f"the id has {len(row.external_id)} characters; {LONGEST_ID} is the most."
    if not row.text:
        return "no text. Fill it in, or delete the row."
    if len(row.text) > LONGEST_TEXT:
        return f"the text has {len(row.text):,} characters; {LONGEST_TEXT:,} is the most."
    if any("\0" in cell for cell in cells):
        return "a null character. Save the file as UTF-8 text and try again."
    return None
