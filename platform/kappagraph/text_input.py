"""Texts to score, read from text files, tables and JSON lines."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from kappagraph.text_decoding import UndecodableError, decode
from kappagraph.text_json_lines import read_json_lines
from kappagraph.text_other_formats import refusal
from kappagraph.text_source import InputError, InputText, TextSource
from kappagraph.text_table import read_table

__all__ = ["read_texts"]

STANDARD_INPUT = "-"

_JSON_LINES = {".jsonl", ".ndjson", ".json"}
# Delimiters to try, the likeliest first.
_TABLES = {".csv": ",;\t", ".tsv": "\t,;", ".tab": "\t,;"}
_WORKBOOKS = {".xlsx", ".xls", ".ods"}


def read_texts(files: Sequence[str], source: TextSource) -> list[InputText]:
    """Read every text of every file; ``-`` is standard input.

    A text without a column of ids is called by its file, and in a table by its file and row, the header being row 1.

    Raises
    ------
    InputError
        If something cannot be read, or two texts have the same id.
    """
    texts: dict[str, InputText] = {}
    for file in files:
        before = len(texts)
        for text in _read_file(file, source):
            if text.id in texts:
                first = texts[text.id].place
                raise InputError(f"{text.place}: id {text.id!r} was already given to {first}; make ids unique")
            texts[text.id] = text
        if len(texts) == before:
            raise InputError(f"{_name(file)}: there are no texts in it; give at least one row below the header")
    return list(texts.values())


def _read_file(file: str, source: TextSource) -> Iterator[InputText]:
    name = _name(file)
    suffix = Path(file).suffix.lower()
    if suffix in _WORKBOOKS:
        raise InputError(f"{name}: workbooks are not read here; save the sheet as CSV")
    if reason := refusal(file):
        raise InputError(f"{name}: {reason}")
    content = _content(file, name, source.encoding)
    if suffix not in _TABLES and (reason := refusal(file, content)):
        raise InputError(f"{name}: {reason}")
    if suffix == ".txt" or (source.text_column is None and suffix not in {*_JSON_LINES, *_TABLES}):
        yield InputText(file, content, name)
    elif suffix in _JSON_LINES or (suffix not in _TABLES and content.lstrip().startswith("{")):
        yield from read_json_lines(file, name, content, source)
    else:
        yield from read_table(file, name, content, source, _TABLES.get(suffix, ",;\t"))


def _name(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else file


def _content(file: str, name: str, encoding: str | None) -> str:
    try:
        data = sys.stdin.buffer.read() if file == STANDARD_INPUT else Path(file).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{name}: there is no such file; check its name") from None
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
