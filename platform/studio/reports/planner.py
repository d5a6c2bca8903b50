"""The precision planner: how wide the interval of a planned study will be, and how many items are enough."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any

from django import forms
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from evaluation.reports.data import CODE_VERSION
from evaluation.reports.words import decimal, interval
from evaluation.science.planning.design import Design
from evaluation.science.planning.width import ALPHA, expected_precision, items_needed, kappa_name
from studio.access import researcher_required
from studio.reports.names import COEFFICIENTS
from studio.reports.pictures import width_curve

ITEMS = (10, 20, 30, 50, 75, 100, 150, 200, 300)
A_WEEK = 7 * 24 * 3600
# Beyond, a simulation takes longer than a page should; the command line has no such limits.
MOST_RATERS = 6
MOST_LEVELS = 11


class PlannerForm(forms.Form):
    raters = forms.IntegerField(
        min_value=2,
        max_value=MOST_RATERS,
        initial=2,
        label=_("Raters a text"),
        help_text=_("Ratings that each text gets."),
    )
    levels = forms.IntegerField(min_value=2, max_value=MOST_LEVELS, initial=3, label=_("Levels"))
    kappa = forms.FloatField(
        min_value=0,
        max_value=0.95,
        initial=0.5,
        label=_("Anticipated linear κ"),
        help_text=_("0.4 to 0.6 is common where people judge texts."),
        widget=forms.NumberInput(attrs={"step": "0.05"}),
    )
    margin = forms.ChoiceField(
        label=_("Use of the levels"), choices=[("balanced", _("all alike")), ("skewed", _("mostly the lowest"))]
    )
    width = forms.FloatField(
        min_value=0.1,
        max_value=1.5,
        initial=0.4,
        label=_("Wanted width"),
        # xgettext:no-python-format
        help_text=_("Of the 95 % interval: 0.4 is 0.3 to 0.7."),
        widget=forms.NumberInput(attrs={"step": "0.05"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)


@require_safe
@researcher_required
def planner(request: HttpRequest) -> HttpResponse:
    """A plan has an address of its own; without one, the plan of two raters on three levels."""
    first = {name: field.initial for name, field in PlannerForm.base_fields.items()} | {"margin": "balanced"}
    form = PlannerForm(request.GET if request.GET else first)
    plan = _plan(form.cleaned_data) if form.is_valid() else None
    context = {"section": "studies", "form": form, "plan": plan}
    return render(request, "studio/reports/planner.html", context, status=422 if form.errors else 200)


def _plan(given: dict[str, Any]) -> dict[str, Any]:
    design = Design(raters=given["raters"], levels=given["levels"], kappa=given["kappa"], margin=given["margin"])
    computed = _computed(design, given["width"])
    names = (kappa_name(design.raters), ALPHA)
    rows = [{"items": items, "cells": [_cell(computed["precision"][items][name]) for name in names]} for items in ITEMS]
    curve = width_curve(
        [
            (COEFFICIENTS[name], [(items, computed["precision"][items][name]["width"]) for items in ITEMS])
            for name in names
        ],
        wanted=given["width"],
    )
    return {
        "design": design,
        "width": decimal(given["width"]),
        "needed": [(COEFFICIENTS[name], computed["needed"][name]) for name in names],
        "names": [COEFFICIENTS[name] for name in names],
        "rows": rows,
        "curve": curve,
        "command": (
            f"kappagraph plan --raters {design.raters} --levels {design.levels} --kappa {design.kappa:g} "
            f"--margins {design.margin} --width {given['width']:g}"
        ),
    }


def _computed(design: Design, width: float) -> dict[str, Any]:
    """The simulations, once for each plan: some tenths of a second for two raters, some seconds for six."""
    identity = repr((sorted(asdict(design).items()), width, ITEMS, CODE_VERSION))
    key = f"precision-plan:{hashlib.sha256(identity.encode()).hexdigest()}"
    found: dict[str, Any] | None = cache.get(key)
    if found is None:
        found = {
            "precision": {
                items: {name: entry.to_json() for name, entry in expected_precision(items, design).items()}
                for items in ITEMS
            },
            "needed": {
                name: items_needed(width, design, coefficient=name) for name in (kappa_name(design.raters), ALPHA)
            },
        }
        cache.set(key, found, A_WEEK)
    return found


def _cell(precision: dict[str, Any]) -> dict[str, str]:
    if precision["width"] is None:
        return {"width": gettext("none"), "interval": ""}
    low, high = precision["interval"]
    return {"width": decimal(precision["width"]), "interval": interval(low, high)}


urlpatterns = [path("planner/", planner, name="planner")]
