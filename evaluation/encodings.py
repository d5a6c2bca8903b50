"""The text of an uploaded file, whatever program wrote it."""

import codecs

from django.utils.translation import gettext as _

from evaluation.errors import UploadError

__all__ = ["decode"]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(content: bytes, *, name: str) -> str:
    """By the file's byte order mark or, without one, as UTF-8 or else Windows-1252. Raises UploadError."""
    encoding = next((codec for bom, codec in _BOMS if content.startswith(bom)), None)
    for codec in [encoding] if encoding else ["utf-8", "cp1252"]:
        try:
            return content.decode(codec)
        except UnicodeDecodeError:
            continue
    words = _("%(file)s is in no encoding known here. Save it as UTF-8 (in Excel: CSV UTF-8) and try again.")
    raise UploadError([words % {"file": name}])
