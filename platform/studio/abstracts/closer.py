"""A closer look at an abstract, computed when somebody asks: window by window, and among its neighbours."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from graphs import selectors
from graphs.pictures import Curve, draw_curve
from graphs.science.metric_registry import METRICS, Metric
from graphs.science.settings import WINDOWS, GraphSettings
from graphs.science.windows import score_windows
from studio.abstracts.finding import find_abstract
from studio.access import researcher_required


@dataclass(frozen=True)
class MetricByWindow:
    """A metric under every window, drawn where it has a value anywhere."""

    metric: Metric
    values: list[float | None]
    curve: Curve | None


@require_GET
@researcher_required
def abstract_windows(request: HttpRequest, public_id: UUID) -> HttpResponse:
    abstract = find_abstract(public_id)
    settings = _settings()
    scores = score_windows(abstract.text.body, settings)
    by_metric = {metric: {w: score.metrics.values()[metric.key] for w, score in scores.items()} for metric in METRICS}
    context = {
        "title": _("Window by window"),
        "windows": WINDOWS,
        "own": settings.window,
        "links": [score.metrics.edges for score in scores.values()],
        "rows": [
            MetricByWindow(metric, list(values.values()), draw_curve(values, own=settings.window))
            for metric, values in by_metric.items()
        ],
    }
    return _look(request, public_id, "windows", context | {"abstract": abstract})


@require_GET
@researcher_required
def abstract_neighbours(request: HttpRequest, public_id: UUID) -> HttpResponse:
    abstract = find_abstract(public_id)
    found = selectors.neighbourhood_of(abstract=abstract, settings=_settings())
    context = {"title": _("Among its neighbours"), "neighbourhood": found, "abstract": abstract}
    return _look(request, public_id, "neighbours", context)


def _settings() -> GraphSettings:
    settings = selectors.default_score_settings()
    return settings.as_graph_settings() if settings else GraphSettings()


def _look(request: HttpRequest, public_id: UUID, name: str, context: Mapping[str, object]) -> HttpResponse:
    part = f"studio/abstracts/_{name}.html"
    if request.htmx.target == name:  # type: ignore[attr-defined]
        return render(request, part, context)
    return render(request, "studio/abstracts/closer.html", {**context, "part": part, "section": "batches"})


urlpatterns = [
    path("batches/abstracts/<uuid:public_id>/windows/", abstract_windows, name="abstract_windows"),
    path("batches/abstracts/<uuid:public_id>/neighbours/", abstract_neighbours, name="abstract_neighbours"),
]
