"""From the bytes of a file to text, whatever program wrote it."""

import codecs

__all__ = ["UndecodableError", "decode"]

# UTF-32 comes first: its little-endian mark begins like UTF-16's.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096


class UndecodableError(ValueError):
    """The bytes are no text in any encoding that is tried."""


def decode(data: bytes, encoding: str | None = None) -> tuple[str, str]:
    """Decode bytes as told, or by byte-order mark, as UTF-16 without mark, as UTF-8, as Windows-1252.

    Returns
    -------
    text, encoding : str
        The text, without a byte-order mark, and the encoding that fitted.

    Raises
    ------
    UndecodableError
        If nothing fits, or the result is no text.
    """
    for candidate in [encoding] if encoding else _candidates(data):
        try:
            text = data.decode(candidate)
        except UnicodeDecodeError:
            continue
        except LookupError:
            raise UndecodableError(f"there is no encoding called {candidate!r}") from None
        if "\0" in text:
            raise UndecodableError("this is no text file")
        return text.removeprefix("\ufeff"), candidate
    tried = encoding or "UTF-8, UTF-16 or Windows-1252"
    raise UndecodableError(f"this is not {tried}: save it as UTF-8, or name its encoding with --encoding")


def _candidates(data: bytes) -> list[str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return [encoding]
    sample = data[:_SAMPLE]
    # In UTF-16 every other byte of Western text is zero; in the other encodings none is.
    for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = sample[offset::2]
        if half and half.count(0) > 0.4 * len(half) and not len(data) % 2:
            return [encoding]
    return ["utf-8", "cp1252"]
