"""Agreement with widely used libraries where they are right, and the known difference where they are not."""

import warnings

import numpy as np
import pytest

from evaluation.science.agreement import report
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.ratings import MISSING, RatingsTable

LEVELS = ("low", "medium", "high")
WALD = IntervalOptions(method="wald", bootstrap=0)


def pair_of(table, levels=None):
    return report(RatingsTable.from_contingency(table, levels=levels or range(len(table))), options=WALD).pairs[0]


def labels_of(table, levels):
    rows, columns = np.nonzero(table)
    counts = np.asarray(table)[rows, columns]
    names = np.array(levels)
    return names[np.repeat(rows, counts)], names[np.repeat(columns, counts)]


@pytest.fixture(scope="module")
def random_tables():
    rng = np.random.default_rng(7)
    return [rng.integers(0, 9, (k, k)) + np.diag([4] * k) for k in (2, 3, 4, 5) for _ in range(3)]


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_as_scikit_learn_with_declared_labels(random_tables, weights):
    from sklearn.metrics import cohen_kappa_score

    name = f"cohen_kappa_{weights}" if weights else "cohen_kappa"
    for table in random_tables:
        levels = list(range(len(table)))
        theirs = cohen_kappa_score(*labels_of(table, levels), labels=levels, weights=weights)
        assert pair_of(table).coefficients[name].value == pytest.approx(theirs, abs=1e-12)


def test_kappa_and_its_error_as_statsmodels(random_tables):
    from statsmodels.stats.inter_rater import cohens_kappa

    for table in random_tables:
        for weights, name in (
            (None, "cohen_kappa"),
            ("linear", "cohen_kappa_linear"),
            ("quadratic", "cohen_kappa_quadratic"),
        ):
            theirs = cohens_kappa(table.astype(float), wt=weights)
            ours = pair_of(table).coefficients[name]
            assert ours.value == pytest.approx(theirs.kappa, abs=1e-12)
            assert ours.se == pytest.approx(theirs.std_kappa, abs=1e-10)
            assert ours.ci == pytest.approx((theirs.kappa_low, theirs.kappa_upp), abs=1e-10)


def test_marginal_tests_as_statsmodels_without_its_shift(random_tables):
    from statsmodels.stats.contingency_tables import SquareTable

    for table in random_tables:
        theirs = SquareTable(table.astype(float), shift_zeros=False)
        tests = pair_of(table).marginal_tests
        homogeneity = theirs.homogeneity("stuart_maxwell")
        assert tests["stuart_maxwell"].statistic == pytest.approx(homogeneity.statistic)
        assert tests["stuart_maxwell"].p == pytest.approx(homogeneity.pvalue)
        assert tests["bhapkar"].statistic == pytest.approx(theirs.homogeneity("bhapkar").statistic)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert tests["bowker"].statistic == pytest.approx(np.nan_to_num(theirs.symmetry().statistic), abs=1e-9)


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_alpha_as_krippendorff(metric):
    import krippendorff

    rng = np.random.default_rng(3)
    for _ in range(10):
        codes = rng.integers(0, 4, (12, 4))
        codes[rng.random(codes.shape) < 0.3] = MISSING
        data = np.where(codes == MISSING, np.nan, codes).T
        theirs = krippendorff.alpha(reliability_data=data, level_of_measurement=metric, value_domain=[0, 1, 2, 3])
        ours = report(RatingsTable.from_codes(codes, levels=range(4)), options=WALD).overall
        assert ours[f"krippendorff_alpha_{metric}"].value == pytest.approx(theirs, abs=1e-12)


def test_fleiss_as_statsmodels():
    from statsmodels.stats.inter_rater import fleiss_kappa

    rng = np.random.default_rng(5)
    codes = rng.integers(0, 3, (15, 4))
    counts = np.stack([(codes == level).sum(axis=1) for level in range(3)], axis=1)
    ours = report(RatingsTable.from_codes(codes, levels=range(3)), options=WALD).overall["fleiss_kappa"].value
    assert ours == pytest.approx(fleiss_kappa(counts), abs=1e-12)


def test_scikit_learn_sorts_text_labels_by_the_alphabet():
    from sklearn.metrics import cohen_kappa_score

    table = [[3, 0, 0], [1, 4, 1], [0, 1, 0]]
    assert cohen_kappa_score(*labels_of(table, LEVELS), weights="linear") == pytest.approx(0.264706, abs=1e-6)
    assert pair_of(table, LEVELS).coefficients["cohen_kappa_linear"].value == pytest.approx(0.53125, abs=1e-12)


def test_scikit_learn_counts_observed_levels_only():
    from sklearn.metrics import cohen_kappa_score

    a, b = [0, 0, 2, 3, 3, 0], [0, 2, 2, 3, 2, 0]
    table = RatingsTable.from_codes(np.column_stack([a, b]), levels=range(4))
    ours = report(table, options=WALD).pairs[0].coefficients["cohen_kappa_linear"].value
    assert ours == pytest.approx(cohen_kappa_score(a, b, weights="linear", labels=[0, 1, 2, 3]))
    assert ours != pytest.approx(cohen_kappa_score(a, b, weights="linear"), abs=1e-3)


def test_statsmodels_fills_empty_cells_by_default():
    from statsmodels.stats.contingency_tables import SquareTable

    table = np.array([[5, 3, 0, 0], [3, 11, 4, 0], [2, 13, 3, 4], [1, 2, 4, 14]])
    assert SquareTable(table.astype(float)).homogeneity("stuart_maxwell").statistic == pytest.approx(6.652, abs=5e-4)
    tests = pair_of(table).marginal_tests
    assert tests["stuart_maxwell"].statistic == pytest.approx(9.145, abs=5e-4)
    assert tests["bhapkar"].statistic == pytest.approx(10.543, abs=5e-4)
    assert tests["bowker"].statistic == pytest.approx(9.765, abs=5e-4)


def test_statsmodels_corrects_mcnemar_for_continuity_into_nonsense():
    from statsmodels.stats.contingency_tables import mcnemar

    table = [[0, 5], [5, 0]]
    assert mcnemar(table, exact=False, correction=True).statistic == pytest.approx(0.1)
    assert pair_of(table).marginal_tests["mcnemar"].statistic == 0.0


def test_a_level_that_nobody_used_still_counts_for_ac1():
    """AC1 and Brennan–Prediger depend on the declared number of levels, not on the observed one."""
    two, three = (pair_of(np.pad([[4, 2], [1, 3]], (0, extra))).coefficients for extra in (0, 1))
    assert two["brennan_prediger"].value == pytest.approx((0.7 - 1 / 2) / (1 / 2))
    assert three["brennan_prediger"].value == pytest.approx((0.7 - 1 / 3) / (2 / 3))
    assert two["cohen_kappa_linear"].value == pytest.approx(three["cohen_kappa_linear"].value)
    assert two["gwet_ac1"].value != pytest.approx(three["gwet_ac1"].value, abs=1e-3)


@pytest.mark.parametrize(
    ("codes", "alpha"),
    [
        # None is not a level: these coders never disagree.
        ([[0, 0, MISSING], [0, MISSING, 0], [1, MISSING, 1]], 1.0),
        # One deviating rating among equal ones: 0 by design.
        ([[2, 2, 2, 2, 2], [2, 2, 2, 2, 2], [2, 2, 2, 2, 0]], 0.0),
    ],
)
def test_alpha_of_reported_stumbling_blocks(codes, alpha):
    found = report(RatingsTable.from_codes(codes, levels=range(3)), options=WALD).overall
    assert found["krippendorff_alpha_nominal"].value == pytest.approx(alpha, abs=0.02)


def test_a_degenerate_table_has_an_error_of_zero_and_no_interval():
    kappa = pair_of([[60, 29], [0, 0]]).coefficients["cohen_kappa"]
    assert (kappa.value, kappa.ci) == (pytest.approx(0.0), None)
    assert kappa.reason


def test_one_disagreeing_item():
    pair = pair_of([[0, 0, 1], [0, 0, 0], [0, 0, 0]]).coefficients
    assert pair["cohen_kappa"].value == pytest.approx(0.0)
    assert pair["krippendorff_alpha_nominal"].value == pytest.approx(0.0)
    assert pair["cohen_kappa"].ci is None
    assert pair["gwet_ac1"].se is None
