"""The correlations of a study's ratings with what was measured on the texts: a section, and a page of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path

from evaluation.errors import AgreementHidden
from evaluation.models import Study
from evaluation.reports.data import StudyData, load
from evaluation.reports.phrases import worded
from evaluation.reports.study_report import correlation_figures
from evaluation.reports.words import correlation_words, decimal, interval, p_value
from evaluation.selectors.agreement import Scale
from evaluation.selectors.correlations import MEASURES
from studio.access import researcher_required
from studio.reports.hidden import hidden
from studio.reports.names import MEASURE_NAMES
from studio.reports.pictures import scatter

__all__ = ["correlation_section"]


@researcher_required
def study_correlations(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """They take seconds where items are many, so that the report asks for them once it is shown."""
    study = get_object_or_404(Study, public_id=public_id)
    try:
        data = load(study=study)
    except AgreementHidden:
        return hidden(request, study)
    section = correlation_section(
        data=data, found=correlation_figures(data=data), chosen=request.GET.get("measure", "")
    )
    partial = request.headers.get("HX-Target") == "correlations"
    name = "_correlations.html" if partial else "correlations.html"
    context = {"section": "studies", "study": data.study, "correlations": section}
    response = render(request, f"studio/reports/{name}", context)
    response["Vary"] = "HX-Request, HX-Target"
    return response


def correlation_section(*, data: StudyData, found: Sequence[Mapping[str, Any]], chosen: str) -> dict[str, Any]:
    """A table and a scatter plot for each criterion; without a choice, of the measure with the largest ρ."""
    chosen = chosen if chosen in MEASURES else ""
    by_criterion = {scale.key: [row for row in found if row["criterion"] == scale.key] for scale in data.scales}
    clustered_by = found[0]["clustered_by"] if found else "item"
    return {
        "scored": data.score_settings is not None,
        "measures": [(key, MEASURE_NAMES[key]) for key in MEASURES],
        "chosen": chosen,
        "is_clustered": clustered_by != "item",
        "clustered_by": worded(clustered_by),
        "family": worded(found[0]["family"]) if found else "",
        "words": [
            correlation_words(rows=by_criterion[scale.key], name=scale.name, measures=MEASURE_NAMES)
            for scale in data.scales
        ],
        "criteria": [
            {
                "scale": scale,
                "rows": [_row(row) for row in by_criterion[scale.key] if row["spearman"]["value"] is not None],
                "undefined": _undefined(by_criterion[scale.key]),
                "nested": any(row["within_clusters"] is not None for row in by_criterion[scale.key]),
                "reliability": _reliability(by_criterion[scale.key]),
                "plot": _plot(data, scale, by_criterion[scale.key], chosen),
            }
            for scale in data.scales
        ],
    }


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    rho, tau = row["spearman"], row["kendall"]
    return {
        "name": MEASURE_NAMES[row["metric"]],
        "n": row["n"],
        "missing": row["missing"],
        "rho": _printed(rho["value"]),
        "interval": None if rho["ci"] is None else interval(*rho["ci"]),
        "tau": _printed(tau["value"]),
        "p": _p(rho["p"]),
        "permutation_p": _p(rho["permutation_p"]),
        "holm": _p(rho["p_holm"]),
        "bh": _p(rho["p_bh"]),
        "within": _printed(row["within_clusters"]),
        "simpson": row["simpson"],
        "corrected": _printed(row["corrected"]),
        "reason": worded(rho["reason"]),
    }


def _undefined(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    """The measures without a correlation, together by reason."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row["spearman"]["value"] is None:
            reasons.setdefault(worded(row["spearman"]["reason"]), []).append(MEASURE_NAMES[row["metric"]])
    return list(reasons.items())


def _printed(value: float | None) -> str | None:
    return None if value is None else decimal(value)


def _p(value: float | None) -> str | None:
    return None if value is None else p_value(value).removeprefix("= ")


def _reliability(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """It is that of the ratings, the same for each measure."""
    if not rows:
        return None
    first = rows[0]
    return {
        "name": worded(first["reliability_name"]),
        "value": _printed(first["reliability"]),
        "ceiling": _printed(first["ceiling"]),
        "reason": worded(first["reason"]),
    }


def _plot(data: StudyData, scale: Scale, rows: Sequence[Mapping[str, Any]], chosen: str) -> dict[str, Any] | None:
    defined = [row for row in rows if row["spearman"]["value"] is not None]
    shown = next((row for row in defined if row["metric"] == chosen), None)
    if shown is None and not chosen and defined:
        shown = max(defined, key=lambda row: abs(row["spearman"]["value"]))
    if shown is None:
        return None
    means = {given.item: given.mean for given in data.item_ratings.get(scale.pk, [])}
    points = [
        (value, means[item.pk], item.external_id)
        for item in data.items
        if item.pk in means and (value := item.measures[shown["metric"]]) is not None
    ]
    drawn = scatter(points, scale.labels)
    name = MEASURE_NAMES[shown["metric"]]
    return drawn and drawn | {"measure": name, "rho": decimal(shown["spearman"]["value"]), "n": shown["n"]}


urlpatterns = [path("studies/<uuid:public_id>/report/correlations/", study_correlations, name="study_correlations")]
