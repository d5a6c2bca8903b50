"""The report's answer in words, before any table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from evaluation.reports.phrases import worded
from evaluation.science.bands import BANDS, POOR, band

__all__ = [
    "NAMES",
    "agreement_words",
    "between",
    "correlation_words",
    "count",
    "decimal",
    "headline",
    "interval",
    "p_value",
    "reach_words",
    "share",
    "shift_words",
]

NUMBERS = (
    gettext_noop("no"),
    gettext_noop("one"),
    gettext_noop("two"),
    gettext_noop("three"),
    gettext_noop("four"),
    gettext_noop("five"),
    gettext_noop("six"),
    gettext_noop("seven"),
    gettext_noop("eight"),
    gettext_noop("nine"),
    gettext_noop("ten"),
    gettext_noop("eleven"),
    gettext_noop("twelve"),
)
NAMES = {
    "cohen_kappa_linear": gettext_lazy("linear κ"),
    "krippendorff_alpha_ordinal": gettext_lazy("ordinal α"),
}
SIGNIFICANT = 0.05


def agreement_words(*, criterion: Mapping[str, Any], name: str) -> str:
    """One or two sentences: how strong the agreement is, how sure that is, and what stands in the way."""
    found, key = headline(criterion)
    who = f"{count(criterion['raters'], 'rater')}, {count(criterion['items'], 'item')}".capitalize()
    if found["value"] is None:
        said = _("%(who)s: agreement on %(name)s cannot be computed: %(reason)s.")
        return said % {"who": who, "name": name, "reason": worded(found["reason"])}
    value = f"{NAMES[key]} {decimal(found['value'])}"
    given = {"who": who, "band": worded(band(found["value"])), "name": name, "value": value}
    if found["ci"] is None:
        said = _("%(who)s: %(band)s agreement on %(name)s (%(value)s; %(reason)s).")
        return said % (given | {"reason": worded(found["reason"])})
    low, high = found["ci"]
    said = _("%(who)s: %(band)s agreement on %(name)s (%(value)s, 95 %% CI %(interval)s). %(reach)s")
    return said % (given | {"interval": interval(low, high), "reach": reach_words(low, high)})


def reach_words(low: float, high: float) -> str:
    """How far an interval reaches across the bands of Landis and Koch."""
    names = [POOR, *(name for name, _ in BANDS)]
    lowest, highest = band(low), band(high)
    bands = names.index(highest) - names.index(lowest) + 1
    if bands == 1:
        return _("The whole interval is %(band)s.") % {"band": worded(lowest)}
    ends = {"lowest": worded(lowest), "highest": worded(highest)}
    if bands == 2:
        return _("The interval reaches from %(lowest)s into %(highest)s: too few items to tell the two apart.") % ends
    said = _(
        "The interval reaches across %(number)s bands, from %(lowest)s to %(highest)s: too few items to tell them "
        "apart."
    )
    return said % (ends | {"number": _(NUMBERS[bands])})


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
        return _("Whether a rater is stricter cannot be tested: %(reason)s.") % {"reason": worded(test["reason"])}
    if p < SIGNIFICANT:
        said = _("The raters differ in strictness (Friedman's test, p %(p)s).")
    else:
        said = _("No sign that a rater is stricter than the others (Friedman's test, p %(p)s).")
    return said % {"p": p_value(p)}


def _pair_shift(pair: Mapping[str, Any]) -> str:
    first, second = pair["raters"]
    table = pair["table"]
    above = sum(cell for row, cells in enumerate(table) for column, cell in enumerate(cells) if row > column)
    below = sum(cell for row, cells in enumerate(table) for column, cell in enumerate(cells) if row < column)
    test = pair["marginal_tests"]["wilcoxon_shift"]
    p = test["exact_p"] if test["exact_p"] is not None else test["p"]
    if above + below == 0 or p is None:
        said = (
            _("%(first)s and %(second)s never differ.") if pair["n"] else _("%(first)s and %(second)s share no item.")
        )
        return said % {"first": first, "second": second}
    tally = _("%(first)s is higher on %(above)d, %(second)s on %(below)d of %(items)s; p %(p)s") % {
        "first": first,
        "second": second,
        "above": above,
        "below": below,
        "items": count(pair["n"], "item"),
        "p": p_value(p),
    }
    if p < SIGNIFICANT:
        distance = sum(cell * (row - column) for row, cells in enumerate(table) for column, cell in enumerate(cells))
        lenient, strict = (first, second) if distance > 0 else (second, first)
        said = _("%(strict)s is stricter than %(lenient)s (%(tally)s).")
        return said % {"strict": strict, "lenient": lenient, "tally": tally}
    if test["min_p"] is not None and test["min_p"] >= SIGNIFICANT:
        return _("Too few differences to tell whether one rater is stricter (%(tally)s).") % {"tally": tally}
    return _("No sign that one rater is stricter (%(tally)s).") % {"tally": tally}


def correlation_words(*, rows: Sequence[Mapping[str, Any]], name: str, measures: Mapping[str, str]) -> str:
    """Which measures go with the mean rating once many tests are allowed for, or how near the nearest comes."""
    defined = [row for row in rows if row["spearman"]["value"] is not None]
    if not defined:
        return _("%(name)s: no measure can be correlated with the ratings.") % {"name": name}
    held = [row for row in defined if (p := row["spearman"]["p_holm"]) is not None and p < SIGNIFICANT]
    held.sort(key=lambda row: -abs(row["spearman"]["value"]))
    if held:
        named = [f"{measures[row['metric']]} (ρ {decimal(row['spearman']['value'])})" for row in held[:3]]
        measured = ", ".join(named)
        if len(held) > 3:
            measured = _("%(measures)s and %(number)d more") % {"measures": measured, "number": len(held) - 3}
        said = _("%(name)s: mean ratings go with %(measures)s, after Holm’s correction.")
        return said % {"name": name, "measures": measured}
    nearest = max(defined, key=lambda row: abs(row["spearman"]["value"]))
    found = nearest["spearman"]
    about = f"{measures[nearest['metric']]}, {count(nearest['n'], 'item')}"
    if found["p_holm"] is not None:
        about = _("%(about)s, adjusted p %(p)s") % {"about": about, "p": p_value(found["p_holm"])}
    said = _("%(name)s: no measure stands out after Holm’s correction; the largest ρ is %(rho)s (%(about)s).")
    return said % {"name": name, "rho": decimal(found["value"]), "about": about}


def count(number: int, noun: str) -> str:
    """Small numbers as words: "ten items", "two raters"."""
    word = _(NUMBERS[number]) if number < len(NUMBERS) else str(intcomma(number))
    if noun == "rater":
        return ngettext("%(number)s rater", "%(number)s raters", number) % {"number": word}
    return ngettext("%(number)s item", "%(number)s items", number) % {"number": word}


def decimal(value: float, places: int = 2) -> str:
    """Fixed places with a true minus sign, the decimal separator of the reader's language, and no negative zero."""
    return _separated(f"{round(value, places) + 0.0:.{places}f}".replace("-", "−"))


def interval(low: float, high: float) -> str:
    return between(decimal(low), decimal(high))


def between(low: str, high: str) -> str:
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


def share(value: float) -> str:
    """A proportion in whole per cent."""
    return _("%(number).0f %%") % {"number": 100 * value}


def p_value(p: float) -> str:
    """Three places from .001 up, with the relation in front."""
    return _separated("< 0.001" if p < 0.001 else f"= {p:.3f}")


def _separated(written: str) -> str:
    return written.replace(".", str(get_format("DECIMAL_SEPARATOR")))
