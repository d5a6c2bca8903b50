"""The worked example: what the agreement figures of the paper's Section 4.3 can and cannot mean."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from evaluation.reports.words import decimal, share
from evaluation.reports.worked_example import (
    IMPORTANCE,
    LEVELS,
    MEANINGFULNESS,
    NAMES,
    SORTED,
    Reading,
    WorkedExample,
    worked_example,
)
from evaluation.science.agreement import PairReport
from studio.access import researcher_required
from studio.reports.bands import band_strip
from studio.reports.pictures import heat_map
from studio.reports.sections import Heading, estimate_row, test_row

# Those that do not depend on the order of the levels.
MARGINS = ("stuart_maxwell", "bowker", "chi2_independence")


@require_safe
@researcher_required
def example(request: HttpRequest) -> HttpResponse:
    return render(request, "studio/reports/worked_example.html", {"section": "studies", **figures(worked_example())})


def figures(found: WorkedExample) -> dict[str, Any]:
    """Every figure of the page in its printed form."""
    libraries, importance = found.libraries, found.importance_report.pairs[0]
    tests = found.readings[0].report.pairs[0].marginal_tests
    chi2 = tests["chi2_independence"]
    raters = {"raters": ("R1", "R2")}
    return {
        "printed": [
            {"name": name, "exact": share(printed.exact), "figures": printed}
            for name, printed in ((_("Meaningfulness"), MEANINGFULNESS), (_("Importance"), IMPORTANCE))
        ],
        "tables": found.tables,
        "left": [(_(what), number) for what, number in found.left],
        "kappa": _ratio(found.kappa),
        "map": heat_map(found.table, NAMES) | raters,
        "readings": [_reading(reading) for reading in found.readings],
        "libraries": {
            "map": heat_map(libraries.table, [_(level) for level in LEVELS]) | raters,
            "sorted_map": heat_map(libraries.sorted_table, [_(level) for level in SORTED]) | raters,
            "right": decimal(libraries.right, 5),
            "wrong": decimal(libraries.wrong, 5),
            "ac2_right": decimal(libraries.ac2_right, 4),
            "ac2_wrong": decimal(libraries.ac2_wrong, 4),
        },
        "chi2": {
            "ratio": _ratio(found.chi2, 4),
            "df": chi2.df,
            "p": decimal(chi2.p or 0.0, 4),
            "exact_p": decimal(chi2.exact_p or 0.0, 4),
        },
        "meaningfulness": _tests("meaningfulness", _("Meaningfulness"), found.readings[0].report.pairs[0]),
        "least_p": decimal(tests["stuart_maxwell"].min_p or 0.0, 2),
        "importance": {
            "left": [(_(what), number) for what, number in found.importance_left],
            "map": heat_map([row[:2] for row in found.importance[:2]], NAMES[:2]) | raters,
            "kappa": _ratio(found.importance_linear[0], 4),
            "alike": len(set(found.importance_linear)) == 1,
            "least_p": decimal(importance.marginal_tests["stuart_maxwell"].min_p or 0.0, 3),
            **_tests("importance", _("Importance"), importance),
        },
    }


def _reading(reading: Reading) -> dict[str, Any]:
    estimate = reading.report.pairs[0].coefficients["cohen_kappa_linear"]
    return {
        "middle": reading.middle,
        "order": "\u00a0–\u00a0".join(reading.levels),
        "ratio": _ratio(reading.linear),
        "used": reading.used,
        "adjacent": reading.adjacent,
        "extreme": reading.extreme,
        "printed_is_right": reading.printed_is_right,
        "estimate": estimate_row("cohen_kappa_linear", estimate.to_json()),
        "bands": band_strip(reading.report.to_json()),
    }


def _tests(key: str, name: str, pair: PairReport) -> dict[str, Any]:
    return {
        "scale": Heading(key, name, NAMES),
        "tests": [test_row(key, pair.marginal_tests[key].to_json()) for key in MARGINS],
    }


def _ratio(value: Fraction, places: int = 2) -> str:
    return f"{value.numerator}/{value.denominator} = {decimal(float(value), places)}"


urlpatterns = [path("worked-example/", example, name="worked_example")]
