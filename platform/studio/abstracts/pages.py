"""A generated abstract: its text, where it came from, and its graph against those of its retrieved set."""

import json
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from graphs import selectors
from graphs.pictures import draw_radar, draw_text
from graphs.science.metric_registry import METRICS
from studio.abstracts.finding import find_abstract, find_range
from studio.access import researcher_required


@require_GET
@researcher_required
def abstract(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = find_abstract(public_id)
    settings = selectors.default_score_settings()
    frozen = find_range(request, settings)
    comparison = selectors.compare_abstract(abstract=found, settings=settings, reference_range=frozen)
    context = {"abstract": found, "cell": found.run.cell, "comparison": comparison, "metrics": METRICS}
    context |= {"section": "batches", "frozen": frozen}
    if comparison.score and settings:
        graph_settings = settings.as_graph_settings()
        network = draw_text(found.text.body, graph_settings)
        context |= {"graph_settings": graph_settings, "network": network}
    if profile := comparison.profile:
        names = (_("generated abstract"), _("mean of %d retrieved") % profile.reference_size)
        context["radar"] = draw_radar(profile.radar_new, profile.radar_average, names=names)
        context["ranges"] = list(selectors.reference_ranges(settings=settings)) if settings else []
    if request.htmx.target == "scores":  # type: ignore[attr-defined]
        return render(request, "studio/abstracts/_scores.html", context)
    context["provenance"] = json.dumps(found.provenance, indent=2, ensure_ascii=False)
    return render(request, "studio/abstracts/abstract.html", context)


urlpatterns = [path("batches/abstracts/<uuid:public_id>/", abstract, name="abstract")]
