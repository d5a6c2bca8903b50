"""The figures of the worked example as tables of Markdown, for docs/worked_example.md.

`python -m evaluation.reports.worked_example_tables docs/worked_example.md` writes them anew between their marks.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from evaluation.reports.words import decimal
from evaluation.reports.worked_example import LEVELS, NAMES, SORTED, WorkedExample, worked_example

__all__ = ["markdown_tables", "with_figures"]

TESTS = {
    "stuart_maxwell": "Stuart–Maxwell: do both use the levels equally often?",
    "bowker": "Bowker: are disagreements symmetric?",
    "chi2_independence": "χ² of independence: are the ratings associated?",
}


def markdown_tables(found: WorkedExample) -> dict[str, str]:
    """Each table under the name that its marks in the document carry."""
    return {
        "left": _table(
            ["figure", "tables left"],
            [["none", f"{found.tables:,}"], *([what, f"{number:,}"] for what, number in found.left)],
        ),
        "table": _counts(found.table, NAMES),
        "readings": _table(
            ["“medium” is", "linear κ", "95 % CI", "band", "“medium” used", "neighbours differ", "low against high"],
            [
                [
                    reading.middle,
                    _ratio(reading.linear),
                    _interval(reading.report.pairs[0].coefficients["cohen_kappa_linear"].ci),
                    (estimate.landis_koch.band if estimate.landis_koch else ""),
                    f"{reading.used} of 20",
                    str(reading.adjacent),
                    str(reading.extreme),
                ]
                for reading in found.readings
                for estimate in [reading.report.pairs[0].coefficients["cohen_kappa_linear"]]
            ],
        ),
        "libraries": _table(
            ["order of the levels", "linear κ", "linear AC2"],
            [
                [" < ".join(LEVELS), decimal(found.libraries.right, 5), decimal(found.libraries.ac2_right, 5)],
                [" < ".join(SORTED), decimal(found.libraries.wrong, 5), decimal(found.libraries.ac2_wrong, 5)],
            ],
        ),
        "margins": _tests(found),
        "importance": _table(
            ["figure", "tables left"], [[what, f"{number:,}"] for what, number in found.importance_left]
        ),
    }


def with_figures(document: str, found: WorkedExample) -> str:
    """The document with each table put between its marks, `<!-- NAME -->` and `<!-- end -->`."""
    for name, table in markdown_tables(found).items():
        document = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- end -->)",
            lambda marks, table=table: f"{marks[1]}{table}\n{marks[2]}",  # type: ignore[misc]
            document,
            flags=re.DOTALL,
        )
    return document


def _tests(found: WorkedExample) -> str:
    rows = []
    for criterion, pair in (
        ("Meaningfulness", found.readings[0].report.pairs[0]),
        ("Importance", found.importance_report.pairs[0]),
    ):
        for key, name in TESTS.items():
            test = pair.marginal_tests[key]
            numbers = [(test.statistic, 4), (test.p, 4), (test.exact_p, 4), (test.min_p, 3)]
            printed = ["" if value is None else decimal(value, places) for value, places in numbers]
            df = "" if test.df is None else str(test.df)
            rows.append([criterion, name, printed[0], df, *printed[1:]])
    return _table(["criterion", "test", "statistic", "df", "p", "exact p", "least p"], rows)


def _counts(table: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    rows = [[f"**{name}**", *(str(cell) for cell in row)] for name, row in zip(names, table, strict=True)]
    return _table(["", *names], rows)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator} = {decimal(float(value), 5)}"


def _interval(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else " to ".join(decimal(end) for end in ends)


if __name__ == "__main__":
    place = Path(sys.argv[1])
    place.write_text(with_figures(place.read_text(encoding="utf-8"), worked_example()), encoding="utf-8")
