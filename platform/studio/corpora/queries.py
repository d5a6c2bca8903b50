"""Ask a corpus a test question and look at what is nearest to it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from corpora.models import Corpus
from corpora.selectors import ready_models, retrieval_with_results
from corpora.tasks import start_retrieval
from leases.models import State
from studio.access import researcher_required
from studio.corpora.forms import QueryForm
from studio.corpora.pages import corpus_page


@require_POST
@researcher_required
def ask(request: HttpRequest, pk: int) -> HttpResponse:
    corpus = get_object_or_404(Corpus, pk=pk)
    form = QueryForm(request.POST, models=ready_models(corpus=corpus))
    if not form.is_valid():
        return corpus_page(request, corpus, form, status=422)
    retrieval = start_retrieval(corpus=corpus, **form.cleaned_data)
    return redirect("studio:retrieval", retrieval.pk)


@require_GET
@researcher_required
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    retrieval = retrieval_with_results(pk=pk)
    if retrieval is None:
        raise Http404
    context = {
        "section": "corpora",
        "retrieval": retrieval,
        "corpus": retrieval.corpus,
        "is_active": retrieval.state in {State.QUEUED, State.RUNNING},
    }
    if request.htmx.target == "answer":  # type: ignore[attr-defined]
        return render(request, "studio/corpora/_answer.html", context)
    return render(request, "studio/corpora/retrieval.html", context)
