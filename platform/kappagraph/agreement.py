"""`kappagraph agreement FILE`: every agreement statistic of a ratings file, as JSON or as a table for people."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluation.science.reading.options import ReadOptions
    from evaluation.science.reading.ratings_file import CriterionRatings, RatingsFile

__all__ = ["add_parser", "run"]

# Repeated here from the science, which is not imported before it is needed.
INTERVALS = ("auto", "wald", "jackknife-t", "fisher-z", "percentile", "bca")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `agreement` command."""
    parser = commands.add_parser(
        "agreement",
        help="agreement between raters, from a CSV, TSV or XLSX file",
        description="Agreement between raters for each criterion: every pair and overall, with intervals.",
    )
    parser.add_argument("file", metavar="FILE", help="CSV, TSV or XLSX; - reads standard input")
    shape = parser.add_argument_group("what the file holds")
    shape.add_argument("--levels", metavar="L1,L2,…", help="all levels in order, lowest first (needed for text levels)")
    shape.add_argument("--shape", choices=("wide", "long"), help="one column a rater, or one row a rating")
    shape.add_argument("--item", metavar="COL", help="column that names the item")
    shape.add_argument(
        "--rater", metavar="COL", action="append", default=[], help="long: rater column; wide: a rater (repeatable)"
    )
    shape.add_argument("--value", metavar="COL", help="long: column with the rating")
    shape.add_argument("--criterion", metavar="COL", help="column that names the criterion")
    shape.add_argument("--cluster", metavar="COL", help="resample by the groups of this column instead of by item")
    shape.add_argument("--duplicates", choices=("error", "last"), default="error", help="repeated ratings that differ")
    shape.add_argument("--fold", action="store_true", help="accept levels that differ by case or stray spaces")
    intervals = parser.add_argument_group("intervals")
    intervals.add_argument("--ci", choices=INTERVALS, default="auto", help="interval method (default: auto)")
    intervals.add_argument("--confidence", type=_confidence, default=0.95, metavar="C", help="default: 0.95")
    intervals.add_argument("--bootstrap", type=_count, default=2000, metavar="N", help="resamples (default: 2000)")
    intervals.add_argument("--seed", type=_count, default=0, metavar="N", help="random seed (default: 0)")
    parser.add_argument("--json", action="store_true", help="write JSON even to a terminal")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    """Read, compute, write. Bad input: one line on standard error, exit status 2."""
    from evaluation.science.document import agreement_document, criterion_reports
    from evaluation.science.intervals.choice import IntervalOptions
    from evaluation.science.reading.errors import RatingsFileError

    reading = _reading(arguments)
    intervals = IntervalOptions(
        method=arguments.ci,
        confidence=arguments.confidence,
        bootstrap=arguments.bootstrap,
        seed=arguments.seed,
    )
    try:
        ratings = _read(arguments, reading)
    except RatingsFileError as error:
        print(f"kappagraph: {error}", file=sys.stderr)
        return 2
    for notice in ratings.notices:
        print(f"kappagraph: {notice}", file=sys.stderr)
    for criterion in ratings.criteria:
        if len(criterion.table.raters) == 1:
            print(f"kappagraph: {_alone(criterion)}", file=sys.stderr)
    reports = criterion_reports(ratings, intervals=intervals)
    if arguments.json or not sys.stdout.isatty():
        from kappagraph.version import version

        document = agreement_document(reports, ratings=ratings, reading=reading, intervals=intervals, version=version())
        json.dump(document, sys.stdout, ensure_ascii=False, allow_nan=False)
        sys.stdout.write("\n")
    else:
        from kappagraph.agreement_table import render

        sys.stdout.write(render(reports))
    return 0


def _read(arguments: argparse.Namespace, options: ReadOptions) -> RatingsFile:
    from evaluation.science.reading.errors import RatingsFileError
    from evaluation.science.reading.ratings_file import read_ratings

    name = "standard input" if arguments.file == "-" else arguments.file
    try:
        data = sys.stdin.buffer.read() if arguments.file == "-" else Path(arguments.file).read_bytes()
    except OSError as error:
        raise RatingsFileError(f"{name}: {error.strerror or error}") from error
    return read_ratings(data, name=name, options=options)


def _alone(ratings: CriterionRatings) -> str:
    of = "" if ratings.criterion is None else f" of criterion {ratings.criterion!r}"
    return (
        f"the only rater{of} is {ratings.table.raters[0]!r}, and agreement needs two: nothing can be computed; "
        "--rater names a rater column (see --help)"
    )


def _reading(arguments: argparse.Namespace) -> ReadOptions:
    from evaluation.science.reading.options import ReadOptions

    return ReadOptions(
        levels=None if arguments.levels is None else _split(arguments.levels),
        shape=arguments.shape,
        item=arguments.item,
        raters=tuple(arguments.rater),
        value=arguments.value,
        criterion=arguments.criterion,
        cluster=arguments.cluster,
        duplicates=arguments.duplicates,
        fold=arguments.fold,
    )


def _split(levels: str) -> tuple[str, ...]:
    """Split a declared list as a CSV line, so that a level may hold a comma in quotes."""
    import csv

    return tuple(next(csv.reader([levels], skipinitialspace=True), []))


def _confidence(text: str) -> float:
    value = float(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError("must lie between 0 and 1, as 0.95")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value
