"""From a row as it stands in a file to what is stored: tidy text, a bare DOI, a year; or why it is left out."""

import re
import unicodedata
from dataclasses import dataclass, field

from corpora.importers.notices import strip_notices
from corpora.importers.records import Record

__all__ = ["Clean", "clean", "normalise_doi", "tidy"]

PLACEHOLDERS = {
    "[no abstract available]",
    "no abstract available",
    "[abstract not available]",
    "abstract not available",
    "[no title available]",
    "no abstract",
    "not available",
    "n/a",
    "na",
    "none",
    "null",
    "nan",
    "-",
    "–",
    "—",
}
DOI_PREFIX = re.compile(r"^(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|(?:info:)?doi[:\s/]\s*)+", re.IGNORECASE)
DOI = re.compile(r"10\.\d{4,9}/\S+")
LONGEST_DOI = 500
SHORT = 20
INVISIBLE = re.compile(r"[\u200b\u2060\ufeff\u00ad]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(slots=True)
class Clean:
    """A row that can be stored, with what was odd about it; or, where `problem` is set, why it cannot."""

    row: int
    title: str
    abstract: str
    doi: str
    authors: str
    year: int | None
    source: str
    problem: str = ""
    oddities: list[str] = field(default_factory=list)
    leading_notice: str = ""
    trailing_notice: str = ""


def clean(record: Record) -> Clean:
    stripped = strip_notices(tidy(record.abstract))
    title = " ".join(tidy(record.title).split())
    result = Clean(
        row=record.row,
        title="" if _is_placeholder(title) else title,
        abstract=stripped.text,
        doi=normalise_doi(record.doi),
        authors=" ".join(tidy(record.authors).split()),
        year=_year(record.year),
        source=" ".join(tidy(record.source).split()),
        leading_notice=stripped.leading,
        trailing_notice=stripped.trailing,
    )
    if _is_placeholder(result.abstract):
        result.problem = "placeholder_abstract"
    elif not result.abstract:
        result.problem = "no_abstract"
    elif not result.title:
        result.problem = "no_title"
    if record.is_ragged:
        result.oddities.append("ragged")
    if record.doi.strip() and not result.doi:
        result.oddities.append("odd_doi")
    if record.year.strip() and result.year is None:
        result.oddities.append("odd_year")
    if not result.problem and len(result.abstract.split()) < SHORT:
        result.oddities.append("short_abstract")
    return result


def tidy(text: str) -> str:
    """Composed Unicode, single spaces, no invisible characters; line breaks between paragraphs are kept."""
    text = INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def normalise_doi(text: str) -> str:
    """Lower case, without a resolver's address or label; empty where it is no DOI."""
    doi = DOI_PREFIX.sub("", tidy(text).strip()).rstrip(".,;").lower()
    return doi if DOI.fullmatch(doi) and len(doi) <= LONGEST_DOI else ""


def _is_placeholder(text: str) -> bool:
    return text.lower().rstrip(".").strip() in PLACEHOLDERS


def _year(text: str) -> int | None:
    match = re.search(r"\b(1[5-9]\d{2}|20\d{2}|21\d{2})\b", text)
    return int(match.group(1)) if match else None
