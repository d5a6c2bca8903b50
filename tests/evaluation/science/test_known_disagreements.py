"""Where libraries in wide use print something else, with the input that shows it and the figure that is right.

Libraries that are installed with the tests are run, so that a release that mends its ways fails here and the page can
say so. R packages are not run: what they print is on record, and here stands the right value.
"""

import warnings

import numpy as np
import pytest

from evaluation.science.agreement import report
from evaluation.science.correlations.permutation import spearman_permutation
from evaluation.science.correlations.rank import spearman_rho
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.ratings import MISSING, RatingsTable
from evaluation.science.reading.errors import RatingsFileError
from evaluation.science.reading.options import ReadOptions
from evaluation.science.reading.ratings_file import read_ratings
from graphs.science.inference import benjamini_hochberg, holm

LEVELS = ("low", "medium", "high")
PAPER = [[3, 0, 0], [1, 4, 1], [0, 1, 0]]
WALD = IntervalOptions(method="wald", bootstrap=0)


def pair_of(table, levels=None):
    return report(RatingsTable.from_contingency(table, levels=levels or range(len(table))), options=WALD).pairs[0]


def overall_of(codes, levels=LEVELS):
    return report(RatingsTable.from_codes(codes, levels=levels), options=WALD).overall


def linear_weights(k):
    index = np.arange(k)
    return np.abs(index[:, None] - index[None, :]) / (k - 1)


# --- Order and levels -------------------------------------------------------------------------------------------------


def test_irr_sorts_ten_numeric_levels_as_text():
    """irr 0.84.1 puts level 10 between 1 and 2; the scale is declared here, so that nothing is sorted."""
    rng = np.random.default_rng(2)
    first = rng.integers(1, 11, 40)
    second = np.clip(first + rng.integers(-1, 2, 40), 1, 10)
    as_numbers = pair_of(np.histogram2d(first, second, bins=np.arange(1, 12))[0].astype(int), range(1, 11))
    as_text = sorted(map(str, range(1, 11)))
    places = {level: as_text.index(str(level)) for level in range(1, 11)}
    a, b = (np.array([places[x] for x in ratings.tolist()]) for ratings in (first, second))
    wrong = pair_of(np.histogram2d(a, b, bins=np.arange(11))[0].astype(int))
    right = as_numbers.coefficients["cohen_kappa_linear"].value
    assert right == pytest.approx(1 - np.abs(first - second).mean() / np.abs(first[:, None] - second).mean())
    assert wrong.coefficients["cohen_kappa_linear"].value < right - 0.1


def test_a_declared_level_that_nobody_used_still_takes_its_place():
    """irr re-ranks the used levels 1, 2, 3, 4, 6 of six and prints .1459 and .2520; statsmodels' tests copy it."""
    table = np.zeros((6, 6), int)
    table[:4, :4] = [[0, 0, 1, 0], [4, 0, 1, 0], [2, 3, 3, 0], [0, 2, 0, 1]]
    table[3, 5] = table[5, 0] = table[5, 3] = 1
    found = pair_of(table, range(1, 7)).coefficients
    assert found["cohen_kappa_linear"].value == pytest.approx(0.126213592233)
    assert found["cohen_kappa_quadratic"].value == pytest.approx(0.229797979798)
    # DescTools takes ranks of the used levels for the interval alpha too: .1860.
    assert found["krippendorff_alpha_interval"].value == pytest.approx(0.173671413685)
    used = np.delete(np.delete(table, 4, axis=0), 4, axis=1)
    assert pair_of(used).coefficients["cohen_kappa_linear"].value == pytest.approx(0.1459, abs=5e-5)


def test_scikit_learn_drops_ratings_that_are_not_among_the_labels():
    from sklearn.metrics import cohen_kappa_score

    first = ["low", "low", "Medium", "high", "high", "medium"]
    second = ["low", "medium", "medium", "high", "low", "medium"]
    silent = cohen_kappa_score(first, second, labels=list(LEVELS))
    assert silent == pytest.approx(
        cohen_kappa_score(first[:2] + first[3:], second[:2] + second[3:], labels=list(LEVELS))
    )
    rows = "\n".join(f"{i},{a},{b}" for i, (a, b) in enumerate(zip(first, second, strict=True)))
    with pytest.raises(RatingsFileError, match=r"row 4.*'Medium'"):
        read_ratings(f"item,ana,ben\n{rows}\n".encode(), options=ReadOptions(levels=LEVELS))


def test_statsmodels_takes_a_matrix_of_weights_as_disagreement():
    from statsmodels.stats.inter_rater import cohens_kappa

    table, v = np.array(PAPER, float), linear_weights(3)
    ours = pair_of(PAPER).coefficients["cohen_kappa_linear"].value
    assert cohens_kappa(table, weights=v).kappa == pytest.approx(ours)
    assert cohens_kappa(table, weights=1 - v).kappa == pytest.approx(-0.25)


# --- Undefined is neither 0 nor 1 -------------------------------------------------------------------------------------


def test_one_level_throughout():
    """NLTK and irr print an alpha of 1; Krippendorff's package raises, scikit-learn and statsmodels print nan."""
    import krippendorff
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import cohens_kappa

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isnan(cohen_kappa_score(["high"] * 10, ["high"] * 10))
        assert np.isnan(cohens_kappa(np.array([[0, 0], [0, 10.0]])).kappa)
    with pytest.raises(ValueError, match="more than one value"):
        krippendorff.alpha(reliability_data=[[2] * 10] * 2, level_of_measurement="nominal")
    found = overall_of(np.full((10, 2), 2))
    for name in ("krippendorff_alpha_nominal", "fleiss_kappa", "conger_kappa", "mean_pairwise_cohen_kappa"):
        assert found[name].value is None, name
        assert found[name].reason, name
    assert "0/0" in found["krippendorff_alpha_nominal"].reason
    assert (found["gwet_ac1"].value, found["brennan_prediger"].value) == (1.0, pytest.approx(1.0))


def test_one_item():
    """irrCAC for Python divides by zero."""
    differ, same = (overall_of([codes])["mean_pairwise_cohen_kappa"] for codes in ([0, 2], [1, 1]))
    assert differ.value == pytest.approx(0.0)
    assert same.value is None
    assert same.reason


def test_two_items_are_two_items_and_not_a_table():
    """irr and psych read a 2×2 matrix of ratings as a contingency table."""
    found = pair_of([[1, 0, 0], [0, 0, 0], [0, 1, 0]])
    assert found.n == 2
    assert found.coefficients["cohen_kappa"].value == pytest.approx(1 / 3)
    assert found.marginal_tests["stuart_maxwell"].statistic == pytest.approx(1.0)
    assert found.marginal_tests["bhapkar"].statistic == pytest.approx(2.0)


# --- Missing ratings --------------------------------------------------------------------------------------------------


def test_statsmodels_refuses_unequal_numbers_of_ratings_without_a_word():
    from statsmodels.stats.inter_rater import fleiss_kappa

    with pytest.raises(AssertionError) as silent:
        fleiss_kappa(np.array([[3, 0], [1, 1]]))
    assert not str(silent.value)
    found = overall_of([[0, 0, 0], [0, 1, MISSING]], levels=("no", "yes"))
    assert found["fleiss_kappa_available"].value is not None
    assert found["fleiss_kappa"].value is None


def test_statsmodels_counts_nan_as_a_level():
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    ratings = np.array([[0, 0, np.nan], [0, np.nan, 0], [1, np.nan, 1]])
    counts, levels = aggregate_raters(ratings)
    assert np.isnan(levels).any()
    assert fleiss_kappa(counts) < 0
    codes = np.where(np.isnan(ratings), MISSING, ratings).astype(int)
    assert overall_of(codes, levels=("no", "yes"))["fleiss_kappa_available"].value == pytest.approx(1.0)


def test_an_item_with_one_rating_does_not_matter_to_alpha():
    """irr 0.84.1 prints .056 for three coders and ten items, and .072 once such an item is added."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (10, 3))
    lonely = np.vstack([codes, [[1, MISSING, MISSING]]])
    before, after = (overall_of(c)["krippendorff_alpha_nominal"].value for c in (codes, lonely))
    assert after == pytest.approx(before)
    import krippendorff

    assert before == pytest.approx(
        krippendorff.alpha(reliability_data=codes.T, level_of_measurement="nominal", value_domain=[0, 1, 2])
    )


# --- Marginal tests ---------------------------------------------------------------------------------------------------


def test_stuart_maxwell_keeps_levels_with_equal_totals():
    """irr 0.84.1 drops the middle level of Cohen's (1968) table and prints 12.80."""
    found = pair_of([[88, 14, 18], [10, 40, 10], [2, 6, 12]]).marginal_tests
    assert found["stuart_maxwell"].statistic == pytest.approx(13.5135135135)
    assert found["stuart_maxwell"].df == 2


def test_statsmodels_has_no_answer_where_discordance_falls_apart():
    from statsmodels.stats.contingency_tables import SquareTable

    table = [[5, 4, 0, 0], [1, 5, 0, 0], [0, 0, 5, 6], [0, 0, 1, 5]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = SquareTable(np.array(table, float), shift_zeros=False).homogeneity("stuart_maxwell")
    assert np.isnan(theirs.statistic)
    found = pair_of(table).marginal_tests["stuart_maxwell"]
    assert (found.statistic, found.df) == (pytest.approx(5.3714, abs=5e-5), 2)
    assert found.p == pytest.approx(0.0682, abs=5e-5)
    assert found.exact_p is not None


def test_bhapkar_counts_all_items_and_only_real_degrees_of_freedom():
    """DescTools 0.99.61 drops a level and then counts the items that are left, on k − 1 degrees of freedom: .8259."""
    found = pair_of([[13, 0, 0], [0, 20, 7], [0, 4, 56]]).marginal_tests["bhapkar"]
    assert (found.statistic, found.df) == (pytest.approx(0.824931255729), 1)


def test_bowker_counts_pairs_of_levels_that_occur():
    """R's mcnemar.test prints NaN here; statsmodels counts empty pairs as degrees of freedom."""
    from statsmodels.stats.contingency_tables import SquareTable

    theirs = SquareTable(np.array(PAPER, float), shift_zeros=False).symmetry()
    assert (theirs.statistic, theirs.df) == (1.0, 3)
    found = pair_of(PAPER).marginal_tests["bowker"]
    assert (found.statistic, found.df, found.exact_p) == (pytest.approx(1.0), 2, pytest.approx(1.0))


def test_statsmodels_writes_into_the_callers_table():
    from statsmodels.stats.contingency_tables import SquareTable

    table = np.array([[4.0, 0, 2], [0, 0, 0], [1, 0, 3]])
    SquareTable(table)
    assert (table == 0.5).any()
    table = np.array([[4, 0, 2], [0, 0, 0], [1, 0, 3]])
    kept = table.copy()
    pair_of(table)
    assert (table == kept).all()


# --- Standard errors and p values -------------------------------------------------------------------------------------


def test_the_error_of_weighted_kappa_has_row_and_column_weights_in_place():
    """psych 2.2.9 had them exchanged. An influence computed from the definition alone decides."""
    table = np.array([[10, 4, 1, 0], [5, 10, 12, 2], [2, 4, 12, 5], [0, 2, 6, 13]])
    v = linear_weights(4)

    def kappa(p):
        return 1 - (v * p).sum() / (v * np.outer(p.sum(1), p.sum(0))).sum()

    p, step = table / table.sum(), 1e-6
    influence = np.empty_like(p)
    for cell in np.ndindex(p.shape):
        unit = np.zeros_like(p)
        unit[cell] = 1.0
        ends = (kappa((1 - side * step) * p + side * step * unit) for side in (1, -1))
        influence[cell] = np.subtract(*ends) / (2 * step)
    by_definition = np.sqrt((p * influence**2).sum() / table.sum())
    assert pair_of(table).coefficients["cohen_kappa_linear"].se == pytest.approx(by_definition, rel=1e-6)


def test_scipy_is_certain_of_six_ranks():
    from scipy.stats import spearmanr

    x = np.arange(6.0)
    assert spearmanr(x, x).pvalue == 0.0
    assert spearman_rho(x, x) == pytest.approx(1.0)
    found = spearman_permutation(x, x, None, arrangements=10_000, draws=1000, seed=0)
    assert found.p == pytest.approx(2 / 720)


def test_statsmodels_lets_an_undefined_test_count():
    from statsmodels.stats.multitest import multipletests

    values = [0.01, np.nan, 0.04, 0.03]
    assert multipletests(values, method="holm")[1][[0, 2, 3]] == pytest.approx([0.04, 0.09, 0.09])
    assert np.isnan(multipletests(values, method="fdr_bh")[1]).all()
    given = [0.01, None, 0.04, 0.03]
    assert holm(given) == [pytest.approx(0.03), None, pytest.approx(0.06), pytest.approx(0.06)]
    assert benjamini_hochberg(given) == [pytest.approx(0.03), None, pytest.approx(0.04), pytest.approx(0.04)]
