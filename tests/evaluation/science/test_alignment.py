"""Criteria aligned by item, and compared."""

import numpy as np
import pytest

from evaluation.science.agreement import report
from evaluation.science.alignment import align_items
from evaluation.science.comparison import compare
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.ratings import MISSING, RatingsTable
from evaluation.science.reading.options import ReadOptions
from evaluation.science.reading.ratings_file import read_ratings

LEVELS = ("low", "medium", "high")


def table(codes, **more):
    return RatingsTable.from_codes(codes, levels=LEVELS, **more)


def test_rows_follow_the_names_and_not_their_order():
    left, right = align_items(table([[0, 1], [2, 2]]), ["a", "b"], table([[1, 1], [0, 2]]), ["c", "a"])
    assert left.codes.tolist() == [[0, 1], [2, 2], [MISSING, MISSING]]
    assert right.codes.tolist() == [[0, 2], [MISSING, MISSING], [1, 1]]


def test_two_criteria_of_a_file_are_compared_on_the_same_items():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 60)
    rows = []
    for criterion, agreement in (("clear", 0.95), ("important", 0.3)):
        for item in rng.permutation(60):
            for rater in ("ana", "ben"):
                level = truth[item] if rng.random() < agreement else rng.integers(0, 3)
                rows.append(f"t{item},{rater},{criterion},{LEVELS[level]}")
    found = read_ratings(
        "\n".join(["item,rater,criterion,value", *rows]).encode(), options=ReadOptions(levels=LEVELS)
    ).criteria
    left, right = align_items(found[0].table, found[0].items, found[1].table, found[1].items)
    options = IntervalOptions(bootstrap=200)
    answer = compare(left, right, coefficient="cohen_kappa_linear", options=options)
    for value, criterion in ((answer.left, found[0]), (answer.right, found[1])):
        alone = report(criterion.table, options=options).pairs[0].coefficients["cohen_kappa_linear"].value
        assert value == pytest.approx(alone)
    assert answer.difference.ci[0] > 0.2


def test_the_paired_interval_is_that_of_resampling_items():
    from scipy.stats import bootstrap

    rng = np.random.default_rng(9)
    truth = rng.integers(0, 3, (50, 1))
    left, right = (np.where(rng.random((50, 2)) < share, truth, rng.integers(0, 3, (50, 2))) for share in (0.9, 0.7))

    def kappa(codes):
        gaps = np.abs(codes[:, :1] - codes[:, 1:].T).mean()
        return 1 - np.abs(codes[:, 0] - codes[:, 1]).mean() / gaps

    reference = bootstrap(
        (np.arange(50),),
        lambda chosen: kappa(left[chosen]) - kappa(right[chosen]),
        vectorized=False,
        n_resamples=3000,
        method="percentile",
        random_state=np.random.default_rng(1),
    ).confidence_interval
    found = compare(
        table(left),
        table(right),
        coefficient="cohen_kappa_linear",
        options=IntervalOptions("percentile", bootstrap=20_000),
    ).difference
    assert found.value == pytest.approx(kappa(left) - kappa(right))
    assert found.ci == pytest.approx((reference.low, reference.high), abs=0.02)


def test_a_paired_difference_stays_symmetric_by_default():
    rng = np.random.default_rng(2)
    left, right = table(rng.integers(0, 3, (30, 2))), table(rng.integers(0, 3, (30, 2)))
    found = compare(left, right, coefficient="cohen_kappa").difference
    assert found.ci_method == "jackknife-t"
    assert found.ci[0] + found.ci[1] == pytest.approx(2 * found.value)


def test_clusters_are_joined_by_the_items_they_share():
    left = table([[0, 1], [2, 2], [1, 1]], clusters=["x", "x", "y"])
    right = table([[0, 0], [1, 1], [2, 2]], clusters=["k", "l", "m"])
    found, other = align_items(left, ["a", "b", "c"], right, ["c", "a", "d"])
    assert found.clusters.tolist() == other.clusters.tolist()
    a, b, c, d = found.clusters.tolist()
    assert a == b
    assert len({a, c, d}) == 3


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: align_items(table([[0, 1]]), ["a", "b"], table([[0, 1]]), ["a"]),
        lambda: align_items(table([[0, 1], [0, 1]]), ["a", "a"], table([[0, 1]]), ["a"]),
        lambda: align_items(table([[0, 1]], counts=[2]), ["a"], table([[0, 1]]), ["a"]),
        lambda: align_items(table([[0, 1]], clusters=["x"]), ["a"], table([[0, 1]]), ["a"]),
        lambda: align_items(
            table([[0, 1], [1, 1]], clusters=["x", "x"]), "ab", table([[0, 1], [1, 1]], clusters=["x", "y"]), "ab"
        ),
        lambda: align_items(
            table([[0, 1], [1, 1]], clusters=["x", "y"]), "ab", table([[0, 1], [1, 1]], clusters=["x", "x"]), "ab"
        ),
    ],
)
def test_what_does_not_fit_is_refused(attempt):
    with pytest.raises(ValueError, match=r"\w"):
        attempt()
