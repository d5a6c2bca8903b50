"""Paired differences of coefficients, and raters against themselves."""

import numpy as np
import pytest

from evaluation.science.agreement import report
from evaluation.science.comparison import compare
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.ratings import MISSING, RatingsTable
from evaluation.science.repeats import intra_rater

LEVELS = ("low", "medium", "high")
PAPER = RatingsTable.from_contingency([[3, 0, 0], [1, 4, 1], [0, 1, 0]], levels=LEVELS)


def random_table(seed, items=60, raters=2, agreement=0.7):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    noise = rng.integers(0, 3, (items, raters))
    codes = np.where(rng.random((items, raters)) < agreement, truth[:, None], noise)
    return RatingsTable.from_codes(codes, levels=LEVELS)


def test_linear_minus_unweighted_kappa_of_the_paper():
    """The bootstrap interval of the difference touches 0: the weights cannot be told to matter."""
    found = compare(
        PAPER,
        PAPER,
        coefficient="cohen_kappa_linear",
        other="cohen_kappa",
        options=IntervalOptions(method="percentile", bootstrap=20_000),
    )
    assert (found.left, found.right) == (pytest.approx(17 / 32), pytest.approx(9 / 19))
    assert found.difference.value == pytest.approx(17 / 32 - 9 / 19)
    assert found.difference.ci == pytest.approx((0.0, 0.15213), abs=0.01)


def test_a_table_does_not_differ_from_itself():
    found = compare(PAPER, PAPER, coefficient="gwet_ac1").difference
    assert (found.value, found.ci) == (0.0, None)
    assert found.reason


@pytest.mark.parametrize(
    "name",
    [
        "exact_agreement",
        "cohen_kappa",
        "cohen_kappa_quadratic",
        "scott_pi",
        "gwet_ac2_ordinal",
        "krippendorff_alpha_ordinal",
        "fleiss_kappa",
        "fleiss_kappa_available",
        "conger_kappa",
        "icc_a1",
        "mean_pairwise_cohen_kappa_linear",
    ],
)
def test_values_are_those_of_the_report_and_pairing_narrows(name):
    left = random_table(1)
    codes = left.codes.copy()
    codes[:6, 1] = 0
    codes[3, 0] = MISSING
    right = RatingsTable.from_codes(codes, levels=LEVELS)
    options = IntervalOptions(method="jackknife-t")
    found = compare(left, right, coefficient=name, options=options)
    widths = []
    for value, table in ((found.left, left), (found.right, right)):
        reported = report(table, options=options)
        expected = (reported.overall | reported.pairs[0].coefficients)[name]
        assert value == pytest.approx(expected.value), name
        widths.append(expected.ci[1] - expected.ci[0])
    low, high = found.difference.ci
    assert low < found.difference.value < high
    assert high - low < np.hypot(*widths)


def test_a_real_difference_is_seen():
    found = compare(
        random_table(1, 300, 3, 0.9), random_table(1, 300, 3, 0.4), coefficient="krippendorff_alpha_nominal"
    )
    assert found.difference.ci[0] > 0


def test_an_undefined_side_is_said():
    flat = RatingsTable.from_codes(np.zeros_like(random_table(1).codes), levels=LEVELS)
    found = compare(random_table(1), flat, coefficient="cohen_kappa")
    assert (found.right, found.difference.value) == (None, None)
    assert "cohen_kappa" in found.difference.reason


def test_tables_of_other_items_and_unknown_names_are_refused():
    with pytest.raises(ValueError, match="same items"):
        compare(random_table(1, 10), random_table(1, 11), coefficient="gwet_ac1")
    with pytest.raises(ValueError, match="no coefficient 'cohen_kappa' for 3 raters"):
        compare(random_table(1, raters=3), random_table(2, raters=3), coefficient="cohen_kappa")


def test_intra_rater_agreement_is_that_of_the_two_passes():
    first = RatingsTable.from_codes([[0, 0], [1, 2], [2, 2], [1, MISSING]], levels=LEVELS, raters=("ana", "ben"))
    repeat = RatingsTable.from_codes(
        [[0, MISSING], [1, MISSING], [1, MISSING], [1, 1]], levels=LEVELS, raters=("ana", "ben")
    )
    found = intra_rater(first, repeat)
    assert list(found) == ["ana"]
    assert found["ana"].table.tolist() == [[1, 0, 0], [0, 2, 0], [0, 1, 0]]
    assert found["ana"].raters == ("ana, first", "ana, repeat")
    with pytest.raises(ValueError, match="same order"):
        intra_rater(first, RatingsTable.from_codes(repeat.codes[:2], levels=LEVELS, raters=("ana", "ben")))


def test_equal_tables_of_several_pairs_keep_their_names():
    codes = np.array([[0, 0, 0], [1, 1, 1], [2, 2, 2], [0, 0, 0]])
    pairs = report(RatingsTable.from_codes(codes, levels=LEVELS, raters=("a", "b", "c"))).pairs
    assert [pair.raters for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
