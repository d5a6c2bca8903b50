"""From a criterion's figures to what the report's template draws: every number already in its printed form.

The figures of a study and of a file of ratings have one shape, so that both get one report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from evaluation.reports import words
from evaluation.reports.phrases import worded
from evaluation.reports.words import agreement_words, decimal, p_value, share, shift_words
from studio.reports.bands import band_strip
from studio.reports.names import COEFFICIENTS, HEADLINE, TESTS
from studio.reports.pictures import forest, heat_map, level_bars

__all__ = ["Heading", "criterion_section"]

# More are in the export; a page is for reading.
PAIRS_IN_TABLE = 45
PAIRS_IN_FULL = 6
RATERS_SHOWN = 50
ALSO_DRAWN = (
    "scott_pi",
    "krippendorff_alpha_ordinal",
    "conger_kappa",
    "gwet_ac1",
    "gwet_ac2_linear",
    "brennan_prediger",
)


@dataclass(frozen=True)
class Heading:
    """A criterion as the page names it; `key` is part of the addresses inside the page."""

    key: str
    name: str
    labels: tuple[str, ...]


def criterion_section(
    *,
    heading: Heading,
    found: Mapping[str, Any],
    apart: Mapping[str, Any],
    use: Sequence[Mapping[str, Any]],
    left_out: Mapping[str, Any] | None = None,
    pairs_are: str = "",
    items_are: str = "",
) -> dict[str, Any]:
    """The section of one criterion.

    `found` is its entry in the agreement JSON, `apart` and `use` come from `evaluation.reports.rated_items`;
    `pairs_are` and `items_are` say where the rows are that a page leaves out.
    """
    pairs = found["pairs"]
    shown = [_pair(pair, heading) for pair in pairs[:PAIRS_IN_TABLE]]
    single = pairs[0] if len(pairs) == 1 else None
    lead = single["coefficients"] if single else found["overall"]
    names = HEADLINE["pair" if single else "overall"]
    return {
        "scale": heading,
        "items": found["items"],
        "raters": found["raters"],
        "ratings": found["ratings"],
        "words": [agreement_words(criterion=found, name=heading.name), shift_words(criterion=found)],
        "bands": band_strip(found),
        "warnings": [worded(warning) for warning in found["warnings"]],
        "headline": [estimate_row(name, lead[name]) for name in names],
        "forest": forest([(COEFFICIENTS.get(name, name), lead[name]) for name in _drawn(lead, names)]),
        "single": bool(single),
        "overall": [estimate_row(name, estimate) for name, estimate in found["overall"].items()],
        "overall_tests": [test_row(name, test) for name, test in found["marginal_tests"].items()],
        "pairs": shown,
        "pooled": None if len(pairs) < 2 else _pooled(pairs, heading),
        "pairs_in_full": shown if len(shown) <= PAIRS_IN_FULL else [],
        "more_pairs": max(0, len(pairs) - PAIRS_IN_TABLE),
        "pairs_are": pairs_are or _("in the export"),
        "items_are": items_are or _("in the export"),
        "disagreements": apart,
        "use": level_bars(use[:RATERS_SHOWN], heading.labels),
        "more_raters": max(0, len(use) - RATERS_SHOWN),
        "left_out": left_out,
    }


def estimate_row(name: str, estimate: Mapping[str, Any]) -> dict[str, Any]:
    value, interval = estimate["value"], estimate["ci"]
    printed = share if name == "exact_agreement" else decimal
    return {
        "name": COEFFICIENTS.get(name, name),
        "value": None if value is None else printed(value),
        "interval": None if interval is None else words.between(printed(interval[0]), printed(interval[1])),
        "method": estimate["ci_method"],
        "se": None if estimate["se"] is None else decimal(estimate["se"], 3),
        "n": estimate["n"],
        "reason": worded(estimate["reason"]),
        "band": worded((estimate.get("landis_koch") or {}).get("band")),
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
        "reason": worded(test["reason"]),
    }


def _drawn(lead: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """The headline first, then the other coefficients that share the axis of agreement."""
    return [*names, *(name for name in ALSO_DRAWN if name in lead and name not in names)]


def _pair(pair: Mapping[str, Any], heading: Heading) -> dict[str, Any]:
    coefficients = pair["coefficients"]
    return {
        "raters": pair["raters"],
        "n": pair["n"],
        "summary": [estimate_row(name, coefficients[name]) for name in HEADLINE["pair"]],
        "heat_map": heat_map(pair["table"], heading.labels) | {"raters": pair["raters"]},
        "coefficients": [estimate_row(name, estimate) for name, estimate in coefficients.items()],
        "tests": [test_row(name, test) for name, test in pair["marginal_tests"].items()],
    }


def _pooled(pairs: Sequence[Mapping[str, Any]], heading: Heading) -> dict[str, Any]:
    """All pairs of ratings of one item, either rater first: which levels are confused with which."""
    levels = range(len(heading.labels))
    table = [
        [sum(pair["table"][row][column] + pair["table"][column][row] for pair in pairs) for column in levels]
        for row in levels
    ]
    return heat_map(table, heading.labels) | {"pairs": sum(pair["n"] for pair in pairs)}
