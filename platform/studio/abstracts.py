"""A generated abstract: its text, where it came from, and its graph against those of its retrieved set."""

import json
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.views.decorators.http import require_GET, require_POST

from corpora.models import Corpus
from generation.models import Abstract, Batch
from graphs import selectors
from graphs.pictures import draw_radar, draw_text
from graphs.science.metric_registry import METRICS
from graphs.tasks import start_scoring
from studio.access import researcher_required


@require_GET
@researcher_required
def abstract(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = _find(public_id)
    settings = selectors.default_score_settings()
    comparison = selectors.compare_abstract(abstract=found, settings=settings)
    context = {"abstract": found, "cell": found.run.cell, "comparison": comparison, "metrics": METRICS}
    if comparison.score and settings:
        context["graph_settings"] = settings.as_graph_settings()
        context["network"] = draw_text(found.text.body, context["graph_settings"])
    if comparison.profile:
        context["radar"] = draw_radar(comparison.profile)
    context["section"] = "batches"
    if request.htmx.target == "scores":  # type: ignore[attr-defined]
        return render(request, "studio/abstracts/_scores.html", context)
    context["provenance"] = json.dumps(found.provenance, indent=2, ensure_ascii=False)
    return render(request, "studio/abstracts/abstract.html", context)


@require_POST
@researcher_required
def abstract_score(request: HttpRequest, public_id: UUID) -> HttpResponse:
    start_scoring(text_ids=selectors.texts_of_abstract(abstract=_find(public_id)))
    return redirect("studio:abstract", public_id)


@require_GET
@researcher_required
def batch_scoring(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """The part of a batch's page that says how far its scoring has come; on its own it leads to the page."""
    batch = get_object_or_404(Batch, public_id=public_id)
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("studio:batch", public_id)
    context = {"batch": batch, "scoring": selectors.batch_scoring(batch=batch)}
    return render(request, "studio/graphs/batch_scoring.html", context)


@require_POST
@researcher_required
def corpus_score(request: HttpRequest, pk: int) -> HttpResponse:
    corpus = get_object_or_404(Corpus, pk=pk)
    waiting = sum(job.total for job in start_scoring(text_ids=selectors.texts_of_corpus(corpus=corpus)))
    if waiting:
        messages.success(request, f"{waiting} text{'' if waiting == 1 else 's'} queued for scoring.")
    else:
        messages.info(request, "Every text is scored already or waits for it.")
    return redirect("studio:corpus", pk)


def _find(public_id: UUID) -> Abstract:
    found = selectors.find_abstract(public_id=public_id)
    if found is None:
        raise Http404
    return found


urlpatterns = [
    path("batches/abstracts/<uuid:public_id>/", abstract, name="abstract"),
    path("batches/abstracts/<uuid:public_id>/score/", abstract_score, name="abstract_score"),
    path("batches/scoring/<uuid:public_id>/", batch_scoring, name="batch_scoring"),
    path("corpora/<int:pk>/score/", corpus_score, name="corpus_score"),
]
