"""The report's answer in words, before any table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.science.bands import BANDS, POOR, band

__all__ = [
    "NAMES",
    "agreement_words",
    "correlation_words",
    "count",
    "decimal",
    "headline",
    "p_value",
    "reach_words",
    "share",
    "shift_words",
]

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NAMES = {
    "cohen_kappa_linear": "linear κ",
    "krippendorff_alpha_ordinal": "ordinal α",
}
SIGNIFICANT = 0.05


def agreement_words(*, criterion: Mapping[str, Any], name: str) -> str:
    """One or two sentences: how strong the agreement is, how sure that is, and what stands in the way."""
    found, key = headline(criterion)
    who = f"{count(criterion['raters'], 'rater')}, {count(criterion['items'], 'item')}".capitalize()
    if found["value"] is None:
        return f"{who}: agreement on {name} cannot be computed: {found['reason']}."
    value = f"{NAMES[key]} {decimal(found['value'])}"
    verdict = f"{who}: {band(found['value'])} agreement on {name} ({value}"
    if found["ci"] is None:
        return f"{verdict}; {found['reason']})."
    low, high = found["ci"]
    return f"{verdict}, 95 % CI {decimal(low)} to {decimal(high)}). {reach_words(low, high)}"


def reach_words(low: float, high: float) -> str:
    """How far an interval reaches across the bands of Landis and Koch."""
    names = [POOR, *(name for name, _ in BANDS)]
    lowest, highest = band(low), band(high)
    bands = names.index(highest) - names.index(lowest) + 1
    if bands == 1:
        return f"The whole interval is {lowest}."
    if bands == 2:
        return f"The interval reaches from {lowest} into {highest}: too few items to tell the two apart."
    number = NUMBERS[bands]
    return f"The interval reaches across {number} bands, from {lowest} to {highest}: too few items to tell them apart."


def headline(criterion: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """The one estimate to lead with: linear κ of two raters, ordinal α of more or of rotating ones."""
    if len(criterion["pairs"]) == 1:
        return criterion["pairs"][0]["coefficients"]["cohen_kappa_linear"], "cohen_kappa_linear"
    return criterion["overall"]["krippendorff_alpha_ordinal"], "krippendorff_alpha_ordinal"


def shift_words(*, criterion: Mapping[str, Any]) -> str:
    """Whether one rater gives higher levels than another."""
    if len(criterion["pairs"]) == 1:
        return _pair_shift(criterion["pairs"][0])
    test = criterion["marginal_tests"]["friedman"]
    p = test["exact_p"] if test["exact_p"] is not None else test["p"]
    if p is None:
        return f"Whether a rater is stricter cannot be tested: {test['reason']}."
    if p < SIGNIFICANT:
        return f"The raters differ in strictness (Friedman's test, p {p_value(p)})."
    return f"No sign that a rater is stricter than the others (Friedman's test, p {p_value(p)})."


def _pair_shift(pair: Mapping[str, Any]) -> str:
    first, second = pair["raters"]
    table = pair["table"]
    above = sum(cell for row, cells in enumerate(table) for column, cell in enumerate(cells) if row > column)
    below = sum(cell for row, cells in enumerate(table) for column, cell in enumerate(cells) if row < column)
    test = pair["marginal_tests"]["wilcoxon_shift"]
    p = test["exact_p"] if test["exact_p"] is not None else test["p"]
    if above + below == 0 or p is None:
        return f"{first} and {second} never differ." if pair["n"] else f"{first} and {second} share no item."
    tally = f"{first} is higher on {above}, {second} on {below} of {count(pair['n'], 'item')}; p {p_value(p)}"
    if p < SIGNIFICANT:
        distance = sum(cell * (row - column) for row, cells in enumerate(table) for column, cell in enumerate(cells))
        lenient, strict = (first, second) if distance > 0 else (second, first)
        return f"{strict} is stricter than {lenient} ({tally})."
    if test["min_p"] is not None and test["min_p"] >= SIGNIFICANT:
        return f"Too few differences to tell whether one rater is stricter ({tally})."
    return f"No sign that one rater is stricter ({tally})."


def correlation_words(*, rows: Sequence[Mapping[str, Any]], name: str, measures: Mapping[str, str]) -> str:
    """Which measures go with the mean rating once many tests are allowed for, or how near the nearest comes."""
    defined = [row for row in rows if row["spearman"]["value"] is not None]
    if not defined:
        return f"{name}: no measure can be correlated with the ratings."
    held = [row for row in defined if (p := row["spearman"]["p_holm"]) is not None and p < SIGNIFICANT]
    held.sort(key=lambda row: -abs(row["spearman"]["value"]))
    if held:
        named = [f"{measures[row['metric']]} (ρ {decimal(row['spearman']['value'])})" for row in held[:3]]
        more = f" and {len(held) - 3} more" if len(held) > 3 else ""
        return f"{name}: mean ratings go with {', '.join(named)}{more}, after Holm’s correction."
    nearest = max(defined, key=lambda row: abs(row["spearman"]["value"]))
    found = nearest["spearman"]
    words = f"{name}: no measure stands out after Holm’s correction; the largest ρ is {decimal(found['value'])}"
    holm = "" if found["p_holm"] is None else f", adjusted p {p_value(found['p_holm'])}"
    return f"{words} ({measures[nearest['metric']]}, {count(nearest['n'], 'item')}{holm})."


def count(number: int, noun: str) -> str:
    """Small numbers as words: "ten items"."""
    word = NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"
    return f"{word} {noun}{'' if number == 1 else 's'}"


def decimal(value: float, places: int = 2) -> str:
    """Fixed places with a true minus sign, and no negative zero."""
    return f"{round(value, places) + 0.0:.{places}f}".replace("-", "−")


def share(value: float) -> str:
    """A proportion in whole per cent."""
    return f"{value:.0%}"


def p_value(p: float) -> str:
    """Three places from .001 up, with the relation in front."""
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"
