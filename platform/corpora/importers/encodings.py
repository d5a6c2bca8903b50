"""Which encoding a text file is in, found by reading all of it once."""

import codecs
from pathlib import Path

from django.utils.translation import gettext, gettext_noop

from corpora.importers.records import Refused

__all__ = ["LABELS", "WINDOWS", "find_encoding"]

WINDOWS = "cp1252"
CHUNK = 1 << 20
LABELS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    WINDOWS: "Windows-1252",
}
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def find_encoding(path: Path, name: str) -> str:
    """UTF-8, UTF-16, or Windows-1252 where the bytes are no UTF-8 (spreadsheets still save that).

    A file with zero bytes in it, or that fits none of these, is no text and is refused.
    """
    with path.open("rb") as file:
        head = file.read(4096)
    encoding = next((encoding for mark, encoding in MARKS if head.startswith(mark)), None) or _unmarked_utf16(head)
    for candidate in [encoding] if encoding else ["utf-8", WINDOWS]:
        if _decodes(path, candidate, name):
            return candidate
    tried = encoding or gettext("UTF-8 and Windows-1252")
    said = gettext("%(file)s is not text that can be read (tried %(encodings)s).") % {"file": name, "encodings": tried}
    raise Refused(f"{said} {gettext(REMEDY)}")


REMEDY = gettext_noop("Export the records again as CSV, or save the table as “CSV UTF-8”.")


def _unmarked_utf16(head: bytes) -> str | None:
    """Latin letters in UTF-16 have a zero in every second byte."""
    pairs = len(head) // 2
    if pairs >= 8 and len(head) % 2 == 0:
        if head[1::2].count(0) > 0.8 * pairs and not head[0::2].count(0):
            return "utf-16-le"
        if head[0::2].count(0) > 0.8 * pairs and not head[1::2].count(0):
            return "utf-16-be"
    return None


def _decodes(path: Path, encoding: str, name: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    with path.open("rb") as file:
        try:
            while chunk := file.read(CHUNK):
                if "\0" in decoder.decode(chunk):
                    said = gettext("%(file)s is not a text file: it holds zero bytes.") % {"file": name}
                    raise Refused(f"{said} {gettext(REMEDY)}")
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True
