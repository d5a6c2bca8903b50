"""What an import found: counts by reason, the first rows of each, and a file with all of them."""

import csv
from dataclasses import asdict, dataclass, field
from typing import Any, TextIO

from django.utils.translation import gettext_noop

__all__ = ["ODDITIES", "SKIPPED", "ImportReport", "ProblemLog", "safe_cell"]

SKIPPED = {
    "no_abstract": gettext_noop("no abstract"),
    "placeholder_abstract": gettext_noop("“[No abstract available]” or the like"),
    "no_title": gettext_noop("no title"),
    "doi_twice": gettext_noop("DOI already in an earlier row"),
    "text_twice": gettext_noop("same title and abstract as an earlier row, one of them without a DOI"),
    "doi_in_corpus": gettext_noop("DOI already in the corpus"),
    "text_in_corpus": gettext_noop("same title and abstract already in the corpus, one of them without a DOI"),
}
ODDITIES = {
    "ragged": gettext_noop("more or fewer cells than the header; read from the left"),
    "odd_doi": gettext_noop("what stands under DOI is none; left empty"),
    "odd_year": gettext_noop("what stands under Year is none; left empty"),
    "short_abstract": gettext_noop("abstract of fewer than 20 words"),
}
LISTED = 50
EXAMPLES = 5


@dataclass
class Tally:
    count: int = 0
    rows: list[int] = field(default_factory=list)

    def add(self, row: int) -> None:
        self.count += 1
        if len(self.rows) < LISTED:
            self.rows.append(row)


@dataclass
class ImportReport:
    """`skipped` and `oddities` by reason; an odd row is imported all the same."""

    file_name: str
    layout: str = ""
    encoding: str = ""
    columns: dict[str, str] = field(default_factory=dict)
    missing_columns: list[str] = field(default_factory=list)
    dry_run: bool = True
    rows_read: int = 0
    imported: int = 0
    without_doi: int = 0
    skipped: dict[str, Tally] = field(default_factory=dict)
    oddities: dict[str, Tally] = field(default_factory=dict)
    leading_notices: int = 0
    trailing_notices: int = 0
    notice_examples: list[dict[str, Any]] = field(default_factory=list)

    @property
    def rows_skipped(self) -> int:
        return sum(tally.count for tally in self.skipped.values())

    def skip(self, row: int, reason: str) -> None:
        self.skipped.setdefault(reason, Tally()).add(row)

    def note(self, row: int, oddity: str) -> None:
        self.oddities.setdefault(oddity, Tally()).add(row)

    def note_notices(self, row: int, leading: str, trailing: str) -> None:
        self.leading_notices += bool(leading)
        self.trailing_notices += bool(trailing)
        if (leading or trailing) and len(self.notice_examples) < EXAMPLES:
            self.notice_examples.append({"row": row, "notice": (leading or trailing)[:300]})

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"rows_skipped": self.rows_skipped}


class ProblemLog:
    """Every row that was left out or odd, as CSV that a spreadsheet opens without running anything in it."""

    def __init__(self, file: TextIO | None) -> None:
        self._writer = csv.writer(file) if file else None
        if self._writer:
            self._writer.writerow(["row", "imported", "reason", "detail", "title", "doi"])

    def write(self, *, row: int, reason: str, title: str, doi: str, detail: str = "") -> None:
        if self._writer:
            explained = SKIPPED.get(reason) or ODDITIES[reason]
            imported = "no" if reason in SKIPPED else "yes"
            self._writer.writerow([row, imported, explained, detail, safe_cell(title), safe_cell(doi)])


def safe_cell(text: str) -> str:
    """Text that a spreadsheet takes as text: a leading formula or control character gets an apostrophe."""
    return f"'{text}" if text[:1] and text[:1] in "=+-@\uff1d\uff0b\uff0d\uff20\t\r\n" else text
