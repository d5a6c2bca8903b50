"""Coefficients against figures printed in the literature: these need nothing beside the check-out."""

import pytest

from evaluation.science.agreement import report
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.ratings import RatingsTable

WALD = IntervalOptions(method="wald", bootstrap=0)


def pair_of(table, levels=None):
    levels = levels or list(range(1, len(table) + 1))
    return report(RatingsTable.from_contingency(table, levels=levels), options=WALD).pairs[0]


def overall_of(ratings, levels):
    index = {level: i for i, level in enumerate(levels)}
    codes = [[index.get(value, -1) for value in row] for row in ratings]
    return report(RatingsTable.from_codes(codes, levels=levels), options=WALD).overall


def test_cohen_1968():
    pair = pair_of([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    assert pair.coefficients["cohen_kappa"].value == pytest.approx(0.492, abs=5e-4)
    # A level with equal totals is no reason to drop it: 13.51, where some software prints 12.80.
    assert pair.marginal_tests["stuart_maxwell"].statistic == pytest.approx(13.5135, abs=5e-5)


def test_fleiss_cohen_everitt_1969():
    assert pair_of([[53, 5, 2], [11, 14, 5], [1, 6, 3]]).coefficients["cohen_kappa"].value == pytest.approx(
        0.429, abs=5e-4
    )


def test_sas_example_with_an_empty_column():
    pair = pair_of([[0, 4, 1], [0, 8, 0], [0, 1, 5]])
    for name, value, se in (("cohen_kappa", 0.4842, 0.1380), ("cohen_kappa_linear", 0.4701, 0.1457)):
        assert pair.coefficients[name].value == pytest.approx(value, abs=5e-5)
        assert pair.coefficients[name].se == pytest.approx(se, abs=5e-5)


def test_agresti_carcinoma():
    kappa = pair_of([[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]]).coefficients["cohen_kappa"]
    assert (kappa.value, kappa.se) == (pytest.approx(0.493, abs=5e-4), pytest.approx(0.057, abs=5e-4))


def test_gwet_abstractors():
    pair = pair_of([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
    expected = {
        "cohen_kappa": 0.7964094,
        "scott_pi": 0.7962397,
        "gwet_ac1": 0.8493305,
        "brennan_prediger": 0.835,
        "krippendorff_alpha_nominal": 0.7972585,
    }
    for name, value in expected.items():
        assert pair.coefficients[name].value == pytest.approx(value, abs=5e-8), name


@pytest.mark.parametrize(
    ("table", "kappa"),
    [([[40, 9], [6, 45]], 0.70), ([[45, 15], [25, 15]], 0.13), ([[25, 35], [5, 35]], 0.26)],
)
def test_feinstein_cicchetti_1990(table, kappa):
    assert pair_of(table).coefficients["cohen_kappa"].value == pytest.approx(kappa, abs=5e-3)


def test_fleiss_1971_as_on_wikipedia():
    counts = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    ratings = [[level for level, n in enumerate(row, 1) for _ in range(n)] for row in counts]
    assert overall_of(ratings, [1, 2, 3, 4, 5])["fleiss_kappa"].value == pytest.approx(0.210, abs=5e-4)


def test_krippendorff_2011_four_coders():
    none = None
    ratings = [
        [1, 1, none, 1],
        [2, 2, 3, 2],
        [3, 3, 3, 3],
        [3, 3, 3, 3],
        [2, 2, 2, 2],
        [1, 2, 3, 4],
        [4, 4, 4, 4],
        [1, 1, 2, 1],
        [2, 2, 2, 2],
        [none, 5, 5, 5],
        [none, none, 1, 1],
        [none, none, 3, none],
    ]
    found = overall_of(ratings, [1, 2, 3, 4, 5])
    expected = {
        "krippendorff_alpha_nominal": (0.743, 5e-4),
        "krippendorff_alpha_ordinal": (0.815, 5e-4),
        "krippendorff_alpha_interval": (0.849, 5e-4),
        "gwet_ac1": (0.77544, 5e-6),
        "fleiss_kappa_available": (0.76117, 5e-6),
        "conger_kappa": (0.76282, 5e-6),
        "brennan_prediger": (0.77273, 5e-6),
        "exact_agreement": (0.81818, 5e-6),
    }
    for name, (value, tolerance) in expected.items():
        assert found[name].value == pytest.approx(value, abs=tolerance), name


def test_shrout_fleiss_1979():
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    found = overall_of(ratings, list(range(1, 11)))
    assert found["icc_a1"].value == pytest.approx(0.29, abs=5e-3)
    assert found["icc_c1"].value == pytest.approx(0.71, abs=5e-3)
    # The interval of ICC(3,1) that SPSS and R print for these data.
    assert found["icc_c1"].ci == pytest.approx((0.342, 0.946), abs=5e-4)


def test_stuart_1955_unaided_vision():
    tests = pair_of(
        [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
    ).marginal_tests
    assert tests["stuart_maxwell"].statistic == pytest.approx(11.96, abs=5e-3)
    assert tests["bhapkar"].statistic == pytest.approx(11.98, abs=5e-3)
    assert tests["bowker"].statistic == pytest.approx(19.11, abs=5e-3)
    assert tests["stuart_maxwell"].df == 3
    assert tests["bowker"].df == 6
    assert tests["stuart_maxwell"].exact_method.startswith("Monte Carlo")
    assert tests["stuart_maxwell"].exact_p == pytest.approx(tests["stuart_maxwell"].p, abs=0.005)


def test_the_alphabet_does_not_touch_the_paper_table():
    """One table, levels low < medium < high: 0.53, where sorting the labels by the alphabet gives 0.26."""
    pair = pair_of([[3, 0, 0], [1, 4, 1], [0, 1, 0]], ["low", "medium", "high"])
    assert pair.coefficients["cohen_kappa_linear"].value == pytest.approx(17 / 32, abs=1e-12)
    assert pair.coefficients["cohen_kappa"].value == pytest.approx(9 / 19, abs=1e-12)
    sorted_labels = pair_of([[0, 0, 1], [0, 3, 0], [1, 1, 4]], ["high", "low", "medium"])
    assert sorted_labels.coefficients["cohen_kappa_linear"].value == pytest.approx(9 / 34, abs=1e-12)
    chi2 = pair.marginal_tests["chi2_independence"]
    assert (chi2.statistic, chi2.df) == (pytest.approx(83 / 12), 4)
    assert chi2.p == pytest.approx(0.1404, abs=5e-5)
    assert chi2.exact_p == pytest.approx(1 / 7)


def test_ten_levels_are_ordered_as_declared_not_as_strings():
    table = RatingsTable.from_codes(
        [[0, 1], [8, 9], [9, 9], [1, 2], [4, 4]], levels=[str(level) for level in range(1, 11)]
    )
    by_hand = 1 - 5 * 3 / sum(abs(a - b) for a in (0, 8, 9, 1, 4) for b in (1, 9, 9, 2, 4))
    found = report(table, options=WALD).pairs[0].coefficients["cohen_kappa_linear"].value
    assert found == pytest.approx(by_hand, abs=1e-12)
