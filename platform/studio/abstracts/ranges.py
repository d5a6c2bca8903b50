"""Freezing the range of a corpus, so that radars of different runs can be compared."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.views.decorators.http import require_POST

from graphs import services
from studio.abstracts.finding import find_abstract
from studio.access import researcher_required


@require_POST
@researcher_required
def freeze_range(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Freeze the range of the corpus that an abstract was written from, and show the abstract by it."""
    corpus = find_abstract(public_id).run.cell.batch.corpus
    address = reverse("studio:abstract", args=[public_id])
    try:
        frozen = services.freeze_reference_range(corpus=corpus, settings=services.ensure_default_settings())
    except ValueError as error:
        messages.error(request, str(error))
        return redirect(address)
    return redirect(f"{address}?range={frozen.pk}#graph-heading")


urlpatterns = [path("batches/abstracts/<uuid:public_id>/range/", freeze_range, name="abstract_freeze_range")]
