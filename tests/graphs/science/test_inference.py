import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from graphs.science.inference import benjamini_hochberg, holm, permutation_p, two_sided_permutation_p

P_VALUES = st.lists(st.none() | st.floats(0, 1), max_size=12)


def test_holm_leaves_undefined_tests_out_of_the_count() -> None:
    assert holm([0.01, None, 0.04, 0.03]) == [pytest.approx(0.03), None, pytest.approx(0.06), pytest.approx(0.06)]


def test_benjamini_hochberg_leaves_undefined_tests_out_of_the_count() -> None:
    adjusted = benjamini_hochberg([0.01, None, 0.04, 0.03])
    assert adjusted == [pytest.approx(0.03), None, pytest.approx(0.04), pytest.approx(0.04)]


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_families_without_tests(adjust: object) -> None:
    assert adjust([]) == []  # type: ignore[operator]
    assert adjust([None, None]) == [None, None]  # type: ignore[operator]


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused(adjust: object, p: float) -> None:
    with pytest.raises(ValueError, match="p-value"):
        adjust([0.5, p])  # type: ignore[operator]


@given(P_VALUES)
def test_benjamini_hochberg_is_scipys(p_values: list[float | None]) -> None:
    defined = [p for p in p_values if p is not None]
    expected = iter(false_discovery_control(defined) if defined else [])
    for p, adjusted in zip(p_values, benjamini_hochberg(p_values), strict=True):
        assert adjusted == (None if p is None else pytest.approx(next(expected)))


@given(P_VALUES, st.floats(0.001, 0.999))
def test_holm_rejects_what_its_procedure_rejects(p_values: list[float | None], level: float) -> None:
    """Step down while the next p is small enough for the tests that are left."""
    remaining = sorted(p for p in p_values if p is not None)
    rejected = set()
    while remaining and remaining[0] * len(remaining) <= level:
        rejected.add(remaining.pop(0))
    for p, adjusted in zip(p_values, holm(p_values), strict=True):
        if p is not None and adjusted is not None:
            assert (adjusted <= level) == (p in rejected)


@given(P_VALUES)
def test_adjusting_keeps_the_order_and_never_lowers_a_p(p_values: list[float | None]) -> None:
    for adjust in (holm, benjamini_hochberg):
        pairs = sorted(
            (p, q) for p, q in zip(p_values, adjust(p_values), strict=True) if p is not None and q is not None
        )
        assert all(p <= q + 1e-15 and q <= 1 for p, q in pairs)
        assert [q for _, q in pairs] == sorted(q for _, q in pairs)


def test_shared_families(shared: Path) -> None:
    checked = 0
    for case in json.loads((shared / "cases" / "statistics.json").read_text("utf-8")):
        for name, adjust in (("holm", holm), ("bh", benjamini_hochberg)):
            if case["kind"] == "p_adjust":
                expected = [None if p is None else pytest.approx(p, rel=1e-12) for p in case["expected"][name]]
                assert adjust(case["input"]["p"]) == expected
                checked += 1
    assert checked == 6


def test_two_sided_p_counts_ties_on_both_sides() -> None:
    assert two_sided_permutation_p(2.0, [1, 2, 2, 3, 4]) == min(1, 2 * min(1 + 4, 1 + 3) / 6)
    assert two_sided_permutation_p(3.0, [1, 2, 2, 3, 4]) == 2 * (1 + 2) / 6
    assert two_sided_permutation_p(2.0, [2, 2, 2]) == 1.0


def test_p_is_never_zero() -> None:
    assert two_sided_permutation_p(9.0, np.zeros(999)) == 2 / 1000
    assert two_sided_permutation_p(-9.0, np.zeros(999)) == 2 / 1000
    assert permutation_p(9.0, np.zeros(999)) == 1 / 1000
    assert permutation_p(-9.0, np.zeros(999)) == 1.0


def test_rounding_makes_ties() -> None:
    draws = [1.0 - 1e-15, 1.0 + 1e-15]
    assert two_sided_permutation_p(1.0 + 3e-15, draws) == 1.0
    assert two_sided_permutation_p(0.0, [1e-15] * 99) == 2 / 100
    assert two_sided_permutation_p(0.0, [1e-15] * 99, rounding=1e-12) == 1.0


def test_p_is_uniform_under_the_null() -> None:
    random = np.random.default_rng(5)
    p_values = [two_sided_permutation_p(row[0], row[1:]) for row in random.normal(size=(4000, 20))]
    # Ten equally likely pairs of ranks.
    assert np.bincount(np.rint(np.array(p_values) * 10).astype(int))[1:] == pytest.approx(400, abs=90)


@pytest.mark.parametrize(("observed", "draws"), [(1.0, []), (float("nan"), [1.0]), (1.0, [float("inf")])])
def test_undefined_values_are_refused(observed: float, draws: list[float]) -> None:
    with pytest.raises(ValueError, match="permutation p needs"):
        two_sided_permutation_p(observed, draws)
