"""Files that are neither texts nor tables, told apart by name and beginning, so that a refusal can name them."""

import re
from pathlib import PurePath

__all__ = ["refusal"]

_BY_NAME = {
    ".ris": "a RIS file",
    ".bib": "a BibTeX file",
    ".nbib": "a PubMed file in MEDLINE format",
    ".isi": "a Web of Science file",
    ".ciw": "a Web of Science file",
    ".enw": "an EndNote file",
    ".xml": "XML",
    ".html": "a web page",
    ".htm": "a web page",
    ".pdf": "a PDF",
    ".doc": "a Word file",
    ".docx": "a Word file",
    ".odt": "an OpenDocument file",
    ".zip": "an archive",
    ".gz": "compressed",
}
_BY_BEGINNING = (
    (r"(?:[^\n]*\n){0,4}?\s*TY  - ", "a RIS file"),
    (r"(?:[^\n]*\n){0,9}?\s*@\w+\s*\{[^\s,]*,", "a BibTeX file"),
    (r"\s*PMID ?- ", "a PubMed file in MEDLINE format"),
    (r"\s*FN .*\r?\nVR ", "a Web of Science file"),
    (r"\s*(?:<!DOCTYPE|<html)", "a web page"),
    (r"\s*<\?xml", "XML"),
    (r"\s*\[\s*[\"{\[\]]", "a JSON array"),
)
_REMEDIES = {
    "a JSON array": "write one object a line (JSON lines) and name the key of the texts with --text",
    "an archive": "unpack it first",
    "compressed": "unpack it first",
    "a web page": "save the text alone as .txt",
    "a PDF": "save the text alone as .txt",
    "a Word file": "save the text alone as .txt",
    "an OpenDocument file": "save the text alone as .txt",
}
_REMEDY = "save its records as CSV and name the column of the abstracts with --text"


def refusal(file: str, content: str | None = None) -> str | None:
    """Say what a file is and the way out, as the rest of a sentence; None where it may be texts.

    Without `content`, only the name is looked at.
    """
    kind = _BY_NAME.get(PurePath(file).suffix.lower())
    if kind is None and content is not None:
        kind = next((kind for pattern, kind in _BY_BEGINNING if re.match(pattern, content[:4096], re.IGNORECASE)), None)
    return None if kind is None else f"this is {kind}, which is not read here; {_REMEDIES.get(kind, _REMEDY)}"
