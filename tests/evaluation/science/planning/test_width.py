"""Expected widths against the report's own intervals and against large-sample theory."""

import numpy as np
import pytest

from evaluation.science.agreement import report
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.planning.design import Design
from evaluation.science.planning.population import population
from evaluation.science.planning.samples import jackknifed_alpha, jackknifed_kappa
from evaluation.science.planning.width import ALPHA, expected_precision, items_needed, kappa_name
from evaluation.science.ratings import RatingsTable


@pytest.mark.parametrize("levels", [4, 6])  # fewer cells than items, and more
@pytest.mark.parametrize("raters", [2, 3])
def test_stacks_give_the_figures_of_the_report(raters, levels):
    codes = population(levels, 0.5, margin="skewed").draw(25, raters, 6, np.random.default_rng(4))
    kappa, alpha = jackknifed_kappa(codes, levels), jackknifed_alpha(codes, levels, "ordinal")
    for study, ratings in enumerate(codes):
        found = report(
            RatingsTable.from_codes(ratings, levels=range(levels)), options=IntervalOptions("jackknife-t", bootstrap=0)
        )
        known = found.overall | found.pairs[0].coefficients if raters == 2 else found.overall
        for name, (values, errors) in ((kappa_name(raters), kappa), (ALPHA, alpha)):
            assert values[study] == pytest.approx(known[name].value)
            half = (known[name].ci[1] - known[name].ci[0]) / 2
            # The t quantile for 24 degrees of freedom.
            assert 2.0638986 * errors[study] == pytest.approx(half, rel=1e-5)


def test_width_is_the_mean_width_of_the_reports_default():
    design = Design(kappa=0.5)
    rng = np.random.default_rng(11)
    widths = []
    for ratings in population(3, 0.5).draw(40, 2, 150, rng):
        found = report(RatingsTable.from_codes(ratings, levels=range(3)), options=IntervalOptions(bootstrap=0))
        low, high = found.pairs[0].coefficients["cohen_kappa_linear"].ci
        widths.append(high - low)
    assert expected_precision(40, design)["cohen_kappa_linear"].width == pytest.approx(np.mean(widths), rel=0.04)


def test_large_samples_follow_the_square_root_law():
    found = [expected_precision(n, Design())["cohen_kappa_linear"].width for n in (299, 300, 1200, 30_000)]
    assert found[0] == pytest.approx(found[1], rel=0.03)
    assert found[1] / found[2] == pytest.approx(2)
    assert found[1] / found[3] == pytest.approx(10)


def test_more_raters_and_more_agreement_narrow():
    def width(**design):
        return expected_precision(50, Design(**design))[kappa_name(design.get("raters", 2))].width

    assert width(raters=2) > width(raters=3) > width(raters=6)
    assert width(kappa=0.3) > width(kappa=0.6) > width(kappa=0.9)
    assert width(confidence=0.8) < width(confidence=0.99)


def test_independence_is_planned_for_too():
    found = expected_precision(60, Design(kappa=0.0, levels=5))["cohen_kappa_linear"]
    assert found.low < 0 < found.high
    assert found.expected == pytest.approx(0, abs=0.03)


def test_the_same_seed_gives_the_same_plan():
    first, again, other = (expected_precision(20, Design(), seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("coefficient", [None, ALPHA])
def test_items_needed_is_the_inverse(coefficient):
    design = Design(raters=3, levels=4, kappa=0.6)
    items = items_needed(0.25, design, coefficient=coefficient)
    name = coefficient or kappa_name(3)
    assert expected_precision(items, design)[name].width <= 0.25
    assert expected_precision(items // 2, design)[name].width > 0.25


def test_a_width_that_no_million_items_reach():
    assert items_needed(1e-4, Design()) is None


def test_few_items_often_have_no_interval():
    found = expected_precision(4, Design(kappa=0.95, margin="skewed"))["cohen_kappa_linear"]
    assert found.without_interval > 0.5


@pytest.mark.parametrize(
    "plan",
    [
        lambda: Design(raters=1),
        lambda: Design(raters=21),
        lambda: Design(levels=1),
        lambda: Design(levels=50),
        lambda: Design(kappa=1.0),
        lambda: Design(kappa=-0.2),
        lambda: Design(confidence=1.0),
        lambda: expected_precision(1, Design()),
        lambda: expected_precision(10, Design(), simulations=1),
        lambda: items_needed(0.0, Design()),
        lambda: items_needed(2.5, Design()),
        lambda: items_needed(0.5, Design(), coefficient="gwet_ac1"),
    ],
)
def test_impossible_plans_are_refused(plan):
    with pytest.raises(ValueError, match=r"must|takes|is for"):
        plan()
