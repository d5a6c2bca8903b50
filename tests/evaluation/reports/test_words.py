"""What the report says in words, for each kind of result."""

import pytest

from evaluation.reports.words import (
    agreement_words,
    correlation_words,
    count,
    decimal,
    p_value,
    reach_words,
    shift_words,
)
from evaluation.science.agreement import report
from evaluation.science.ratings import RatingsTable

LEVELS = ("low", "medium", "high")


def criterion(table, **given):
    return report(RatingsTable.from_contingency(table, levels=LEVELS), **given).to_json()


def test_few_items_leave_bands_open():
    words = agreement_words(criterion=criterion([[2, 1, 0], [1, 1, 1], [0, 1, 3]]), name="Meaningfulness")
    assert words.startswith("Two raters, ten items: moderate agreement on Meaningfulness (linear κ 0.56, 95 % CI −0.07")
    assert words.endswith(
        "The interval reaches across six bands, from poor to almost perfect: too few items to tell them apart."
    )


def test_many_items_settle_the_band():
    words = agreement_words(criterion=criterion([[400, 90, 20], [90, 400, 90], [20, 90, 400]]), name="Importance")
    assert words.startswith("Two raters, 1,600 items: substantial agreement on Importance")
    assert words.endswith("The whole interval is substantial.")


def test_an_interval_that_reaches_into_one_more_band():
    assert reach_words(0.45, 0.7) == (
        "The interval reaches from moderate into substantial: too few items to tell the two apart."
    )
    assert reach_words(-0.1, 0.1).startswith("The interval reaches from poor into slight")


def test_complete_agreement_has_no_interval_and_says_why():
    words = agreement_words(criterion=criterion([[5, 0, 0], [0, 5, 0], [0, 0, 5]]), name="Clarity")
    assert "almost perfect agreement on Clarity (linear κ 1.00; no interval: agreement is complete" in words


def test_an_undefined_kappa_has_its_reason():
    words = agreement_words(criterion=criterion([[5, 0, 0], [0, 0, 0], [0, 0, 0]]), name="Clarity")
    assert "cannot be computed: all ratings are at one level" in words


def test_more_raters_are_led_by_alpha():
    found = report(RatingsTable.from_codes([[0, 0, 1], [1, 1, 1], [2, 2, 1], [2, 1, 2]], levels=LEVELS)).to_json()
    assert "ordinal α" in agreement_words(criterion=found, name="Clarity")
    assert "Friedman" in shift_words(criterion=found)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[4, 0, 0], [8, 0, 0], [0, 0, 0]], "r2 is stricter than r1 (r1 is higher on eight"),
        ([[4, 8, 0], [0, 0, 0], [0, 0, 0]], "r1 is stricter than r2 (r1 is higher on"),
        ([[2, 0, 0], [2, 2, 0], [0, 0, 2]], "Too few differences to tell"),
        ([[2, 4, 0], [4, 2, 0], [0, 0, 2]], "No sign that one rater is stricter"),
        ([[2, 0, 0], [0, 2, 0], [0, 0, 2]], "r1 and r2 never differ."),
    ],
)
def test_who_is_stricter(table, words):
    said = shift_words(criterion=criterion(table))
    assert said.startswith(words.replace("eight", "8"))


def entry(metric, rho, holm):
    return {"metric": metric, "n": 12, "spearman": {"value": rho, "p_holm": holm}}


def test_what_holds_after_correction_is_named_the_strongest_first():
    rows = [entry("a", 0.5, 0.01), entry("b", -0.7, 0.001), entry("c", 0.2, 0.6), entry("d", None, None)]
    names = {"a": "Efficiency", "b": "Gap", "c": "Radius", "d": "Area"}
    assert correlation_words(rows=rows, name="Clarity", measures=names) == (
        "Clarity: mean ratings go with Gap (ρ −0.70), Efficiency (ρ 0.50), after Holm’s correction."
    )
    assert correlation_words(rows=rows[2:], name="Clarity", measures=names) == (
        "Clarity: no measure stands out after Holm’s correction; the largest ρ is 0.20 (Radius, twelve items, "
        "adjusted p = 0.600)."
    )
    assert "no measure can be correlated" in correlation_words(rows=rows[3:], name="Clarity", measures=names)


def test_numbers_in_print():
    assert [count(1, "item"), count(12, "item"), count(13, "item"), count(0, "item")] == [
        "one item",
        "twelve items",
        "13 items",
        "no items",
    ]
    assert [decimal(-0.001), decimal(-0.5), decimal(0.125, 3)] == ["0.00", "−0.50", "0.125"]
    assert [p_value(0.0004), p_value(0.0314), p_value(1.0)] == ["< 0.001", "= 0.031", "= 1.000"]
