"""How to read a ratings file where detection is not wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["ReadOptions", "Shape"]

Shape = Literal["wide", "long"]


@dataclass(frozen=True)
class ReadOptions:
    """What the file does not say by itself.

    Attributes
    ----------
    levels : tuple of str, or None
        All levels, lowest first; None lets numbers default to their sorted distinct values.
    shape : "wide", "long" or None
        One column a rater, or one row a rating; None detects it.
    item, value, criterion, cluster : str or None
        Column names; None detects the first three by their usual names. Without `cluster` items stand alone.
    raters : tuple of str
        Long: the one column that names the rater. Wide: the columns that are raters, by default all others.
    duplicates : "error" or "last"
        What to do where a rater rated an item twice, differently.
    fold : bool
        Accept levels that differ from a declared one by case or stray spaces.
    """

    levels: tuple[str, ...] | None = None
    shape: Shape | None = None
    item: str | None = None
    raters: tuple[str, ...] = ()
    value: str | None = None
    criterion: str | None = None
    cluster: str | None = None
    duplicates: Literal["error", "last"] = "error"
    fold: bool = False
