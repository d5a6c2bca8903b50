"""Formats that people upload by mistake, told apart by how they begin, so that a refusal can name them."""

import re

from django.utils.translation import gettext, gettext_noop

__all__ = ["name_format"]

EXPORT_CSV = gettext_noop("In Scopus choose Export → CSV, with “Abstract” and “DOI” ticked.")
SAVE_CSV = gettext_noop("Save the sheet as “CSV UTF-8” first.")
# How a file begins, what it is, and the way out.
SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (rb"PK\x03\x04", gettext_noop("is an Excel workbook or a zip archive."), SAVE_CSV),
    (rb"\xd0\xcf\x11\xe0", gettext_noop("is an old Excel or Word file."), SAVE_CSV),
    (rb"%PDF", gettext_noop("is a PDF, not an export of records."), EXPORT_CSV),
    (rb"\x1f\x8b", gettext_noop("is compressed."), gettext_noop("Unpack it first.")),
    (rb"\s*(?:<!DOCTYPE|<html|<\?xml)", gettext_noop("is a web page or XML, not CSV."), EXPORT_CSV),
    (rb"\s*[\[{]\s*[\"{\[\]}]", gettext_noop("is JSON, not CSV."), EXPORT_CSV),
    (rb"(?:[^\n]*\n){0,4}?\s*TY  - ", gettext_noop("is a RIS file, which cannot be imported yet."), EXPORT_CSV),
    (rb"(?:[^\n]*\n){0,9}?\s*@\w+\s*\{", gettext_noop("is a BibTeX file, which cannot be imported yet."), EXPORT_CSV),
    (rb"\s*PMID ?- ", gettext_noop("is a PubMed file in MEDLINE format, which cannot be imported yet."), EXPORT_CSV),
    (
        rb"\s*FN .*\r?\nVR ",
        gettext_noop("is a Web of Science text file, which cannot be imported yet."),
        EXPORT_CSV,
    ),
)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def name_format(head: bytes) -> str | None:
    """What a file that begins with `head` is, as the rest of a sentence, or None where it may be CSV."""
    head = head.removeprefix(BYTE_ORDER_MARK)
    for pattern, verdict, remedy in SIGNATURES:
        if re.match(pattern, head, re.IGNORECASE):
            return f"{gettext(verdict)} {gettext(remedy)}"
    return None
