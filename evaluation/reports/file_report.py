"""The report on a file of ratings: the public JSON, and beside it what a page shows item by item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaluation.reports.rated_items import RatedItem, disagreements, level_use
from evaluation.science.document import agreement_document, criterion_reports
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.ratings import MISSING
from evaluation.science.reading.cells import collect
from evaluation.science.reading.columns import find_layout
from evaluation.science.reading.errors import RatingsFileError
from evaluation.science.reading.options import ReadOptions
from evaluation.science.reading.ratings_file import CriterionRatings, read_ratings
from evaluation.science.reading.scale import is_missing, number
from evaluation.science.reading.sheets import open_sheet

__all__ = ["MOST_CRITERIA", "MOST_RATINGS", "file_report", "words_found"]

# What a page computes while somebody waits; the command line has no such limits.
MOST_RATINGS = 200_000
MOST_CRITERIA = 20
MOST_WORDS = 20


def file_report(
    data: bytes, *, name: str, reading: ReadOptions, intervals: IntervalOptions, version: str
) -> dict[str, Any]:
    """`document` is what `kappagraph agreement --json` prints; `details` has one entry a criterion.

    Raises
    ------
    RatingsFileError
        If the file cannot be read, or holds more than a page computes.
    """
    ratings = read_ratings(data, name=name, options=reading)
    given = sum(found.table.ratings for found in ratings.criteria)
    if given > MOST_RATINGS:
        raise RatingsFileError(
            f"{name}: {given:,} ratings; a page takes up to {MOST_RATINGS:,}. The command line has no limit: "
            "kappagraph agreement FILE --json"
        )
    if len(ratings.criteria) > MOST_CRITERIA:
        raise RatingsFileError(
            f"{name}: {len(ratings.criteria)} criteria; a page shows up to {MOST_CRITERIA}. Is the criterion column "
            "right? Otherwise upload the criteria in parts"
        )
    reports = criterion_reports(ratings, intervals=intervals)
    document = agreement_document(reports, ratings=ratings, reading=reading, intervals=intervals, version=version)
    return {"document": document, "details": [_details(found) for found in ratings.criteria]}


def _details(found: CriterionRatings) -> dict[str, Any]:
    labels = [str(level) for level in found.table.levels]
    items = list(_items(found))
    return {"apart": disagreements(items, labels=labels), "use": level_use(items, levels=len(labels))}


def _items(found: CriterionRatings) -> Iterator[RatedItem]:
    raters = found.table.raters
    for name, row in zip(found.items, found.table.codes.tolist(), strict=True):
        given = [(rater, level) for rater, level in zip(raters, row, strict=True) if level != MISSING]
        if given:
            yield RatedItem(name, tuple(rater for rater, _ in given), tuple(level for _, level in given))


def words_found(data: bytes, *, name: str, reading: ReadOptions) -> list[str] | None:
    """The distinct values of the rating cells, one spelling each, in order of appearance.

    None where no person has to put them in order: all are numbers, or there are too many to be levels.
    """
    sheet = open_sheet(data, name)
    cells = collect(sheet, find_layout(sheet.header, reading, name), name)
    spellings: dict[str, str] = {}
    for text in cells.values.names():
        if not is_missing(text):
            spellings.setdefault(" ".join(text.casefold().split()), text.strip())
    values = list(spellings.values())
    if not 2 <= len(values) <= MOST_WORDS or all(number(value) is not None for value in values):
        return None
    return values
