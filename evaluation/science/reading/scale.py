"""From the texts of cells to indices on a declared scale."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from evaluation.science.ratings import MISSING, Level
from evaluation.science.reading.errors import LONGEST_SHOWN, RatingsFileError, shown

__all__ = ["Scale", "declare", "infer", "is_missing", "number"]

_MISSING_WORDS = frozenset({"", "na", "n/a", "#n/a", "null", "nan"})
_MOST_LEVELS = 50
_TEXTS = "is this a file of texts? Name the column with the ratings with --value"


@dataclass(frozen=True)
class Scale:
    """Ordered levels, and how a cell is recognised as one of them."""

    levels: tuple[Level, ...]
    by_text: Mapping[str, int]
    by_number: Mapping[float, int]
    by_folded: Mapping[str, int]
    fold: bool

    def index(self, text: str) -> int:
        """Index of a cell's level, or MISSING.

        Raises
        ------
        KeyError
            If the cell is neither missing nor a level; the message suggests what may have been meant.
        """
        found = self.by_text.get(text)
        if found is not None:
            return found
        if is_missing(text):
            return MISSING
        if self.by_number:
            value = number(text)
            if value is not None and value in self.by_number:
                return self.by_number[value]
        folded = self.by_folded.get(_folded(text))
        if folded is not None and self.fold:
            return folded
        raise KeyError(self._refusal(text, folded))

    def _refusal(self, text: str, folded: int | None) -> str:
        listed = ", ".join(str(level) for level in self.levels)
        message = f"{shown(text)} is not among the levels {listed}"
        if folded is not None:
            return f"{message}; did you mean {shown(str(self.levels[folded]))}? --fold accepts such spellings"
        close = get_close_matches(_folded(text), list(self.by_folded), n=1)
        if close:
            return f"{message}; did you mean {shown(str(self.levels[self.by_folded[close[0]]]))}?"
        return f"{message}; {_TEXTS}" if _is_prose(text) else message


def declare(levels: tuple[str, ...], *, fold: bool) -> Scale:
    """Build the scale of declared levels, lowest first.

    Levels that are all numbers are matched by value, so that `2`, `2.0` and `2,0` are one level.

    Raises
    ------
    RatingsFileError
        If a level is empty or declared twice, or there are too many.
    """
    names = tuple(level.strip() for level in levels)
    if not names or not all(names):
        raise RatingsFileError("an empty level is declared; write --levels low,medium,high")
    if len(names) > _MOST_LEVELS:
        raise RatingsFileError(f"{len(names)} levels are declared; at most {_MOST_LEVELS} can be analysed")
    values = [number(name) for name in names]
    numeric = [value for value in values if value is not None]
    declared: tuple[Level, ...] = names
    by_number: dict[float, int] = {}
    if len(numeric) == len(names):
        declared = tuple(_plain(value) for value in numeric)
        by_number = {value: i for i, value in enumerate(numeric)}
    by_folded: dict[str, int] = {}
    for i, name in enumerate(names):
        by_folded.setdefault(_folded(name), i)
    distinct = len(by_number) if by_number else len(set(names))
    if distinct < len(names) or (fold and len(by_folded) < len(names)):
        raise RatingsFileError("a level is declared twice" + (" (levels are folded)" if fold else ""))
    return Scale(declared, {name: i for i, name in enumerate(names)}, by_number, by_folded, fold)


def infer(texts: Mapping[str, int], *, fold: bool, where: str) -> Scale:
    """Build a scale of numbers from the distinct cell texts (each with the row where it first occurs).

    Raises
    ------
    RatingsFileError
        If a text is not a number: the order of words is never guessed.
    """
    given = {text: row for text, row in texts.items() if not is_missing(text)}
    words = [text for text in given if number(text) is None]
    if words:
        listed = ", ".join(shown(word.strip()) for word in list(dict.fromkeys(words))[:6])
        if any(map(_is_prose, words)):
            raise RatingsFileError(f"{where}: row {given[words[0]]}: these are no levels ({listed}); {_TEXTS}")
        raise RatingsFileError(
            f"{where}: row {given[words[0]]}: the levels are text ({listed}): "
            "give all of them in order, lowest first, with --levels, as in --levels low,medium,high"
        )
    values = sorted({value for text in given if (value := number(text)) is not None})
    if not values:
        raise RatingsFileError(f"{where}: there is no rating, every value is missing")
    if len(values) > _MOST_LEVELS:
        raise RatingsFileError(
            f"{where}: {len(values)} distinct numbers: these look like measurements, not levels of a scale"
        )
    return declare(tuple(str(_plain(value)) for value in values), fold=fold)


def is_missing(text: str) -> bool:
    """Whether a cell stands for no rating: empty, NA, N/A, null or NaN in any case."""
    return text.strip().casefold() in _MISSING_WORDS


def number(text: str) -> float | None:
    """Read a number with a decimal point or a decimal comma; None for anything else."""
    plain = text.strip()
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in plain else None


def _is_prose(text: str) -> bool:
    return len(text.strip()) > LONGEST_SHOWN


def _plain(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
