"""Formats that people upload by mistake, told apart by how they begin, so that a refusal can name them."""

import re

__all__ = ["name_format"]

EXPORT_CSV = "In Scopus choose Export → CSV, with “Abstract” and “DOI” ticked."
SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (rb"PK\x03\x04", "is an Excel workbook or a zip archive. Save the sheet as “CSV UTF-8” first."),
    (rb"\xd0\xcf\x11\xe0", "is an old Excel or Word file. Save the sheet as “CSV UTF-8” first."),
    (rb"%PDF", f"is a PDF, not an export of records. {EXPORT_CSV}"),
    (rb"\x1f\x8b", "is compressed. Unpack it first."),
    (rb"\s*(?:<!DOCTYPE|<html|<\?xml)", f"is a web page or XML, not CSV. {EXPORT_CSV}"),
    (rb"\s*[\[{]\s*[\"{\[\]}]", f"is JSON, not CSV. {EXPORT_CSV}"),
    (rb"(?:[^\n]*\n){0,4}?\s*TY  - ", f"is a RIS file, which cannot be imported yet. {EXPORT_CSV}"),
    (rb"(?:[^\n]*\n){0,9}?\s*@\w+\s*\{", f"is a BibTeX file, which cannot be imported yet. {EXPORT_CSV}"),
    (rb"\s*PMID ?- ", f"is a PubMed file in MEDLINE format, which cannot be imported yet. {EXPORT_CSV}"),
    (rb"\s*FN .*\r?\nVR ", f"is a Web of Science plain-text file, which cannot be imported yet. {EXPORT_CSV}"),
)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def name_format(head: bytes) -> str | None:
    """What a file that begins with `head` is, as the rest of a sentence, or None where it may be CSV."""
    head = head.removeprefix(BYTE_ORDER_MARK)
    return next((verdict for pattern, verdict in SIGNATURES if re.match(pattern, head, re.IGNORECASE)), None)
