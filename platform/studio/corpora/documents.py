"""A document: its text, where it came from, and its text as a graph."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from corpora.selectors import document_with_source
from graphs.pictures import draw_text
from graphs.selectors import default_score_settings, score_of_text
from studio.access import researcher_required


@require_GET
@researcher_required
def document(request: HttpRequest, pk: int) -> HttpResponse:
    found = document_with_source(pk=pk)
    if found is None:
        raise Http404
    context = {"section": "corpora", "document": found, "corpus": found.corpus}
    context["score"] = score_of_text(text_id=found.text_id)
    settings = default_score_settings()
    if context["score"] and settings:
        context["graph_settings"] = settings.as_graph_settings()
        context["network"] = draw_text(found.text.body, context["graph_settings"])
    return render(request, "studio/corpora/document.html", context)
