"""What a reader raises."""

from __future__ import annotations

__all__ = ["LONGEST_SHOWN", "RatingsFileError", "cut", "shown"]

LONGEST_SHOWN = 40  # characters of a value that messages quote

_LONGEST = 500


class RatingsFileError(ValueError):
    """A file that cannot be read as ratings; the message is one line that names the place and the way out."""

    def __init__(self, message: str) -> None:
        # Messages quote the file, which may hold line breaks, control characters and very long cells.
        line = " ".join("".join(c if c.isprintable() or c.isspace() else "�" for c in message).split())
        super().__init__(line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…")


def cut(text: str) -> str:
    """Shorten a value for a message where it is long."""
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def shown(text: str) -> str:
    """Quote a value in a message, cut where it is long."""
    return repr(cut(text))
