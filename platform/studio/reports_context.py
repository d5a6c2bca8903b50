"""From a study's figures to what the report's template draws: every number already in its printed form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from evaluation.reports.data import StudyData
from evaluation.reports.words import agreement_words, decimal, p_value, share, shift_words
from evaluation.selectors.agreement import Scale
from evaluation.selectors.left_out import MISSING, SET_ASIDE
from studio.reports_names import COEFFICIENTS, HEADLINE, TESTS
from studio.reports_pictures import forest, heat_map

__all__ = ["criterion_section"]

# More are in the export; a page is for reading.
DISAGREEMENTS = 25
PAIRS_IN_TABLE = 45
PAIRS_IN_FULL = 6
ALSO_DRAWN = (
    "scott_pi",
    "krippendorff_alpha_ordinal",
    "conger_kappa",
    "gwet_ac1",
    "gwet_ac2_linear",
    "brennan_prediger",
)


def criterion_section(*, data: StudyData, scale: Scale, found: Mapping[str, Any]) -> dict[str, Any]:
    """The section of one criterion; `found` is its entry in the agreement JSON."""
    pairs = found["pairs"]
    shown = [_pair(pair, scale) for pair in pairs[:PAIRS_IN_TABLE]]
    single = pairs[0] if len(pairs) == 1 else None
    lead = single["coefficients"] if single else found["overall"]
    names = HEADLINE["pair" if single else "overall"]
    return {
        "scale": scale,
        "items": found["items"],
        "raters": found["raters"],
        "ratings": found["ratings"],
        "words": [agreement_words(criterion=found, name=scale.name), shift_words(criterion=found)],
        "warnings": found["warnings"],
        "headline": [estimate_row(name, lead[name]) for name in names],
        "forest": forest([(COEFFICIENTS.get(name, name), lead[name]) for name in _drawn(lead, names)]),
        "single": bool(single),
        "overall": [estimate_row(name, estimate) for name, estimate in found["overall"].items()],
        "overall_tests": [test_row(name, test) for name, test in found["marginal_tests"].items()],
        "pairs": shown,
        "pairs_in_full": shown if len(shown) <= PAIRS_IN_FULL else [],
        "more_pairs": max(0, len(pairs) - PAIRS_IN_TABLE),
        "disagreements": _disagreements(data, scale),
        "left_out": _left_out(data, scale),
    }


def estimate_row(name: str, estimate: Mapping[str, Any]) -> dict[str, Any]:
    value, interval = estimate["value"], estimate["ci"]
    printed = share if name == "exact_agreement" else decimal
    return {
        "name": COEFFICIENTS.get(name, name),
        "value": None if value is None else printed(value),
        "interval": None if interval is None else f"{printed(interval[0])} to {printed(interval[1])}",
        "method": estimate["ci_method"],
        "se": None if estimate["se"] is None else decimal(estimate["se"], 3),
        "n": estimate["n"],
        "reason": estimate["reason"],
        "band": (estimate.get("landis_koch") or {}).get("band"),
    }


def test_row(name: str, test: Mapping[str, Any]) -> dict[str, Any]:
    label, question = TESTS.get(name, (name, ""))
    return {
        "name": label,
        "question": question,
        "statistic": None if test["statistic"] is None else decimal(test["statistic"]),
        "df": test["df"],
        "p": None if test["p"] is None else p_value(test["p"]).removeprefix("= "),
        "exact_p": None if test["exact_p"] is None else p_value(test["exact_p"]).removeprefix("= "),
        "min_p": None if test["min_p"] is None else p_value(test["min_p"]).removeprefix("= "),
        "reason": test["reason"],
    }


def _drawn(lead: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """The headline first, then the other coefficients that share the axis of agreement."""
    return [*names, *(name for name in ALSO_DRAWN if name in lead and name not in names)]


def _pair(pair: Mapping[str, Any], scale: Scale) -> dict[str, Any]:
    coefficients = pair["coefficients"]
    return {
        "raters": pair["raters"],
        "n": pair["n"],
        "summary": [estimate_row(name, coefficients[name]) for name in HEADLINE["pair"]],
        "heat_map": heat_map(pair, scale.labels),
        "coefficients": [estimate_row(name, estimate) for name, estimate in coefficients.items()],
        "tests": [test_row(name, test) for name, test in pair["marginal_tests"].items()],
    }


def _disagreements(data: StudyData, scale: Scale) -> dict[str, Any]:
    """Items on which raters differ, the widest apart first."""
    items = {item.pk: item for item in data.items}
    labels = {rater.pk: rater.label for rater in data.raters}
    apart = [row for row in data.item_ratings.get(scale.pk, []) if row.spread]
    apart.sort(key=lambda row: (-row.spread, items[row.item].position))
    rated = sum(len(row.levels) > 1 for row in data.item_ratings.get(scale.pk, []))
    return {
        "total": len(apart),
        "of": rated,
        "rest": max(0, len(apart) - DISAGREEMENTS),
        "rows": [
            {
                "item": items[row.item].external_id,
                "answers": [
                    (labels[reviewer], scale.labels[level])
                    for reviewer, level in zip(row.reviewers, row.levels, strict=True)
                ],
                "spread": row.spread,
            }
            for row in apart[:DISAGREEMENTS]
        ],
    }


def _left_out(data: StudyData, scale: Scale) -> dict[str, Any]:
    left = asdict(data.left_out[scale.pk])
    return {
        "planned": left["planned"],
        "counted": left["counted"],
        "missing": [(MISSING[reason], number) for reason, number in left["missing"].items()],
        "set_aside": [(SET_ASIDE[reason], number) for reason, number in left["set_aside"].items()],
    }
