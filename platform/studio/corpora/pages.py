"""The list of corpora, and the page of one: its vectors, a test query, its documents."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from corpora.models import Corpus
from corpora.selectors import corpora_with_counts, documents_matching, imports_of, ready_models, retrievals_of
from graphs.selectors import corpus_scoring
from studio.access import researcher_required
from studio.corpora.embedding import rows_for
from studio.corpora.forms import QueryForm
from studio.keyset import keyset_page

CORPORA = 50
DOCUMENTS = 25
LATEST = 5


@require_GET
@researcher_required
def index(request: HttpRequest) -> HttpResponse:
    page = keyset_page(request, corpora_with_counts(), size=CORPORA)
    return render(request, "studio/corpora/index.html", {"section": "corpora", "page": page})


@require_GET
@researcher_required
def corpus(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole page, or the part of it that asks for itself again: the vectors' progress or the documents."""
    found = get_object_or_404(Corpus, pk=pk)
    target = request.htmx.target  # type: ignore[attr-defined]
    if target == "embedding":
        extra = {"is_fragment": True, "models": ready_models(corpus=found)}
        return render(request, "studio/corpora/_embedding.html", embedding_context(found) | extra)
    if target == "documents":
        context = _documents_context(request, found) | {"is_fragment": True}
        return render(request, "studio/corpora/_documents.html", context)
    return corpus_page(request, found, QueryForm(models=ready_models(corpus=found)))


def corpus_page(request: HttpRequest, corpus: Corpus, form: QueryForm, status: int = 200) -> HttpResponse:
    context = {
        "section": "corpora",
        "form": form,
        "retrievals": retrievals_of(corpus=corpus)[:LATEST],
        "imports": imports_of(corpus=corpus)[:LATEST],
        "scoring": corpus_scoring(corpus=corpus),
    }
    context |= embedding_context(corpus) | _documents_context(request, corpus)
    return render(request, "studio/corpora/corpus.html", context, status=status)


def embedding_context(corpus: Corpus) -> dict[str, Any]:
    rows = rows_for(corpus)
    return {"corpus": corpus, "embedding_rows": rows, "is_embedding": any(row.is_active for row in rows)}


def _documents_context(request: HttpRequest, corpus: Corpus) -> dict[str, Any]:
    text = request.GET.get("text", "").replace("\0", "").strip()[:200]
    documents = documents_matching(corpus=corpus, text=text)
    return {
        "corpus": corpus,
        "text": text,
        "document_count": documents.count(),
        "page": keyset_page(request, documents.select_related("text"), size=DOCUMENTS),
    }
