"""Every coefficient and test against values from exact rational arithmetic, where the shared cases are at hand."""

import json
from functools import cache
from pathlib import Path

import pytest

from evaluation.science.agreement import CriterionReport, report
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.ratings import MISSING, RatingsTable

CASES = Path(__file__).resolve().parents[3].parent / "shared" / "cases" / "agreement.json"
pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the shared checked values are not beside this check-out")

OVERALL = {
    "percent_agreement": "exact_agreement",
    "light_kappa": "mean_pairwise_cohen_kappa",
    "light_kappa_linear": "mean_pairwise_cohen_kappa_linear",
    "light_kappa_quadratic": "mean_pairwise_cohen_kappa_quadratic",
    "fleiss_kappa_gwet_missing": "fleiss_kappa_available",
    "krippendorff_nominal": "krippendorff_alpha_nominal",
    "krippendorff_ordinal": "krippendorff_alpha_ordinal",
    "krippendorff_interval": "krippendorff_alpha_interval",
    "icc2": "icc_a1",
    "icc3": "icc_c1",
} | {
    name: name
    for name in (
        "conger_kappa",
        "fleiss_kappa",
        "gwet_ac1",
        "gwet_ac2_linear",
        "gwet_ac2_quadratic",
        "brennan_prediger",
        "brennan_prediger_linear",
        "brennan_prediger_quadratic",
    )
}
PAIR = {
    "exact_agreement": "exact_agreement",
    "kappa": "cohen_kappa",
    "kappa_linear": "cohen_kappa_linear",
    "kappa_quadratic": "cohen_kappa_quadratic",
    "kappa_max": "cohen_kappa_max",
} | {name: name for name in ("scott_pi", "pabak", "prevalence_index", "bias_index")}
BANDS = {
    "landis_koch": "cohen_kappa",
    "landis_koch_linear": "cohen_kappa_linear",
    "landis_koch_quadratic": "cohen_kappa_quadratic",
}


ALL = json.loads(CASES.read_text()) if CASES.exists() else []
TWO_RATERS = [case for case in ALL if len(case["ratings"][0]) == 2]
BY_NAME = {case["name"]: case for case in ALL}


@cache
def analyse(name: str) -> CriterionReport:
    case = BY_NAME[name]
    index = {level: i for i, level in enumerate(case["levels"])}
    codes = [[MISSING if value is None else index[value] for value in row] for row in case["ratings"]]
    table = RatingsTable.from_codes(codes, levels=case["levels"])
    return report(table, options=IntervalOptions(method="wald", bootstrap=0))


def close(value: float | None) -> object:
    """The cases print twelve significant digits."""
    return None if value in (None, "Infinity") else pytest.approx(value, rel=1e-9, abs=1e-11)


def an_interval(expected: list[float] | None) -> object:
    """An interval of zero width is never printed."""
    return None if expected is None or expected[0] == expected[1] else tuple(close(end) for end in expected)


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["name"])
def test_overall(case):
    found, expected = analyse(case["name"]).overall, case["expected"]
    # A rater column without any rating is dropped first, so that what is null because of it becomes defined.
    dropped = case["name"] == "edge_rater_all_missing"
    for theirs, ours in OVERALL.items():
        if theirs not in expected or (dropped and expected[theirs] is None):
            continue
        assert found[ours].value == close(expected[theirs]), ours
        assert (found[ours].value is not None) or found[ours].reason, ours
        if f"{theirs}_se" in expected:
            assert found[ours].se == close(expected[f"{theirs}_se"]), ours
        if f"{theirs}_ci95" in expected:
            assert found[ours].ci == an_interval(expected[f"{theirs}_ci95"]), ours


@pytest.mark.parametrize("case", TWO_RATERS, ids=lambda case: case["name"])
def test_pair(case):
    found = analyse(case["name"])
    pair, expected = found.pairs[0], case["expected"]
    for theirs, ours in PAIR.items():
        if theirs not in expected:
            continue
        estimate = pair.coefficients[ours]
        assert estimate.value == close(expected[theirs]), ours
        if f"{theirs}_se" in expected:
            assert estimate.se == close(expected[f"{theirs}_se"]), ours
        if f"{theirs}_ci95" in expected:
            assert estimate.ci == an_interval(expected[f"{theirs}_ci95"]), ours
    for key, ours in BANDS.items():
        verdict = pair.coefficients[ours].landis_koch
        assert (verdict.band if verdict else None) == expected[key]


@pytest.mark.parametrize("case", TWO_RATERS, ids=lambda case: case["name"])
def test_marginal(case):
    found = analyse(case["name"])
    tests, expected = found.pairs[0].marginal_tests, case["expected"]
    for name in ("stuart_maxwell", "bhapkar", "bowker"):
        assert tests[name].statistic == close(expected[name])
        if expected[name] != "Infinity":
            assert tests[name].p == close(expected[f"{name}_p"])
        if f"{name}_df" in expected:
            assert tests[name].df == expected[f"{name}_df"]
        if f"{name}_p_exact" in expected:
            assert tests[name].exact_p == close(expected[f"{name}_p_exact"])
    if "mcnemar_chi2" in expected:
        mcnemar = tests["mcnemar"]
        assert mcnemar.statistic == close(expected["mcnemar_chi2"])
        assert mcnemar.p == close(expected["mcnemar_p"])
        assert mcnemar.exact_p == close(expected["mcnemar_p_exact"])
        assert mcnemar.mid_p == close(expected["mcnemar_p_mid"])
