"""Tests of margins: definitions, degenerate tables, and exact p against brute force."""

from itertools import permutations, product
from math import comb

import numpy as np
import pytest

from evaluation.science.marginal.bowker import bowker
from evaluation.science.marginal.chi2_independence import chi2_independence
from evaluation.science.marginal.friedman import friedman
from evaluation.science.marginal.lattice import sum_distribution
from evaluation.science.marginal.mcnemar import mcnemar
from evaluation.science.marginal.options import ExactOptions
from evaluation.science.marginal.registry import pair_tests
from evaluation.science.marginal.shift import sign_shift, wilcoxon_shift
from evaluation.science.marginal.stuart_maxwell import bhapkar, stuart_maxwell

OPTIONS = ExactOptions()


def table(*rows):
    return np.array(rows, dtype=np.int64)


def splits(counts):
    """Every table with the same discordant totals, with its probability."""
    k = len(counts)
    pairs = [(a, b) for a in range(k) for b in range(a + 1, k)]
    totals = [int(counts[a, b] + counts[b, a]) for a, b in pairs]
    for ways in product(*(range(m + 1) for m in totals)):
        other, mass = counts.copy(), 1.0
        for (a, b), m, x in zip(pairs, totals, ways, strict=True):
            other[a, b], other[b, a] = x, m - x
            mass *= comb(m, x) / 2**m
        yield other, mass


@pytest.mark.parametrize("test", [stuart_maxwell, bowker])
@pytest.mark.parametrize(
    "counts", [table([3, 2, 1], [0, 4, 3], [1, 0, 2]), table([0, 4, 0], [1, 0, 2], [0, 5, 0]), table([1, 3], [0, 2])]
)
def test_exact_p_is_the_share_of_equally_likely_tables(test, counts):
    found = test(counts, OPTIONS)
    mass = sum(m for other, m in splits(counts) if test(other, OPTIONS).statistic >= found.statistic - 1e-9)
    assert found.exact_p == pytest.approx(mass)
    assert found.exact_method == "enumeration"


@pytest.mark.parametrize("test", [stuart_maxwell, bowker, wilcoxon_shift])
def test_merging_equal_sums_reaches_further_with_the_same_p(test):
    """5·4·6·5·3·4 = 7,200 outcomes, but far fewer sums: merged, they stay within a limit of 2,000."""
    counts = table([3, 3, 1, 4], [1, 4, 2, 1], [2, 3, 2, 2], [1, 1, 1, 5])
    every = test(counts, ExactOptions(outcomes=100_000))
    merged = test(counts, ExactOptions(outcomes=2_000))
    assert every.exact_method == merged.exact_method == "enumeration"
    assert merged.exact_p == pytest.approx(every.exact_p, abs=1e-12)


def test_sums_of_keys_have_the_probabilities_of_their_outcomes():
    terms = [np.array([0, 1, 2]), np.array([0, 2, 4, 6]), np.array([5, 3])]
    keys, mass = sum_distribution(terms, 100)
    by_hand = {}
    for ways in product(*(range(len(term)) for term in terms)):
        key = sum(int(term[x]) for term, x in zip(terms, ways, strict=True))
        share = np.prod([comb(len(term) - 1, x) / 2 ** (len(term) - 1) for term, x in zip(terms, ways, strict=True)])
        by_hand[key] = by_hand.get(key, 0) + share
    assert dict(zip(keys.tolist(), mass.tolist(), strict=True)) == pytest.approx(by_hand)
    assert sum_distribution(terms, 5) is None


def test_monte_carlo_takes_over_beyond_the_limit_and_is_seeded():
    counts = table([3, 9, 1], [2, 4, 8], [1, 3, 2])
    exact = stuart_maxwell(counts, OPTIONS)
    drawn = stuart_maxwell(counts, ExactOptions(outcomes=10, draws=40_000, seed=3))
    assert drawn.exact_method.startswith("Monte Carlo")
    assert drawn.exact_p == pytest.approx(exact.exact_p, abs=0.01)
    assert drawn.exact_p == stuart_maxwell(counts, ExactOptions(outcomes=10, draws=40_000, seed=3)).exact_p


def test_disconnected_levels_reduce_the_degrees_of_freedom():
    found = stuart_maxwell(table([5, 4, 0, 0], [1, 5, 0, 0], [0, 0, 5, 6], [0, 0, 1, 5]), OPTIONS)
    assert (found.statistic, found.df) == (pytest.approx(5.3714, abs=5e-5), 2)
    assert found.p == pytest.approx(0.0682, abs=5e-5)


def test_a_never_confused_level_keeps_all_items_in_bhapkar():
    counts = table([13, 0, 0], [0, 20, 7], [0, 4, 56])
    homogeneity = stuart_maxwell(counts, OPTIONS)
    found = bhapkar(homogeneity, 100)
    assert (found.statistic, found.df) == (pytest.approx(0.8249, abs=5e-5), 1)
    assert found.exact_p == homogeneity.exact_p


def test_bhapkar_is_undefined_where_it_would_be_infinite():
    counts = table([0, 0, 6], [0, 0, 0], [0, 0, 0])
    found = bhapkar(stuart_maxwell(counts, OPTIONS), 6)
    assert (found.statistic, found.p) == (None, None)
    assert found.reason
    assert found.exact_p == pytest.approx(2**-5)


def test_zero_cells_stay_zero():
    counts = table([10, 5, 0, 0], [3, 8, 2, 0], [0, 1, 9, 4], [0, 0, 0, 7])
    before = counts.copy()
    pair_tests(counts, OPTIONS)
    assert (counts == before).all()


def test_bowker_counts_only_pairs_that_occur():
    found = bowker(table([3, 0, 0], [1, 4, 1], [0, 1, 0]), OPTIONS)
    assert (found.statistic, found.df, found.exact_p) == (pytest.approx(1.0), 2, pytest.approx(1.0))


def test_perfect_agreement_leaves_nothing_to_test():
    tests = pair_tests(np.diag([3, 4, 3]).astype(np.int64), OPTIONS)
    for name in ("stuart_maxwell", "bhapkar", "bowker"):
        assert (tests[name].statistic, tests[name].df, tests[name].p) == (0.0, 0, None)
        assert tests[name].reason
    assert tests["wilcoxon_shift"].p is None


def test_a_pair_without_a_common_item_has_reasons_and_no_figures():
    for test in pair_tests(np.zeros((3, 3), np.int64), OPTIONS).values():
        assert test.statistic is None
        assert "share no item" in test.reason


def test_mcnemar_has_no_continuity_correction():
    found = mcnemar(table([0, 5], [5, 0]))
    assert (found.statistic, found.p, found.exact_p) == (0.0, pytest.approx(1.0), 1.0)
    approval = mcnemar(table([794, 150], [86, 570]))
    assert approval.statistic == pytest.approx(64**2 / 236)
    assert approval.mid_p < approval.exact_p
    assert mcnemar(table([1, 0, 0], [0, 1, 0], [0, 0, 1])).reason


def test_wilcoxon_drops_zeros_and_uses_mid_ranks():
    a, b = [3, 2, 3, 1, 2, 3, 2, 3], [2, 2, 1, 1, 3, 1, 1, 2]
    counts = np.zeros((3, 3), np.int64)
    np.add.at(counts, (np.array(a) - 1, np.array(b) - 1), 1)
    found = wilcoxon_shift(counts, OPTIONS)
    assert (found.statistic, found.exact_p) == (18.5, pytest.approx(0.15625))
    sign = sign_shift(counts)
    assert (sign.statistic, sign.exact_p) == (5.0, pytest.approx(2 * (1 + 6) / 2**6))


def test_chi2_exact_p_is_that_of_all_permutations():
    counts = table([2, 1, 0], [0, 2, 1], [1, 0, 1])
    rows, columns = np.nonzero(counts)
    first = np.repeat(rows, counts[rows, columns])
    second = np.repeat(columns, counts[rows, columns])
    found = chi2_independence(counts, OPTIONS)

    def statistic(other):
        seen = np.zeros((3, 3))
        np.add.at(seen, (first, other), 1)
        expected = counts.sum(1)[:, None] * counts.sum(0) / counts.sum()
        return ((seen - expected) ** 2 / expected).sum()

    values = [statistic(np.array(other)) for other in permutations(second.tolist())]
    assert found.exact_p == pytest.approx(np.mean(np.array(values) >= found.statistic - 1e-9))
    assert found.min_p == pytest.approx(np.mean(np.array(values) >= max(values) - 1e-9))
    drawn = chi2_independence(counts, ExactOptions(outcomes=3, draws=40_000))
    assert drawn.exact_p == pytest.approx(found.exact_p, abs=0.01)
    assert drawn.min_p is None


def test_chi2_ignores_empty_levels_and_says_when_it_cannot_be_computed():
    assert chi2_independence(table([5, 2, 0], [2, 1, 0], [0, 0, 0]), OPTIONS).df == 1
    assert chi2_independence(table([5, 2], [0, 0]), OPTIONS).reason


def test_friedman_against_scipy_and_brute_force():
    from scipy.stats import friedmanchisquare

    rows = np.array([[0, 1, 2], [0, 2, 1], [1, 1, 2], [0, 0, 1]], np.int32)
    found = friedman(rows, np.ones(4, np.int64), OPTIONS)
    theirs = friedmanchisquare(*rows.T)
    assert (found.statistic, found.p) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))
    values = np.array(
        [friedmanchisquare(*np.array(shuffled).T).statistic for shuffled in product(*(permutations(r) for r in rows))]
    )
    assert found.exact_p == pytest.approx(np.mean(values >= found.statistic - 1e-9))
    assert found.min_p == pytest.approx(np.mean(values >= values.max() - 1e-9))


def test_friedman_weighs_patterns_and_draws_when_large():
    rows = np.array([[0, 1, 2], [0, 2, 1], [1, 1, 2], [0, 0, 1]], np.int32)
    counts = np.array([4, 2, 5, 3])
    patterns = friedman(rows, counts, OPTIONS)
    items = friedman(np.repeat(rows, counts, axis=0), np.ones(14, np.int64), OPTIONS)
    assert patterns == items
    assert patterns.exact_method.startswith("Monte Carlo")
    assert patterns.exact_p == pytest.approx(patterns.p, abs=0.02)


def test_friedman_shuffles_items_of_many_raters():
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 5, size=(12, 12)).astype(np.int32)
    found = friedman(rows, np.ones(12, np.int64), ExactOptions(draws=4_000))
    assert found.exact_p == pytest.approx(found.p, abs=0.05)


def test_friedman_needs_three_raters_and_disagreement():
    assert friedman(np.zeros((3, 2), np.int32), np.ones(3, np.int64), OPTIONS).reason
    assert "agree on every item" in friedman(np.zeros((3, 3), np.int32), np.ones(3, np.int64), OPTIONS).reason
    assert friedman(np.zeros((0, 3), np.int32), np.zeros(0, np.int64), OPTIONS).reason
