"""Two texts side by side: graphs, metrics with their differences, one radar of both."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from graphs import selectors
from graphs.pictures import draw_radar, draw_text
from graphs.science.settings import GraphSettings
from studio.abstracts.sides import find_side
from studio.access import researcher_required

# Two pictures share the width of a page.
FONT_SIZE = 22


@require_GET
@researcher_required
def compare(request: HttpRequest) -> HttpResponse:
    """Compare what `first` and `second` name."""
    first, second = (find_side(request.GET.get(name, "")) for name in ("first", "second"))
    settings = selectors.default_score_settings()
    among = {*first.among, *second.among}
    pair = selectors.compare_texts(
        first=first.text, second=second.text, settings=settings, among=among, corpus=first.corpus
    )
    graph_settings = settings.as_graph_settings() if settings else GraphSettings()
    context = {
        "section": "batches" if among else "corpora",
        "sides": [
            {
                "side": side,
                "metrics": metrics,
                "network": draw_text(side.text.body, graph_settings, font_size=FONT_SIZE),
                "prefix": prefix,
                "label": label,
            }
            for side, metrics, prefix, label in (
                (first, pair.first, "left", _("Graph of the text on the left")),
                (second, pair.second, "right", _("Graph of the text on the right")),
            )
        ],
        "pair": pair,
        "is_same": first.text == second.text,
        "radar": draw_radar(*pair.radar, names=(_("left"), _("right"))) if pair.radar else None,
    }
    return render(request, "studio/abstracts/compare.html", context)


urlpatterns = [path("compare/", compare, name="compare")]
