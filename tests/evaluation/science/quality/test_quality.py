"""Each figure against a published value or another way to the same number."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from evaluation.science.agreement import report
from evaluation.science.quality.consistency import self_consistency
from evaluation.science.quality.detection import detection, fisher_exact
from evaluation.science.quality.forecast import days_left
from evaluation.science.quality.runs import chance_of_run, entropy, largest_share, longest_run
from evaluation.science.ratings import RatingsTable


@pytest.mark.parametrize(
    ("levels", "found"),
    [([], (0, None)), ([2], (1, 2)), ([0, 1, 1, 0, 0], (2, 1)), ([0, 1, 1, 2, 2, 2], (3, 2)), ([1] * 5, (5, 1))],
)
def test_the_longest_run_is_the_first_of_its_length(levels, found):
    assert longest_run(levels) == found


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.2, 0.3, 0.5), (1.0, 0.0), (0.7, 0.0, 0.3)])
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_the_chance_of_a_run_is_that_of_all_sequences(shares, n):
    for length in range(1, n + 2):
        counted = sum(
            float(np.prod([shares[level] for level in levels]))
            for levels in itertools.product(range(len(shares)), repeat=n)
            if longest_run(levels)[0] >= length
        )
        assert chance_of_run(shares, n, length) == pytest.approx(counted, abs=1e-12)


def test_the_chance_of_a_run_of_seven_heads_in_a_hundred_tosses():
    # A run of either side of 7 in 100 is one of heads of 6 in 99 (the toss equals the one before): Feller's recurrence.
    without = [2.0**n for n in range(6)] + [0.0] * 94
    for n in range(6, 100):
        without[n] = sum(without[n - 1 - k] for k in range(6))
    assert chance_of_run((0.5, 0.5), 100, 7) == pytest.approx(1 - without[99] / 2.0**99, abs=1e-12)


@pytest.mark.parametrize("arguments", [((0.5, 0.6), 5, 2), ((-0.5, 1.5), 5, 2), ((0.5, 0.5), 5, 0)])
def test_what_is_no_distribution_or_no_run_is_refused(arguments):
    with pytest.raises(ValueError, match=r"shares|run"):
        chance_of_run(*arguments)


def test_entropy_is_scipys_in_units_of_the_declared_levels():
    for counts in ([3, 4, 5], [1, 0, 9], [10, 10]):
        assert entropy(counts) == pytest.approx(stats.entropy(counts, base=len(counts)))
    assert (entropy([7, 0, 0]), entropy([0, 0]), entropy([5])) == (0.0, None, None)
    assert (largest_share([1, 3, 0]), largest_share([0, 0])) == ((0.75, 1), (None, None))


def test_self_consistency_is_the_agreement_of_a_pair_of_passes():
    table = [[4, 1, 0], [1, 3, 1], [0, 2, 3]]
    codes = [(a, b) for a, row in enumerate(table) for b, count in enumerate(row) for _ in range(count)]
    pair = report(RatingsTable.from_codes(np.array(codes), levels=("low", "medium", "high"))).pairs[0]
    found = self_consistency(table)
    assert (found.n, found.same, found.within_one) == (15, 10, 15)
    assert found.share == pytest.approx(pair.coefficients["exact_agreement"].value)
    assert found.ci == pytest.approx(pair.coefficients["exact_agreement"].ci)
    assert found.linear_kappa == pytest.approx(pair.coefficients["cohen_kappa_linear"].value)


def test_self_consistency_that_is_undefined_says_why():
    assert self_consistency([[0, 0], [0, 0]]).reason == "no text was rated twice"
    one_level = self_consistency([[3, 0], [0, 0]])
    assert (one_level.share, one_level.linear_kappa) == (1.0, None)
    assert one_level.reason == "both answers use one level throughout"


def test_fishers_test_is_scipys():
    for table in itertools.product(range(5), repeat=4):
        a, b, c, d = table
        assert fisher_exact(*table) == pytest.approx(stats.fisher_exact([[a, b], [c, d]])[1], abs=1e-12), table


def test_fishers_own_lady_tasting_tea():
    assert fisher_exact(4, 0, 0, 4) == pytest.approx(2 / 70)
    assert fisher_exact(3, 1, 1, 3) == pytest.approx(34 / 70)


def test_detection_by_hand_and_by_another_library():
    found = detection(hits=20, misses=5, false_alarms=10, rejections=15)
    normal = stats.norm
    h, f = 20.5 / 26, 10.5 / 26
    assert found.sensitivity.value == 0.8
    assert found.specificity.value == 0.6
    assert found.youden == pytest.approx(0.4)
    assert found.d_prime == pytest.approx(normal.ppf(h) - normal.ppf(f))
    assert found.criterion == pytest.approx(-(normal.ppf(h) + normal.ppf(f)) / 2)
    se = np.sqrt(sum(p * (1 - p) / (25 * normal.pdf(normal.ppf(p)) ** 2) for p in (h, f)))
    assert found.d_prime_se == pytest.approx(se)
    assert found.sensitivity.ci == pytest.approx(tuple(stats.binomtest(20, 25).proportion_ci(method="wilson")))
    assert found.specificity.ci == pytest.approx(tuple(stats.binomtest(15, 25).proportion_ci(method="wilson")))
    assert found.p == pytest.approx(stats.fisher_exact([[20, 5], [10, 15]])[1])


def test_swapping_person_and_machine_mirrors_detection():
    one = detection(hits=7, misses=2, false_alarms=4, rejections=9)
    other = detection(hits=9, misses=4, false_alarms=2, rejections=7)
    assert (one.sensitivity, one.specificity) == (other.specificity, other.sensitivity)
    assert one.d_prime == pytest.approx(other.d_prime)
    assert one.criterion == pytest.approx(-other.criterion)
    assert one.p == pytest.approx(other.p)


def test_without_a_control_there_is_no_sensitivity_and_perfect_guesses_stay_finite():
    none = detection(hits=0, misses=0, false_alarms=3, rejections=4)
    assert (none.sensitivity.value, none.youden, none.d_prime, none.p) == (None,) * 4
    assert none.reason == "no guess on a text by a person"
    assert none.specificity.value == pytest.approx(4 / 7)
    perfect = detection(hits=5, misses=0, false_alarms=0, rejections=5)
    assert np.isfinite(perfect.d_prime)
    assert perfect.youden == 1.0
    with pytest.raises(ValueError, match="not negative"):
        detection(hits=-1, misses=0, false_alarms=0, rejections=0)


@pytest.mark.parametrize(
    ("counts", "left", "reason"),
    [
        ([5] * 5, 0, "all ratings are in"),
        ([9, 9], 5, "fewer than 3 whole days so far"),
        ([0] * 14, 5, "no rating in the last 14 days"),
        ([3] * 3, 5, "fewer than 10 ratings in the last 3 days"),
    ],
)
def test_too_little_is_no_forecast(counts, left, reason):
    found = days_left(counts, left=left)
    assert (found.days, found.ci, found.reason) == (None, None, reason)


def test_even_days_follow_the_f_distribution():
    found = days_left([10] * 7, left=35)
    assert (found.days, found.a_day, found.dispersion) == (3.5, 10.0, 1.0)
    f = stats.f(70, 140)
    assert found.ci == pytest.approx((3.5 * f.ppf(0.1), 3.5 * f.ppf(0.9)))


def test_uneven_days_widen_the_interval():
    even, uneven = days_left([10] * 6, left=30), days_left([20, 0, 20, 0, 20, 0], left=30)
    assert uneven.days == even.days
    assert uneven.dispersion == pytest.approx(np.var([20, 0, 20, 0, 20, 0], ddof=1) / 10)
    assert uneven.ci[0] < even.ci[0]
    assert uneven.ci[1] > even.ci[1]


def test_the_interval_covers_as_often_as_it_says():
    rng = np.random.default_rng(7)
    rate, days, left = 6.0, 14, 40
    covered = 0
    for _ in range(600):
        found = days_left(rng.poisson(rate, days), left=left)
        took = rng.gamma(left, 1 / rate)
        covered += found.ci[0] <= took <= found.ci[1]
    assert 0.76 <= covered / 600 <= 0.90


def test_the_figures_need_no_django():
    names = ("runs", "consistency", "detection", "forecast")
    imports = "; ".join(f"import evaluation.science.quality.{name}" for name in names)
    code = f"import sys; {imports}; print({{'django', 'scipy.stats', 'pandas'}} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
