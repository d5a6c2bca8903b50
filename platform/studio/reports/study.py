"""The agreement report of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from evaluation.errors import AgreementHidden
from evaluation.models import Study
from evaluation.reports.data import StudyData, load
from evaluation.reports.rated_items import RatedItem, disagreements, level_use
from evaluation.reports.references import REFERENCES
from evaluation.reports.study_report import agreement_figures, cached_correlations
from evaluation.selectors.agreement import Scale
from evaluation.selectors.left_out import MISSING, SET_ASIDE
from evaluation.services.opening import open_agreement
from studio.access import researcher_required
from studio.reports.correlations import correlation_section
from studio.reports.hidden import hidden, may_open_agreement
from studio.reports.method import study_method
from studio.reports.sections import Heading, criterion_section


@require_safe
@researcher_required
def study_report(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    try:
        data = load(study=study)
    except AgreementHidden:
        return hidden(request, study)
    figures = agreement_figures(data=data)
    computed = cached_correlations(data=data)
    context = {
        "section": "studies",
        "study": data.study,
        "sections": [
            _section(data, scale, found) for scale, found in zip(data.scales, figures["criteria"], strict=True)
        ],
        "progress": progress(data),
        "opened": data.opened,
        "correlations": computed and correlation_section(data=data, found=computed, chosen=""),
        "method": study_method(data=data, figures=figures),
        "references": REFERENCES,
    }
    return render(request, "studio/reports/report.html", context)


@require_POST
@researcher_required
def open_report(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Look at agreement before its time; the study's record and every report of it say so."""
    study = get_object_or_404(Study, public_id=public_id)
    assert isinstance(request.user, User)  # noqa: S101  (researcher_required)
    if not may_open_agreement(request.user, study):
        raise PermissionDenied
    open_agreement(study=study, actor=request.user)
    return redirect("studio:study_report", public_id)


def progress(data: StudyData) -> dict[str, int]:
    """Ratings that are in, of those planned, over all criteria."""
    left = data.left_out.values()
    return {"counted": sum(found.counted for found in left), "planned": sum(found.planned for found in left)}


def _section(data: StudyData, scale: Scale, found: Mapping[str, Any]) -> dict[str, Any]:
    items = _rated_items(data, scale)
    return criterion_section(
        heading=Heading(scale.key, scale.name, scale.labels),
        found=found,
        apart=disagreements(items, labels=scale.labels),
        use=level_use(items, levels=len(scale.labels)),
        left_out=_left_out(data, scale),
    )


def _rated_items(data: StudyData, scale: Scale) -> list[RatedItem]:
    """In the order of the study."""
    items = {item.pk: item for item in data.items}
    labels = {rater.pk: rater.label for rater in data.raters}
    given = sorted(data.item_ratings.get(scale.pk, []), key=lambda row: items[row.item].position)
    return [
        RatedItem(items[row.item].external_id, tuple(labels[pk] for pk in row.reviewers), row.levels) for row in given
    ]


def _left_out(data: StudyData, scale: Scale) -> dict[str, Any]:
    left = asdict(data.left_out[scale.pk])
    return {
        "planned": left["planned"],
        "counted": left["counted"],
        "missing": [(_(MISSING[reason]), number) for reason, number in left["missing"].items()],
        "set_aside": [(_(SET_ASIDE[reason]), number) for reason, number in left["set_aside"].items()],
    }


urlpatterns = [
    path("studies/<uuid:public_id>/report/", study_report, name="study_report"),
    path("studies/<uuid:public_id>/report/open/", open_report, name="study_report_open"),
]
