"""Scoring that somebody asks for: of an abstract with its retrieved set, of a batch, of a corpus."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from corpora.models import Corpus
from generation.models import Batch
from graphs import selectors, services
from graphs.tasks import start_scoring
from studio.abstracts.finding import find_abstract
from studio.access import researcher_required


@require_POST
@researcher_required
def abstract_score(request: HttpRequest, public_id: UUID) -> HttpResponse:
    start_scoring(text_ids=selectors.texts_of_abstract(abstract=find_abstract(public_id)))
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


@require_GET
@researcher_required
def corpus_scoring(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of a corpus's page that says how far its scoring has come; on its own it leads to the page."""
    corpus = get_object_or_404(Corpus, pk=pk)
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("studio:corpus", pk)
    context = {"corpus": corpus, "scoring": selectors.corpus_scoring(corpus=corpus)}
    return render(request, "studio/graphs/corpus_scoring.html", context)


@require_POST
@researcher_required
def corpus_score(request: HttpRequest, pk: int) -> HttpResponse:
    corpus = get_object_or_404(Corpus, pk=pk)
    jobs = start_scoring(text_ids=selectors.texts_of_corpus(corpus=corpus), corpus=corpus)
    if waiting := sum(job.total for job in jobs):
        said = ngettext("%d text queued for scoring.", "%d texts queued for scoring.", waiting)
        messages.success(request, said % waiting)
    else:
        messages.info(request, _("Every text is scored already or waits for it."))
    return redirect("studio:corpus", pk)


@require_POST
@researcher_required
def corpus_score_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    corpus = get_object_or_404(Corpus, pk=pk)
    if services.cancel_scoring(corpus=corpus):
        messages.success(request, _("Scoring stopped. What is scored is kept; start again to go on from there."))
    else:
        messages.info(request, _("No scoring was under way."))
    return redirect("studio:corpus", pk)


urlpatterns = [
    path("batches/abstracts/<uuid:public_id>/score/", abstract_score, name="abstract_score"),
    path("batches/scoring/<uuid:public_id>/", batch_scoring, name="batch_scoring"),
    path("corpora/<int:pk>/score/", corpus_score, name="corpus_score"),
    path("corpora/<int:pk>/score/cancel/", corpus_score_cancel, name="corpus_score_cancel"),
    path("corpora/<int:pk>/scoring/", corpus_scoring, name="corpus_scoring"),
]
