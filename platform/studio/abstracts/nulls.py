"""An abstract against null models: start, watch, cancel, read."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from generation.models import Abstract
from graphs import selectors, services
from graphs.pictures import Histogram, draw_histogram
from graphs.science.null_models import NULL_MODELS
from graphs.selectors import NullReading, NullStanding
from graphs.tasks import start_null_comparison
from studio.abstracts.finding import find_abstract
from studio.access import researcher_required

DRAWS = 1000


@dataclass(frozen=True)
class Drawn:
    """A metric among the draws, with its picture where there is one."""

    reading: NullReading
    histogram: Histogram | None


@dataclass(frozen=True)
class Shown:
    """A null model's standing with its pictures; a metric and its inverse have one."""

    standing: NullStanding
    pictures: list[Drawn]


@require_GET
@researcher_required
def abstract_nulls(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """A page of its own, or the part of the abstract's page that asks for itself while draws are made."""
    context = _context(find_abstract(public_id))
    if request.htmx.target == "nulls":  # type: ignore[attr-defined]
        return render(request, "studio/abstracts/_nulls.html", context)
    return render(request, "studio/abstracts/closer.html", context | {"part": "studio/abstracts/_nulls.html"})


@require_POST
@researcher_required
def abstract_nulls_start(request: HttpRequest, public_id: UUID) -> HttpResponse:
    abstract = find_abstract(public_id)
    start_null_comparison(text_ids=[abstract.text_id], draws=DRAWS)
    return _answer(request, abstract)


@require_POST
@researcher_required
def abstract_nulls_cancel(request: HttpRequest, public_id: UUID) -> HttpResponse:
    abstract = find_abstract(public_id)
    services.cancel_null_comparisons(text_ids=[abstract.text_id])
    return _answer(request, abstract)


def _answer(request: HttpRequest, abstract: Abstract) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "studio/abstracts/_nulls.html", _context(abstract))
    return redirect("studio:abstract_nulls", abstract.public_id)


def _context(abstract: Abstract) -> dict[str, Any]:
    standings = selectors.null_standings(text_id=abstract.text_id, settings=selectors.default_score_settings())
    return {
        "abstract": abstract,
        "cell": abstract.run.cell,
        "section": "batches",
        "title": _("Against null models"),
        "shown": [Shown(standing, _pictures(standing)) for standing in standings],
        "null_models": NULL_MODELS.values(),
        "draws": DRAWS,
        "is_active": any(standing.is_active for standing in standings),
        "is_whole": len(standings) == len(NULL_MODELS) and all(standing.is_finished for standing in standings),
        "drawn": sum(standing.drawn for standing in standings),
        "wanted": sum(standing.comparison.draws for standing in standings),
        "errors": list(dict.fromkeys(standing.error for standing in standings if standing.error)),
    }


def _pictures(standing: NullStanding) -> list[Drawn]:
    return [
        Drawn(reading, draw_histogram(reading.counts, low=reading.low, high=reading.high, observed=reading.observed))
        for reading in standing.readings
        if reading.observed is not None and reading.metric.key != "average_edge_betweenness"
    ]


urlpatterns = [
    path("batches/abstracts/<uuid:public_id>/nulls/", abstract_nulls, name="abstract_nulls"),
    path("batches/abstracts/<uuid:public_id>/nulls/start/", abstract_nulls_start, name="abstract_nulls_start"),
    path("batches/abstracts/<uuid:public_id>/nulls/cancel/", abstract_nulls_cancel, name="abstract_nulls_cancel"),
]
