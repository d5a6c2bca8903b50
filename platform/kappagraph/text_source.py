"""A text to score, where it is found, and what is wrong with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["InputError", "InputText", "TextSource", "identifier", "required", "text_key"]


class InputError(ValueError):
    """Input that cannot be scored; the message names the file, the row and the way out."""


@dataclass(frozen=True, slots=True)
class InputText:
    """One text to score, and its place for messages."""

    id: str
    text: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSource:
    """How to find the texts in files.

    Attributes
    ----------
    text_column, id_column : str or None
        Columns of a table, or keys of JSON objects.
    encoding : str or None
        Of all files; detected unless given.
    """

    text_column: str | None = None
    id_column: str | None = None
    encoding: str | None = None


def text_key(source: TextSource, keys: Sequence[str], name: str) -> str:
    """Return the column or key that holds the texts of the file called ``name``.

    Raises
    ------
    InputError
        If none was named; the message names those there are.
    """
    if source.text_column is None:
        raise InputError(f"{name}: say which column holds the texts with --text; there are: {', '.join(keys)}")
    return source.text_column


def required(entry: Mapping[str, object], key: str, place: str) -> object:
    """Return a value of a row.

    Raises
    ------
    InputError
        If the row has none.
    """
    if entry.get(key) is None:
        raise InputError(f"{place}: there is no {key!r}; give one or remove the row")
    return entry[key]


def identifier(source: TextSource, entry: Mapping[str, object], file: str, row: int, place: str) -> str:
    """Return the id of a row: from its column, or else its file and row.

    Raises
    ------
    InputError
        If the column holds no id.
    """
    if source.id_column is None:
        return f"{file}:{row}"
    value = required(entry, source.id_column, place)
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise InputError(f"{place}: {source.id_column!r} is empty or no text or whole number; give the row an id")
    return str(value)
