"""Texts to score, read from text files, tables and JSON lines."""

import csv
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kappagraph.text_decoding import UndecodableError, decode

__all__ = ["InputError", "InputText", "TextSource", "read_texts"]

STANDARD_INPUT = "-"

_JSON_LINES = {".jsonl", ".ndjson", ".json"}
_TABLES = {".csv": ",;\t", ".tsv": "\t,;", ".tab": "\t,;"}
_WORKBOOKS = {".xlsx", ".xls", ".ods"}


class InputError(ValueError):
    """Input that cannot be scored; the message names the file, the row and the way out."""


@dataclass(frozen=True, slots=True)
class InputText:
    """One text to score."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSource:
    """How to find the texts in files.

    Attributes
    ----------
    text_column, id_column : str or None
        Columns of a table, or keys of JSON objects.
    encoding : str or None
        Of all files; detected unless given.
    """

    text_column: str | None = None
    id_column: str | None = None
    encoding: str | None = None


def read_texts(files: Sequence[str], source: TextSource) -> list[InputText]:
    """Read every text of every file; ``-`` is standard input.

    A text without a column of ids is called by its file, and in a table by its file and row, the header being row 1.

    Raises
    ------
    InputError
        If something cannot be read, or two texts have the same id.
    """
    texts: list[InputText] = []
    places: dict[str, str] = {}
    for file in files:
        before = len(texts)
        for place, text in _read_file(file, source):
            if text.id in places:
                raise InputError(f"{place}: id {text.id!r} was already given to {places[text.id]}; make ids unique")
            places[text.id] = place
            texts.append(text)
        if len(texts) == before:
            raise InputError(f"{_name(file)}: there are no texts in it; give at least one row below the header")
    return texts


def _read_file(file: str, source: TextSource) -> Iterator[tuple[str, InputText]]:
    """Yield each text of a file with its place for messages."""
    name = _name(file)
    suffix = Path(file).suffix.lower()
    if suffix in _WORKBOOKS:
        raise InputError(f"{name}: workbooks are not read here; save the sheet as CSV")
    content = _content(file, name, source.encoding)
    is_text = suffix == ".txt" or (source.text_column is None and suffix not in {*_JSON_LINES, *_TABLES})
    if is_text:
        yield name, InputText(file, content)
    elif suffix in _JSON_LINES or (suffix not in _TABLES and content.lstrip().startswith("{")):
        yield from _read_json_lines(file, name, content, source)
    else:
        yield from _read_table(file, name, content, source, _TABLES.get(suffix, ",;\t"))


def _name(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else file


def _content(file: str, name: str, encoding: str | None) -> str:
    try:
        data = sys.stdin.buffer.read() if file == STANDARD_INPUT else Path(file).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{name}: this is a folder; name the files in it") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror})") from None
    try:
        content, found = decode(data, encoding)
    except UndecodableError as error:
        raise InputError(f"{name}: {error}") from None
    if found == "cp1252":
        print(f"notice: {name} is not UTF-8 and was read as Windows-1252", file=sys.stderr)
    return content


def _read_json_lines(file: str, name: str, content: str, source: TextSource) -> Iterator[tuple[str, InputText]]:
    # Only a line feed ends a line: str.splitlines would also break at separators inside a JSON string.
    for row, line in enumerate(content.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{name}, row {row}"
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise InputError(f"{place}: no valid JSON ({error}); write one object a line") from None
        if not isinstance(entry, dict):
            raise InputError(f"{place}: no JSON object; write one object a line")
        text_key = _required(source.text_column, list(entry), name)
        text = _value(entry, text_key, place)
        if not isinstance(text, str):
            raise InputError(f"{place}: {text_key!r} holds no text; give a string")
        yield place, InputText(_identifier(file, row, place, source, entry), text)


def _read_table(
    file: str, name: str, content: str, source: TextSource, delimiters: str
) -> Iterator[tuple[str, InputText]]:
    # Abstracts can be longer than the csv module's default limit of 128 KiB a cell.
    csv.field_size_limit(2**31 - 1)
    delimiter, columns = _header(name, content, source, delimiters)
    rows = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
    row = 0
    try:
        for row, cells in enumerate(rows, start=1):
            if row == 1 or not any(cell.strip() for cell in cells):
                continue
            place = f"{name}, row {row}"
            if any(cells[len(columns) :]):
                raise InputError(
                    f"{place}: {len(cells)} cells under {len(columns)} columns; put quotes around a text that holds "
                    f"the separator {delimiter!r}"
                )
            entry = dict(zip(columns, cells, strict=False))
            text = _value(entry, _required(source.text_column, columns, name), place)
            yield place, InputText(_identifier(file, row, place, source, entry), str(text))
    except csv.Error as error:
        raise InputError(f"{name}, row {row + 1}: {error}; check the quotes around its texts") from None


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
    for wanted in (_required(source.text_column, columns, name), source.id_column):
        if wanted is not None and columns.count(wanted) != 1:
            fault = "no column is" if wanted not in columns else "more than one column is"
            raise InputError(f"{name}: {fault} called {wanted!r}; there are: {', '.join(columns)}")
    return delimiter, columns


def _required(text_column: str | None, columns: list[str], name: str) -> str:
    if text_column is None:
        raise InputError(f"{name}: say which column holds the texts with --text; there are: {', '.join(columns)}")
    return text_column


def _value(entry: Mapping[str, object], key: str, place: str) -> object:
    if entry.get(key) is None:
        raise InputError(f"{place}: there is no {key!r}; give one or remove the row")
    return entry[key]


def _identifier(file: str, row: int, place: str, source: TextSource, entry: Mapping[str, object]) -> str:
    if source.id_column is None:
        return f"{file}:{row}"
    identifier = _value(entry, source.id_column, place)
    if isinstance(identifier, bool) or not isinstance(identifier, str | int) or not str(identifier).strip():
        raise InputError(f"{place}: {source.id_column!r} is empty or no text or whole number; give the row an id")
    return str(identifier)
