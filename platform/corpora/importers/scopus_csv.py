"""CSV as Scopus exports it, and any other table of records with a Title and an Abstract column.

Read as a stream: quoted fields may hold line breaks, rows may be longer or shorter than the header (exports with
several “Funding Text” columns are), and the delimiter may be a comma, a semicolon or a tab.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.translation import gettext, ngettext

from corpora.importers.columns import LABELS, REQUIRED, find_columns
from corpora.importers.encodings import find_encoding
from corpora.importers.other_formats import EXPORT_CSV, name_format
from corpora.importers.records import Record, Refused

__all__ = ["ScopusCsv"]

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab"}
# The longest field seen in real exports (“References”) is under 100,000 characters.
csv.field_size_limit(2_000_000)
SCOPUS_HEADINGS = {"EID", "Source title", "Link"}


@dataclass
class Table:
    """A recognised table; iterating it reads the file from the start."""

    path: Path
    name: str
    encoding: str
    delimiter: str
    header: list[str]
    positions: dict[str, int]
    layout: str
    columns: dict[str, str] = field(default_factory=dict)
    missing_columns: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Record]:
        width = len(self.header)
        rows = _rows(self.path, self.encoding, self.delimiter, self.name)
        next(rows)  # the header
        for number, cells in rows:

            def cell(name: str, cells: list[str] = cells) -> str:
                position = self.positions.get(name)
                return cells[position] if position is not None and position < len(cells) else ""

            yield Record(
                row=number,
                title=cell("title"),
                abstract=cell("abstract"),
                doi=cell("doi"),
                authors=cell("authors"),
                year=cell("year"),
                source=cell("source"),
                is_ragged=len(cells) != width,
            )


class ScopusCsv:
    def open(self, path: Path, name: str) -> Table:
        with path.open("rb") as file:
            verdict = name_format(file.read(8192))
        if verdict:
            raise Refused(f"{name} {verdict}")
        encoding = find_encoding(path, name)
        delimiter, header, positions = _read_header(path, encoding, name)
        absent = [LABELS[key] for key in LABELS if key not in positions]
        if any(key not in positions for key in REQUIRED):
            raise Refused(_explain_missing(name, header, [LABELS[key] for key in REQUIRED if key not in positions]))
        is_scopus = set(header) >= SCOPUS_HEADINGS or {"Source title", "Abstract", "Title"} <= set(header)
        return Table(
            path=path,
            name=name,
            encoding=encoding,
            delimiter=delimiter,
            header=header,
            positions=positions,
            layout=f"Scopus CSV ({DELIMITERS[delimiter]})" if is_scopus else f"CSV table ({DELIMITERS[delimiter]})",
            columns={LABELS[key]: header[position].strip("\ufeff ") for key, position in positions.items()},
            missing_columns=absent,
        )


def _read_header(path: Path, encoding: str, name: str) -> tuple[str, list[str], dict[str, int]]:
    """The delimiter under which the first row names the most fields we know."""
    found = []
    for delimiter in DELIMITERS:
        _, header = next(_rows(path, encoding, delimiter, name), (0, []))
        found.append((delimiter, header, find_columns(header)))
    return max(found, key=lambda one: (len(one[2]), len(one[1])))


def _rows(path: Path, encoding: str, delimiter: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold anything, numbered as a spreadsheet would: the header is row 1 and empty rows count."""
    with path.open(encoding=encoding, newline="") as file:
        reader = csv.reader(file, delimiter=delimiter)
        number = 0
        try:
            for cells in reader:
                if reader.line_num == 1 and _is_spreadsheet_hint(cells):
                    continue
                number += 1
                if any(cell.strip("\ufeff ") for cell in cells):
                    yield number, cells
        except csv.Error as error:
            raise Refused(
                gettext(
                    "%(file)s, line %(line)d: %(error)s. A quotation mark that opens there is probably never closed; "
                    "mend that line, or export the records again."
                )
                % {"file": name, "line": reader.line_num, "error": error}
            ) from None


def _is_spreadsheet_hint(cells: list[str]) -> bool:
    """Some spreadsheets write `sep=;` above the table, and do not count that line."""
    return bool(cells) and cells[0].strip("\ufeff").lower().startswith("sep=")


def _explain_missing(name: str, header: list[str], missing: list[str]) -> str:
    if len(header) < 2:
        said = gettext("%(file)s is not a CSV table: its first line has a single column.") % {"file": name}
        return f"{said} {gettext(EXPORT_CSV)}"
    shown = ", ".join(heading.strip("\ufeff ")[:40] or gettext("(empty)") for heading in header[:8])
    if len(header) > 8:
        shown = gettext("%(columns)s and %(number)d more") % {"columns": shown, "number": len(header) - 8}
    said = ngettext(
        "%(file)s has no %(missing)s column; its columns are %(columns)s.",
        "%(file)s has no %(missing)s columns; its columns are %(columns)s.",
        len(missing),
    )
    lacking = gettext(" and no ").join(missing)
    return f"{said % {'file': name, 'missing': lacking, 'columns': shown}} {gettext(EXPORT_CSV)}"
