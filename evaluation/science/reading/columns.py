"""Which column is what, and whether a file is wide (one column a rater) or long (one row a rating)."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.science.reading.errors import RatingsFileError, cut, shown
from evaluation.science.reading.options import ReadOptions, Shape

__all__ = ["Layout", "find_layout"]

# Usual names, the most specific first.
ITEM = ("item", "item_id", "item id", "id", "unit", "subject", "document", "doc", "text_id", "abstract")
RATER = ("rater", "rater_id", "reviewer", "annotator", "coder", "judge", "rater pseudonym", "rater_pseudonym")
VALUE = ("value", "rating", "level", "score", "label", "code", "answer", "category")
CRITERION = ("criterion", "criteria", "dimension", "aspect")


@dataclass(frozen=True)
class Layout:
    """Column positions. Long: `raters` holds one position, that of the rater's name."""

    shape: Shape
    item: int
    raters: tuple[int, ...]
    value: int | None
    criterion: int | None
    cluster: int | None
    item_is_named: bool


def find_layout(header: tuple[str, ...], options: ReadOptions, name: str) -> Layout:
    """Find the columns by the given names, else by their usual names.

    Raises
    ------
    RatingsFileError
        If a named column does not exist, or a needed one cannot be found.
    """
    finder = _Finder(header, name)
    if all(_is_number(title) for title in header):
        raise RatingsFileError(f"{name}: row 1 holds only numbers: a header row with column names is needed")
    cluster = finder.named(options.cluster) if options.cluster else None
    criterion = finder.named(options.criterion) if options.criterion else finder.usual(CRITERION)
    if criterion == cluster:
        criterion = None
    shape = options.shape or _detect(finder, options)
    item = finder.named(options.item) if options.item else finder.usual(ITEM)
    if shape == "long":
        if len(options.raters) > 1:
            raise RatingsFileError(f"{name}: a long file has one rater column; --rater was given more than once")
        rater = finder.named(options.raters[0]) if options.raters else finder.usual(RATER)
        value = finder.named(options.value) if options.value else finder.usual(VALUE)
        needed = {"item": item, "rater": rater, "value": value}
        for role, found in needed.items():
            if found is None:
                raise RatingsFileError(
                    f"{name}: no {role} column among {_listed(header)}; name it with --{role} COLUMN"
                )
        at = {role: found for role, found in needed.items() if found is not None}
        return Layout("long", at["item"], (at["rater"],), at["value"], criterion, cluster, True)
    named = item is not None
    position = 0 if item is None else item
    taken = {position, criterion, cluster}
    raters = (
        tuple(finder.named(rater) for rater in options.raters)
        if options.raters
        else tuple(i for i, title in enumerate(header) if title and i not in taken)
    )
    if not raters:
        raise RatingsFileError(f"{name}: no rater columns beside {shown(header[position])}; is the delimiter right?")
    return Layout("wide", position, raters, None, criterion, cluster, named)


def _detect(finder: _Finder, options: ReadOptions) -> Shape:
    if options.value or len(options.raters) == 1:
        return "long"
    if len(options.raters) > 1:
        return "wide"
    found = finder.usual(RATER) is not None and finder.usual(VALUE) is not None
    return "long" if found else "wide"


class _Finder:
    def __init__(self, header: tuple[str, ...], name: str) -> None:
        self.header, self.name = header, name
        self.folded = [title.casefold() for title in header]

    def named(self, title: str) -> int:
        if title in self.header:
            return self.header.index(title)
        if title.strip().casefold() in self.folded:
            return self.folded.index(title.strip().casefold())
        raise RatingsFileError(f"{self.name}: no column {title!r}; the columns are {_listed(self.header)}")

    def usual(self, names: tuple[str, ...]) -> int | None:
        return next((self.folded.index(name) for name in names if name in self.folded), None)


def _listed(header: tuple[str, ...]) -> str:
    shown = ", ".join(cut(title) for title in header[:8] if title)
    return f"{shown}, …" if len(header) > 8 else shown


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True
