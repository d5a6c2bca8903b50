"""What must stay unchanged when ratings are told differently."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from evaluation.science.agreement import report
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.marginal.options import ExactOptions
from evaluation.science.ratings import MISSING, RatingsTable

OPTIONS = IntervalOptions(method="jackknife-t", bootstrap=0)
EXACT = ExactOptions(outcomes=20_000, draws=500)
FLIPPED = {"prevalence_index", "bias_index"}


TWO_TO_FOUR = st.integers(2, 4)


def ratings(raters=TWO_TO_FOUR, smallest=MISSING):
    return st.integers(2, 4).flatmap(
        lambda k: st.tuples(
            st.just(k),
            hnp.arrays(
                np.int32, st.tuples(st.integers(1, 9), raters), elements=st.integers(smallest, k - 1), fill=st.nothing()
            ),
        )
    )


def analyse(k, codes):
    return report(RatingsTable.from_codes(codes, levels=list(range(k))), options=OPTIONS, exact=EXACT)


def same(a, b):
    if a is None or b is None:
        return a is b
    return a == pytest.approx(b, abs=1e-9)


def assert_same_estimates(left, right):
    for name, estimate in left.items():
        other = right[name]
        assert same(estimate.value, other.value), name
        assert same(estimate.se, other.se), name
        assert same(estimate.ci, other.ci), name


@settings(max_examples=25, deadline=None)
@given(ratings(), st.randoms(use_true_random=False))
def test_relabelling_raters(drawn, random):
    k, codes = drawn
    order = list(range(codes.shape[1]))
    random.shuffle(order)
    before, after = analyse(k, codes), analyse(k, codes[:, order])
    assert_same_estimates(before.overall, after.overall)
    assert same(before.marginal_tests["friedman"].statistic, after.marginal_tests["friedman"].statistic)


@settings(max_examples=25, deadline=None)
@given(ratings(), st.randoms(use_true_random=False))
def test_permuting_items(drawn, random):
    k, codes = drawn
    order = list(range(len(codes)))
    random.shuffle(order)
    before, after = analyse(k, codes), analyse(k, codes[order])
    assert before.to_json() == after.to_json()


@settings(max_examples=25, deadline=None)
@given(ratings())
def test_reversing_levels(drawn):
    k, codes = drawn
    before, after = analyse(k, codes), analyse(k, np.where(codes == MISSING, MISSING, k - 1 - codes))
    assert_same_estimates(before.overall, after.overall)
    for left, right in zip(before.pairs, after.pairs, strict=True):
        for name, estimate in left.coefficients.items():
            value = right.coefficients[name].value
            if name in FLIPPED and value is not None:
                value = -value
            assert same(estimate.value, value), name
        for name, test in left.marginal_tests.items():
            assert same(test.exact_p, right.marginal_tests[name].exact_p), name


@settings(max_examples=25, deadline=None)
@given(ratings())
def test_adding_an_item_and_a_rater_without_ratings(drawn):
    k, codes = drawn
    wider = np.pad(codes, ((0, 1), (0, 1)), constant_values=MISSING)
    before, after = analyse(k, codes), analyse(k, wider)
    assert_same_estimates(before.overall, after.overall)
    assert [pair.to_json() for pair in before.pairs] == [pair.to_json() for pair in after.pairs]


@settings(max_examples=25, deadline=None)
@given(ratings())
def test_an_item_with_one_rating_is_nothing_to_alpha(drawn):
    k, codes = drawn
    lonely = np.full((1, codes.shape[1]), MISSING)
    lonely[0, 0] = k - 1
    before, after = analyse(k, codes), analyse(k, np.vstack([codes, lonely]))
    for metric in ("nominal", "ordinal", "interval"):
        name = f"krippendorff_alpha_{metric}"
        assert same(before.overall[name].value, after.overall[name].value)
        assert same(before.overall[name].ci, after.overall[name].ci)


@settings(max_examples=25, deadline=None)
@given(ratings(raters=st.just(2), smallest=0))
def test_two_complete_raters_make_the_families_meet(drawn):
    k, codes = drawn
    found = analyse(k, codes)
    pair = found.pairs[0].coefficients
    assert same(found.overall["conger_kappa"].value, pair["cohen_kappa"].value)
    assert same(found.overall["mean_pairwise_cohen_kappa_linear"].value, pair["cohen_kappa_linear"].value)
    assert same(found.overall["fleiss_kappa"].value, pair["scott_pi"].value)
    assert same(found.overall["fleiss_kappa_available"].value, pair["scott_pi"].value)
    for name in ("gwet_ac1", "gwet_ac2_ordinal", "krippendorff_alpha_ordinal", "icc_a1", "exact_agreement"):
        assert same(found.overall[name].value, pair[name].value), name


@settings(max_examples=60, deadline=None)
@given(ratings())
def test_no_figure_is_a_stand_in_for_undefined(drawn):
    k, codes = drawn
    found = analyse(k, codes)
    for estimates in (found.overall, *(pair.coefficients for pair in found.pairs)):
        for name, estimate in estimates.items():
            assert (estimate.value is None) <= bool(estimate.reason), name
            assert estimate.value is None or np.isfinite(estimate.value), name
            if estimate.ci is None:
                assert estimate.reason, name
            else:
                assert estimate.ci[0] < estimate.ci[1], name
    for pair in found.pairs:
        for name, test in pair.marginal_tests.items():
            for p in (test.p, test.exact_p, test.min_p, test.mid_p):
                assert p is None or 0 <= p <= 1 + 1e-12, name
            if test.exact_method == "enumeration" and test.min_p is not None:
                assert test.exact_p >= test.min_p - 1e-9, name
