"""Section 4.3 of the paper, worked out: what its printed agreement figures can and cannot mean.

For Meaningfulness, rated low, medium or high by two reviewers on ten abstracts, the paper prints exact agreement 70 %,
κ 0.47, linear κ 0.26 and χ² 6.92; for Importance 60 %, 0.05 and 0.05. There are only 43,758 tables of ten items on
three levels, so that all of them can be tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from evaluation.science.agreement import CriterionReport, report
from evaluation.science.coefficients.cohen import cohen_kappa
from evaluation.science.estimates import Estimate
from evaluation.science.ratings import RatingsTable
from evaluation.science.weights import Scheme, disagreement_weights

__all__ = [
    "IMPORTANCE",
    "MEANINGFULNESS",
    "Libraries",
    "Printed",
    "Reading",
    "WorkedExample",
    "classes",
    "every_table",
    "matching",
    "worked_example",
]

Tables = npt.NDArray[np.int64]
ITEMS = 10
NAMES = ("A", "B", "C")  # levels by what is known of them: 4, 0 and 3 agreements
ROUNDING = 0.005 + 1e-9
LEVELS = ("low", "medium", "high")
# What text labels become where software sorts them.
SORTED = ("high", "low", "medium")


@dataclass(frozen=True)
class Printed:
    """Figures as the paper prints them, to two places; None where it prints none."""

    exact: float
    kappa: float
    linear: float
    chi2: float | None = None


MEANINGFULNESS = Printed(exact=0.70, kappa=0.47, linear=0.26, chi2=6.92)
IMPORTANCE = Printed(exact=0.60, kappa=0.05, linear=0.05)


@dataclass(frozen=True)
class Reading:
    """What follows if this level is "medium": the middle of the scale.

    `adjacent` and `extreme` count the disagreements between neighbouring levels and between low and high.
    """

    middle: str
    table: tuple[tuple[int, ...], ...]
    levels: tuple[str, ...]
    linear: Fraction
    used: int
    adjacent: int
    extreme: int
    report: CriterionReport

    @property
    def printed_is_right(self) -> bool:
        return abs(float(self.linear) - MEANINGFULNESS.linear) <= ROUNDING


@dataclass(frozen=True)
class Libraries:
    """One table on low < medium < high, as it is and with its labels sorted by the alphabet."""

    table: tuple[tuple[int, ...], ...]
    sorted_table: tuple[tuple[int, ...], ...]
    right: float
    wrong: float
    ac2_right: float
    ac2_wrong: float


@dataclass(frozen=True)
class WorkedExample:
    """Everything that the page and the document print.

    `left` counts the tables that each further printed figure leaves of all of them.
    """

    tables: int
    left: tuple[tuple[str, int], ...]
    table: tuple[tuple[int, ...], ...]
    kappa: Fraction
    chi2: Fraction
    readings: tuple[Reading, ...]
    libraries: Libraries
    importance_left: tuple[tuple[str, int], ...]
    importance: tuple[tuple[int, ...], ...]
    importance_linear: tuple[Fraction, ...]
    importance_report: CriterionReport


@cache
def worked_example() -> WorkedExample:
    """Rebuild the section from its printed figures; about half a second, once."""
    every = every_table()
    agree = every[_trace(every) == round(MEANINGFULNESS.exact * ITEMS)]
    both = matching(every, MEANINGFULNESS, chi2=True)
    (one,) = classes(both)
    rows = _rows(one)
    sixty = every[_trace(every) == round(IMPORTANCE.exact * ITEMS)]
    plain = matching(every, IMPORTANCE)
    weighted = matching(every, IMPORTANCE, linear=True)
    (other,) = classes(weighted)
    return WorkedExample(
        tables=len(every),
        left=(("exact agreement 70 %", len(agree)), ("χ² 6.92", len(both))),
        table=rows,
        kappa=_fraction(one, "identity"),
        chi2=Fraction(float(_chi2(one[None])[0])).limit_denominator(1000),
        readings=tuple(_reading(one, middle) for middle in range(3)),
        libraries=_libraries(),
        importance_left=(
            ("exact agreement 60 %", len(sixty)),
            ("κ 0.05", len(plain)),
            ("linear κ 0.05", len(weighted)),
        ),
        importance=_rows(other),
        importance_linear=tuple(_fraction(_around(other, middle), "linear") for middle in range(3)),
        importance_report=report(RatingsTable.from_contingency(other, levels=NAMES, raters=("R1", "R2"))),
    )


def every_table(items: int = ITEMS, levels: int = 3) -> Tables:
    """All tables of so many items: shape (N, k, k) with N = C(items + k² − 1, k² − 1), 43,758 for ten on three."""
    cells = levels * levels
    bars = np.array(list(combinations(range(items + cells - 1), cells - 1)), np.int64)
    fences = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), items + cells - 1)])
    return (np.diff(fences, axis=1) - 1).reshape(-1, levels, levels)


def matching(tables: Tables, printed: Printed, *, chi2: bool = False, linear: bool = False) -> Tables:
    """Tables with the printed exact agreement and, where asked for, χ²; else the printed κ and linear κ."""
    found = tables[_trace(tables) == round(printed.exact * ITEMS)]
    if chi2 and printed.chi2 is not None:
        return np.asarray(found[np.abs(_chi2(found) - printed.chi2) <= ROUNDING])
    found = found[np.abs(_kappa(found, "identity") - printed.kappa) <= ROUNDING]
    if linear:
        found = found[np.abs(_kappa(found, "linear") - printed.linear) <= ROUNDING]
    return np.asarray(found)


def classes(tables: Tables) -> list[Tables]:
    """One of each class of tables that differ by the names of the levels or by who is called first.

    The one is the first of its class in descending order of its cells, row by row.
    """
    seen = {max(_relabelled(table)): None for table in tables}
    return [np.array(cells, np.int64).reshape(tables.shape[1:]) for cells in seen]


def _relabelled(table: Tables) -> list[tuple[int, ...]]:
    k = len(table)
    orders = [list(order) for order in permutations(range(k))]
    return [tuple(turned[np.ix_(order, order)].reshape(-1).tolist()) for order in orders for turned in (table, table.T)]


def _reading(table: Tables, middle: int) -> Reading:
    ordered = _around(table, middle)
    low, high = (place for place in range(3) if place != middle)
    levels = (NAMES[low], NAMES[middle], NAMES[high])
    distance = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    return Reading(
        middle=NAMES[middle],
        table=_rows(ordered),
        levels=levels,
        linear=_fraction(ordered, "linear"),
        used=int(table[middle].sum() + table[:, middle].sum()),
        adjacent=int(ordered[distance == 1].sum()),
        extreme=int(ordered[distance == 2].sum()),
        report=report(RatingsTable.from_contingency(ordered, levels=levels, raters=("R1", "R2"))),
    )


def _libraries() -> Libraries:
    table = np.array([[3, 0, 0], [1, 4, 1], [0, 1, 0]], np.int64)
    order = [LEVELS.index(label) for label in SORTED]
    alphabetical = table[np.ix_(order, order)]
    return Libraries(
        table=_rows(table),
        sorted_table=_rows(alphabetical),
        right=float(_fraction(table, "linear")),
        wrong=float(_fraction(alphabetical, "linear")),
        ac2_right=_ac2(table),
        ac2_wrong=_ac2(alphabetical),
    )


def _around(table: Tables, middle: int) -> Tables:
    """The table with this level between the two others; which of these is the lower makes no difference to κ."""
    order = [place for place in range(3) if place != middle]
    order.insert(1, middle)
    return table[np.ix_(order, order)]


def _trace(tables: Tables) -> npt.NDArray[np.int64]:
    return np.asarray(np.trace(tables, axis1=-2, axis2=-1))


def _kappa(tables: Tables, scheme: Scheme) -> npt.NDArray[np.float64]:
    """NaN where undefined, which matches nothing."""
    with np.errstate(all="ignore"):
        return np.asarray(cohen_kappa(tables.astype(float), disagreement_weights(tables.shape[-1], scheme)))


def _chi2(tables: Tables) -> npt.NDArray[np.float64]:
    """χ² of independence over all rows and columns; NaN where one is empty, as common software has it."""
    counts = tables.astype(float)
    with np.errstate(all="ignore"):
        expected = counts.sum(-1)[..., :, None] * counts.sum(-2)[..., None, :] / counts.sum((-1, -2))[..., None, None]
        return np.asarray(((counts - expected) ** 2 / expected).sum((-1, -2)))


def _ac2(table: Tables) -> float:
    value = _pair(table)["gwet_ac2_linear"].value
    assert value is not None  # noqa: S101 - two levels are in use
    return value


def _pair(table: Tables) -> dict[str, Estimate]:
    return report(RatingsTable.from_contingency(table, levels=LEVELS)).pairs[0].coefficients


def _fraction(table: Tables, scheme: Scheme) -> Fraction:
    """The κ of ten items as the ratio it is: its denominator is at most 10² · 2."""
    return Fraction(float(_kappa(table, scheme))).limit_denominator(1000)


def _rows(table: Tables) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in table.tolist())
