"""The science as a library: no framework, light to import, easy to feed from a database."""

import subprocess
import sys

import numpy as np
import pytest

from evaluation.science.agreement import report
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.ratings import MISSING, RatingsTable

OPTIONS = IntervalOptions(bootstrap=200)


@pytest.mark.parametrize(
    "module",
    [
        "evaluation.science.agreement",
        "evaluation.science.correlations",
        "evaluation.science.reading.ratings_file",
    ],
)
def test_importing_leaves_django_and_heavy_libraries_out(module):
    heavy = ("django", "scipy.stats", "pandas", "numba", "statsmodels", "openpyxl")
    code = f"import sys, {module}; print([name for name in {heavy!r} if name in sys.modules])"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"


def test_long_rows_and_grouped_patterns_give_one_report():
    codes = np.array([[0, 0], [0, 0], [0, 1], [2, 2], [1, MISSING], [2, 1], [0, 0]])
    items, raters = np.nonzero(codes != MISSING)
    by_row = RatingsTable.from_long(
        items.tolist(), [("ana", "ben")[j] for j in raters], codes[items, raters], levels=("low", "medium", "high")
    )
    patterns, counts = np.unique(codes, axis=0, return_counts=True)
    grouped = RatingsTable.from_codes(patterns, levels=("low", "medium", "high"), raters=("ana", "ben"), counts=counts)
    left, right = (report(table, options=OPTIONS) for table in (by_row, grouped))
    assert left.overall == right.overall
    assert [pair.to_json() for pair in left.pairs] == [pair.to_json() for pair in right.pairs]
    assert (left.items, left.ratings, left.missing) == (right.items, right.ratings, right.missing) == (7, 13, 1)


def test_a_contingency_table_is_a_pair():
    table = RatingsTable.from_contingency([[3, 1], [0, 2]], levels=("no", "yes"))
    pair = report(table, options=OPTIONS).pairs[0]
    assert pair.table.tolist() == [[3, 1], [0, 2]]
    assert pair.n == 6


def test_the_hash_is_that_of_the_data_not_of_their_order():
    codes = np.array([[0, 1], [1, 1], [2, 0]])
    table, turned = (
        RatingsTable.from_codes(c, levels="abc", clusters=g)
        for c, g in ((codes, ["x", "y", "z"]), (codes[::-1], ["z", "y", "x"]))
    )
    assert table.sha256() == turned.sha256()
    assert table.sha256() != RatingsTable.from_codes(codes, levels="acb", clusters=["x", "y", "z"]).sha256()


@pytest.mark.parametrize(
    "build",
    [
        lambda: RatingsTable.from_codes([[0, 3]], levels="abc"),
        lambda: RatingsTable.from_codes([[0, -2]], levels="abc"),
        lambda: RatingsTable.from_codes([0, 1], levels="abc"),
        lambda: RatingsTable.from_codes([[0, 1]], levels="aa"),
        lambda: RatingsTable.from_codes([[0, 1]], levels="abc", raters=("one",)),
        lambda: RatingsTable.from_codes([[0, 1]], levels="abc", counts=[1, 2]),
        lambda: RatingsTable.from_long([1, 1], ["a", "a"], [0, 1], levels="abc"),
        lambda: RatingsTable.from_long([1, 1], ["a", "b"], [0, 1], levels="abc", clusters=["x", "y"]),
        lambda: RatingsTable.from_contingency([[1, 2]], levels="ab"),
        lambda: IntervalOptions(confidence=1.0),
        lambda: IntervalOptions(method="magic"),
        lambda: IntervalOptions(bootstrap=-1),
    ],
)
def test_impossible_input_is_refused(build):
    with pytest.raises(ValueError, match=r"\w"):
        build()


def test_degenerate_tables_have_reasons_instead_of_figures():
    for codes, levels in (
        (np.zeros((0, 2)), "abc"),
        (np.zeros((4, 1)), "abc"),
        (np.full((4, 3), MISSING), "abc"),
        (np.zeros((4, 3)), "a"),
        ([[0, MISSING], [MISSING, 1]], "abc"),
    ):
        found = report(RatingsTable.from_codes(codes, levels=levels), options=OPTIONS)
        for name, estimate in found.overall.items():
            assert estimate.value is None, name
            assert estimate.reason, name


def test_one_level_throughout_is_undefined_for_kappa_and_complete_for_ac1():
    pair = report(RatingsTable.from_codes([[2, 2]] * 10, levels="abc"), options=OPTIONS).pairs[0].coefficients
    for name in ("cohen_kappa", "scott_pi", "krippendorff_alpha_nominal", "cohen_kappa_max", "icc_a1"):
        assert pair[name].value is None, name
    assert "0/0" in pair["cohen_kappa"].reason
    assert (pair["gwet_ac1"].value, pair["brennan_prediger"].value) == (1.0, pytest.approx(1.0))


def test_warnings_are_in_words():
    codes = np.array([[0, 0, MISSING], [0, 0, MISSING], [0, 2, MISSING], [MISSING] * 3] + [[0, 0, MISSING]] * 20)
    table = RatingsTable.from_codes(codes, levels=("high", "low", "medium"), raters=("ana", "ben", "cy"))
    warnings = " | ".join(report(table, options=OPTIONS).warnings)
    for words in ("cy has no rating", "1 item has no rating", "alphabetical", "never used: low", "23 items", "ac1"):
        assert words in warnings


def test_fleiss_points_to_its_kin_where_no_item_is_complete():
    codes = [[0, 0, MISSING], [MISSING, 1, 1], [2, MISSING, 2], [0, 1, MISSING]]
    overall = report(RatingsTable.from_codes(codes, levels="abc"), options=OPTIONS).overall
    assert overall["fleiss_kappa"].value is None
    assert "fleiss_kappa_available" in overall["fleiss_kappa"].reason
    assert overall["fleiss_kappa_available"].value is not None


def test_pairs_without_overlap_are_named():
    codes = [[0, 0, MISSING], [1, 1, MISSING], [MISSING, 2, 2], [MISSING, 1, 0]]
    table = RatingsTable.from_codes(codes, levels="abc", raters=("ana", "ben", "cy"))
    found = report(table, options=OPTIONS)
    assert "ana and cy" in found.overall["mean_pairwise_cohen_kappa"].reason
    empty = next(pair for pair in found.pairs if pair.raters == ("ana", "cy"))
    assert (empty.n, empty.coefficients["cohen_kappa"].reason) == (0, "the two raters share no item")


def test_many_items_cost_what_their_patterns_cost():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 100_000)
    codes = np.where(rng.random((100_000, 5)) < 0.7, truth[:, None], rng.integers(0, 3, (100_000, 5)))
    found = report(RatingsTable.from_codes(codes, levels=range(3)))
    alpha = found.overall["krippendorff_alpha_ordinal"]
    assert alpha.ci[0] < alpha.value < alpha.ci[1] < alpha.ci[0] + 0.02
