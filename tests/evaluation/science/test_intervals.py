"""Intervals and standard errors against slow, independent computations."""

import numpy as np
import pytest

from evaluation.science.agreement import report
from evaluation.science.bands import BANDS, band, band_probabilities
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.intervals.fisher_z import fisher_z
from evaluation.science.intervals.wilson import wilson
from evaluation.science.marginal.options import ExactOptions
from evaluation.science.ratings import RatingsTable

TABLE = np.array([[20, 5, 2], [3, 18, 6], [1, 4, 21]])


def pair(method, counts=TABLE, **options):
    table = RatingsTable.from_contingency(counts, levels=range(len(counts)))
    return report(table, options=IntervalOptions(method=method, **options)).pairs[0].coefficients


def items_of(counts):
    rows, columns = np.nonzero(counts)
    return np.repeat(np.column_stack([rows, columns]), counts[rows, columns], axis=0)


def linear_kappa(items, k=3):
    a, b = items[:, 0], items[:, 1]
    observed = np.abs(a - b).mean()
    expected = np.abs(a[:, None] - b[None, :]).mean()
    return 1 - observed / expected


def test_jackknife_t_is_that_of_leaving_out_each_item():
    items = items_of(TABLE)
    n = len(items)
    without = np.array([linear_kappa(np.delete(items, i, axis=0)) for i in range(n)])
    se = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    from scipy.stats import t

    value = linear_kappa(items)
    half = t.ppf(0.975, n - 1) * se
    found = pair("jackknife-t")["cohen_kappa_linear"]
    assert found.value == pytest.approx(value)
    assert found.ci == pytest.approx((value - half, value + half))
    assert found.ci_method == "jackknife-t"


def test_the_default_is_the_jackknife_t_on_fishers_z_scale():
    plain, found = (pair(method)["cohen_kappa_linear"] for method in ("jackknife-t", "auto"))
    half = (plain.ci[1] - plain.ci[0]) / 2
    z = np.arctanh(found.value)
    reach = half / (1 - found.value**2)
    assert found.ci == pytest.approx((np.tanh(z - reach), np.tanh(z + reach)))
    assert found.ci_method == "fisher-z"
    # A coefficient with other bounds is carried to those of a correlation first.
    plain, found = (pair(method)["gwet_ac2_linear"] for method in ("jackknife-t", "auto"))
    lowest = -(5 / 9) / (4 / 9)
    half = (plain.ci[1] - plain.ci[0]) / (1 - lowest)
    r = 2 * (found.value - lowest) / (1 - lowest) - 1
    ends = (np.tanh(np.arctanh(r) + side * half / (1 - r**2)) for side in (-1, 1))
    assert found.ci == pytest.approx(tuple(lowest + (end + 1) / 2 * (1 - lowest) for end in ends))


def test_fishers_z_needs_an_estimate_inside_the_range():
    low, high = fisher_z([1.0, -1.0, 0.5], [0.1, 0.1, np.nan], 10, 0.95)
    assert np.isnan(low).all()
    assert np.isnan(high).all()
    low, high = fisher_z([0.999, -0.999], [0.3, 0.3], 10, 0.95)
    assert (low >= -1).all()
    assert (high <= 1).all()


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
def test_bootstraps_agree_with_scipy_on_raw_items(method, theirs):
    from scipy.stats import bootstrap

    items = items_of(TABLE)
    reference = bootstrap(
        (np.arange(len(items)),),
        lambda chosen: linear_kappa(items[chosen]),
        vectorized=False,
        n_resamples=4000,
        method=theirs,
        random_state=np.random.default_rng(5),
    ).confidence_interval
    found = pair(method, bootstrap=20_000)["cohen_kappa_linear"]
    assert found.ci == pytest.approx((reference.low, reference.high), abs=0.02)
    assert found.ci_method == method


def test_multi_rater_bootstrap_resamples_items():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 40)
    codes = np.where(rng.random((40, 3)) < 0.6, truth[:, None], rng.integers(0, 3, (40, 3)))
    codes[rng.random((40, 3)) < 0.15] = -1
    table = RatingsTable.from_codes(codes, levels=range(3))
    found = report(table, options=IntervalOptions(method="percentile", bootstrap=4000)).overall

    def by_items(chosen):
        resampled = RatingsTable.from_codes(codes[chosen], levels=range(3))
        return report(resampled, options=IntervalOptions(bootstrap=0), exact=ExactOptions(outcomes=1, draws=1)).overall

    drawn = [by_items(rng.integers(0, 40, 40)) for _ in range(80)]
    for name in ("krippendorff_alpha_ordinal", "gwet_ac2_linear", "conger_kappa", "mean_pairwise_cohen_kappa"):
        width = np.subtract(*np.quantile([overall[name].value for overall in drawn], [0.975, 0.025]))
        assert found[name].ci[1] - found[name].ci[0] == pytest.approx(width, rel=0.35), name


def test_perfect_agreement_never_prints_a_point():
    counts = np.diag([3, 4, 3])
    for method in ("auto", "wald", "jackknife-t", "fisher-z", "percentile", "bca"):
        kappa = pair(method, counts)["cohen_kappa"]
        assert (kappa.value, kappa.ci, kappa.ci_method) == (1.0, None, None)
        assert "complete" in kappa.reason
    share = pair("auto", counts)["exact_agreement"]
    assert share.ci == pytest.approx((0.7225, 1.0), abs=5e-5)
    assert share.ci_method == "wilson"


def test_wilson_against_the_score_test_it_inverts():
    low, high = wilson(0.7, 10, 0.95)
    for end in (low, high):
        assert abs(0.7 - end) / np.sqrt(end * (1 - end) / 10) == pytest.approx(1.959964, abs=1e-5)


def test_wilson_carries_over_to_brennan_prediger():
    found = pair("auto")
    share, corrected = found["exact_agreement"], found["brennan_prediger"]
    assert corrected.ci == pytest.approx(tuple((end - 1 / 3) / (2 / 3) for end in share.ci))


def test_confidence_widens():
    narrow, wide = (pair("auto", confidence=level)["cohen_kappa"].ci for level in (0.8, 0.99))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_same_seed_same_interval_and_another_seed_another():
    first, again, other = (pair("percentile", seed=seed)["cohen_kappa"].ci for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_undefined_resamples_are_counted():
    counts = np.array([[4, 1], [0, 0]])
    found = pair("percentile", counts)["cohen_kappa"]
    # All five draws fall into the first cell with probability 0.8^5 = 0.33: then kappa is 0/0.
    assert found.undefined_resamples == pytest.approx(0.8**5 * 2000, rel=0.1)


def test_very_many_patterns_are_resampled_in_the_limit(monkeypatch):
    counts = TABLE * 20
    drawn = pair("auto", counts, bootstrap=20_000)["cohen_kappa_linear"]
    monkeypatch.setattr("evaluation.science.intervals.choice._MOST_DRAWN_COUNTS", 0)
    limiting = pair("auto", counts, bootstrap=20_000)["cohen_kappa_linear"]
    assert limiting.ci == drawn.ci
    for name, share in drawn.landis_koch.probabilities.items():
        assert limiting.landis_koch.probabilities[name] == pytest.approx(share, abs=0.02)
    # Where resampling was asked for, it is done.
    monkeypatch.undo()
    asked = pair("percentile", counts)["cohen_kappa_linear"]
    monkeypatch.setattr("evaluation.science.intervals.choice._MOST_DRAWN_COUNTS", 0)
    assert pair("percentile", counts)["cohen_kappa_linear"] == asked


def test_clusters_of_copies_count_once():
    """Each item copied three times within its cluster: the interval is that of the items, not of the copies."""
    items = items_of(np.array([[6, 2, 0], [1, 5, 3], [0, 2, 6]]))
    single = RatingsTable.from_codes(items, levels=range(3))
    copied = RatingsTable.from_codes(
        np.repeat(items, 3, axis=0), levels=range(3), clusters=np.repeat(np.arange(len(items)), 3).tolist()
    )
    for method in ("wald", "jackknife-t"):
        options = IntervalOptions(method=method)
        one, three = (report(t, options=options) for t in (single, copied))
        for name in ("cohen_kappa", "cohen_kappa_linear"):
            left, right = one.pairs[0].coefficients[name], three.pairs[0].coefficients[name]
            assert right.value == pytest.approx(left.value)
            assert right.ci == pytest.approx(left.ci)
        left, right = one.overall["fleiss_kappa"], three.overall["fleiss_kappa"]
        assert right.ci == pytest.approx(left.ci)


def test_singleton_clusters_are_items():
    items = items_of(TABLE)
    plain = RatingsTable.from_codes(items, levels=range(3))
    each = RatingsTable.from_codes(items, levels=range(3), clusters=list(range(len(items))))
    options = IntervalOptions(method="jackknife-t")
    for name in ("krippendorff_alpha_ordinal", "gwet_ac1", "mean_pairwise_cohen_kappa", "icc_a1"):
        left, right = (report(t, options=options).overall[name] for t in (plain, each))
        assert left.ci == pytest.approx(right.ci), name


def test_few_clusters_are_warned_of():
    items = items_of(TABLE)
    table = RatingsTable.from_codes(items, levels=range(3), clusters=[i % 4 for i in range(len(items))])
    assert any("only 4 clusters" in warning for warning in report(table).warnings)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (-0.01, "poor"),
        (0.0, "slight"),
        (0.2, "slight"),
        (0.21, "fair"),
        (0.6, "moderate"),
        (0.61, "substantial"),
        (0.8, "substantial"),
        (0.81, "almost perfect"),
        (1.0, "almost perfect"),
    ],
)
def test_bands(value, name):
    assert band(value) == name


def test_band_probabilities_follow_the_bands():
    values = np.array([-0.2, 0.0, 0.2, 0.3, 0.6, 0.7, 0.9, np.nan])
    shares = band_probabilities(values)
    assert sum(shares.values()) == pytest.approx(1.0)
    for name in shares:
        assert shares[name] == pytest.approx(sum(band(v) == name for v in values[:-1]) / 7)
    assert list(shares) == ["poor", *(name for name, _ in BANDS)]
