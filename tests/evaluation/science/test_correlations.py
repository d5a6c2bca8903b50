"""Rank correlations of items: values, exact and drawn p, clusters, reliability, families."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from evaluation.science.correlations import CorrelationOptions, correlate_items, reliability_of_mean
from evaluation.science.correlations.items import item_scores
from evaluation.science.correlations.permutation import kendall_permutation, spearman_permutation
from evaluation.science.correlations.rank import kendall_p, kendall_tau_b, spearman_p, spearman_rho
from evaluation.science.ratings import RatingsTable

CASES = Path(__file__).resolve().parents[3].parent / "shared" / "cases" / "statistics.json"
CORRELATIONS = (
    [case for case in json.loads(CASES.read_text()) if case["kind"] == "correlation"] if CASES.exists() else []
)
LIMITS = {"arrangements": 500_000, "draws": 2_000, "seed": 0}


@pytest.mark.skipif(not CASES.exists(), reason="the shared checked values are not beside this check-out")
@pytest.mark.parametrize("case", CORRELATIONS, ids=lambda case: case["name"])
def test_shared_cases(case):
    x, y = (np.array(case["input"][name], dtype=float) for name in ("x", "y"))
    expected, theirs = case["expected"], case["implementations"]
    rho, tau = spearman_rho(x, y), kendall_tau_b(x, y)
    if expected["spearman_rho"] is None:
        assert (rho, tau) == (None, None)
        return
    assert rho == pytest.approx(expected["spearman_rho"], abs=1e-12)
    assert tau == pytest.approx(expected["kendall_tau_b"], abs=1e-12)
    assert spearman_p(rho, len(x)) == pytest.approx(theirs["scipy_spearmanr"][1], abs=1e-12)
    assert kendall_p(x, y) == pytest.approx(theirs["scipy_kendalltau_asymptotic_p"], abs=1e-12)
    by_rho, by_tau = spearman_permutation(x, y, None, **LIMITS), kendall_permutation(x, y, None, **LIMITS)
    assert by_rho.p == pytest.approx(expected["spearman_p_exact_permutation"], abs=1e-12)
    assert by_tau.p == pytest.approx(expected["kendall_p_exact_permutation"], abs=1e-12)
    assert by_rho.method == by_tau.method == "enumeration"


def test_asymptotic_p_against_scipy():
    from scipy.stats import kendalltau, spearmanr

    rng = np.random.default_rng(4)
    x, y = rng.integers(0, 4, 30).astype(float), rng.integers(0, 6, 30).astype(float)
    rho, tau = spearmanr(x, y), kendalltau(x, y, method="asymptotic")
    assert (spearman_rho(x, y), spearman_p(spearman_rho(x, y), 30)) == pytest.approx((rho.statistic, rho.pvalue))
    assert (kendall_tau_b(x, y), kendall_p(x, y)) == pytest.approx((tau.statistic, tau.pvalue))


def test_small_samples_get_the_exact_p_where_t_would_mislead():
    """Tied ratings of five items against a perfect ranking: .0138 by t, .0667 over all orders."""
    x, y = np.array([10.0, 10, 20, 30, 30]), np.arange(1.0, 6)
    assert spearman_p(spearman_rho(x, y), 5) == pytest.approx(0.0138, abs=5e-5)
    assert spearman_permutation(x, y, None, **LIMITS).p == pytest.approx(2 / 30)


def test_monte_carlo_is_near_the_exact_p():
    x, y = np.array([1.0, 1, 2, 2, 2, 3, 3, 3, 3, 1]), np.array([0.2, 0.4, 0.3, 0.5, 0.1, 0.6, 0.4, 0.7, 0.3, 0.35])
    for test in (spearman_permutation, kendall_permutation):
        exact = test(x, y, None, arrangements=500_000, draws=1, seed=0)
        drawn = test(x, y, None, arrangements=10, draws=20_000, seed=0)
        assert drawn.method.startswith("Monte Carlo")
        assert drawn.p == pytest.approx(exact.p, abs=0.012)


def test_permutations_stay_within_clusters():
    x, y = np.array([1.0, 2, 3, 7, 8, 9]), np.array([1.0, 3, 2, 7, 9, 8])
    groups = np.array([0, 0, 0, 1, 1, 1])
    found = spearman_permutation(x, y, groups, **LIMITS)
    values = np.array([spearman_rho(np.array([*a, *b]), y) for a in permutations(x[:3]) for b in permutations(x[3:])])
    rho = spearman_rho(x, y)
    assert found.p == pytest.approx(2 * min(np.mean(values >= rho - 1e-9), np.mean(values <= rho + 1e-9)))
    assert found.p > spearman_permutation(x, y, None, **LIMITS).p
    drawn = spearman_permutation(x, y, groups, arrangements=3, draws=20_000, seed=1)
    assert drawn.p == pytest.approx(found.p, abs=0.02)


def ratings(n, seed=0, raters=3):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    seen = truth[:, None] + rng.normal(scale=0.7, size=(n, raters))
    return truth, RatingsTable.from_codes(np.digitize(seen, [-0.5, 0.5]), levels=["low", "medium", "high"])


def test_a_family_of_correlations():
    truth, table = ratings(40)
    rng = np.random.default_rng(1)
    undefined = [None, *truth[1:].tolist()]
    found = correlate_items(
        {"importance": table},
        {"signal": truth.tolist(), "noise": rng.normal(size=40).tolist(), "gaps": undefined, "flat": [1.0] * 40},
        options=CorrelationOptions(draws=999, bootstrap=400),
    )
    signal, noise, gaps, flat = found
    assert signal.spearman.value > 0.6
    assert signal.spearman.ci[0] < signal.spearman.value < signal.spearman.ci[1]
    assert signal.spearman.permutation_p == pytest.approx(0.001)
    assert (gaps.n, gaps.missing) == (39, 1)
    assert (flat.spearman.value, flat.spearman.p_holm) == (None, None)
    assert "same value" in flat.spearman.reason
    # Three defined tests: the undefined one does not count.
    assert signal.spearman.p_holm == pytest.approx(3 * 0.001)
    assert noise.spearman.p_holm >= noise.spearman.permutation_p
    assert signal.family == "1 criteria × 4 metrics"
    json.dumps([entry.to_json() for entry in found], allow_nan=False)


def test_the_ceiling_and_the_corrected_value():
    truth, table = ratings(60, seed=2)
    reliability = reliability_of_mean(table)
    codes = table.codes.astype(float)
    # Cronbach's alpha, from the variances of raters and of sums.
    alpha = 3 / 2 * (1 - codes.var(axis=0, ddof=1).sum() / codes.sum(axis=1).var(ddof=1))
    assert (reliability.value, reliability.name) == (pytest.approx(alpha), "ICC(C,k)")
    entry = correlate_items({"c": table}, {"m": truth.tolist()}, options=CorrelationOptions(draws=99, bootstrap=100))[0]
    assert entry.corrected == pytest.approx(entry.spearman.value / np.sqrt(alpha))


def test_reliability_of_an_incomplete_design_is_named():
    _, table = ratings(60, seed=2)
    codes = table.codes.copy()
    codes[::3, 0] = -1
    found = reliability_of_mean(RatingsTable.from_codes(codes, levels=table.levels))
    assert found.name.startswith("Spearman-Brown")
    assert 0 < found.value < 1
    alone = reliability_of_mean(RatingsTable.from_codes(codes[:, :1], levels=table.levels))
    assert (alone.value, alone.ceiling) == (None, None)
    assert alone.reason


def test_few_clusters_leave_the_interval_out():
    truth, table = ratings(30)
    entry = correlate_items(
        {"c": table},
        {"m": truth.tolist()},
        clusters=[i % 5 for i in range(30)],
        options=CorrelationOptions(draws=99, bootstrap=100),
    )[0]
    assert entry.spearman.ci is None
    assert "5 clusters, fewer than 10" in entry.spearman.reason
    assert entry.clusters == 5


def test_cluster_bootstrap_is_wider_when_items_of_a_cluster_are_copies():
    truth, table = ratings(15, seed=3)
    copied = RatingsTable.from_codes(np.repeat(table.codes, 4, axis=0), levels=table.levels)
    metric = np.repeat(truth + np.random.default_rng(0).normal(size=15), 4).tolist()
    options = CorrelationOptions(draws=99, bootstrap=1000)
    loose = correlate_items({"c": copied}, {"m": metric}, options=options)[0].spearman.ci
    nested = correlate_items({"c": copied}, {"m": metric}, clusters=np.repeat(range(15), 4).tolist(), options=options)
    tight = nested[0].spearman.ci
    assert tight[1] - tight[0] > 1.5 * (loose[1] - loose[0])


def test_simpson_is_seen():
    x = [0, 1, 2, 2, 3, 4, 4, 5, 6]
    table = RatingsTable.from_codes(np.column_stack([x, x]), levels=range(7))
    metric = [3.0, 2, 1, 6, 5, 4, 9, 8, 7]
    entry = correlate_items({"c": table}, {"m": metric}, clusters=[0] * 3 + [1] * 3 + [2] * 3)[0]
    assert entry.spearman.value > 0.5
    assert entry.within == pytest.approx(-1.0)
    assert entry.simpson is True


def test_medians_and_items_without_ratings():
    table = RatingsTable.from_codes([[0, 2, 2], [-1, 1, -1], [-1, -1, -1]], levels=range(3))
    assert item_scores(table)[:2] == pytest.approx([4 / 3, 1.0])
    assert item_scores(table, "median")[:2] == pytest.approx([2.0, 1.0])
    assert np.isnan(item_scores(table)[2])


def test_different_numbers_of_items_are_refused():
    _, table = ratings(5)
    with pytest.raises(ValueError, match="same items"):
        correlate_items({"c": table}, {"m": [1.0, 2.0]})
