"""The list of batches, and a batch with its live progress and its abstracts."""

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from generation import services, tasks
from generation.models import Batch
from generation.selectors import (
    BatchProgress,
    abstracts_of,
    batch_progress,
    batches_with_counts,
    models_ignoring_temperature,
    repeated_texts,
)
from graphs.selectors import batch_scoring
from studio.access import researcher_required
from studio.batches.forms import FilterForm
from studio.batches.wording import duration, standing

PAGE = 20
CELLS = 100


@require_GET
@researcher_required
def index(request: HttpRequest) -> HttpResponse:
    before = request.GET.get("before", "")
    before_pk = int(before) if before.isdecimal() and len(before) < 19 else None
    rows = batches_with_counts(before=before_pk, limit=PAGE + 1)
    listed = [(batch, counts, *standing(batch, counts)) for batch, counts in rows[:PAGE]]
    context = {
        "section": "batches",
        "batches": listed,
        "older": rows[PAGE - 1][0].pk if len(rows) > PAGE else None,
        "is_first": before_pk is None,
    }
    return render(request, "studio/batches/index.html", context)


@require_GET
@researcher_required
def batch(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """The whole page, or the part of it that the page itself asks for again while runs are under way."""
    found = get_object_or_404(Batch.objects.select_related("corpus", "created_by"), public_id=public_id)
    progress = batch_progress(batch=found)
    context = {"section": "batches", "batch": found} | _progress_context(request, found, progress)
    if request.htmx and request.GET.get("part") == "progress":  # type: ignore[attr-defined]
        response = render(request, "studio/batches/_progress.html", context)
        if request.GET.get("done") != str(progress.counts.done):
            response["HX-Trigger"] = "abstracts-changed"
        return response
    context |= _abstracts_context(request, found, progress)
    if request.htmx and request.GET.get("part") == "abstracts":  # type: ignore[attr-defined]
        return render(request, "studio/batches/_abstracts.html", context)
    context["scoring"] = batch_scoring(batch=found)
    return render(request, "studio/batches/batch.html", context)


@require_POST
@researcher_required
def act(request: HttpRequest, public_id: uuid.UUID, action: str) -> HttpResponse:
    found = get_object_or_404(Batch, public_id=public_id)
    if action not in ACTIONS:
        raise Http404
    run, said = ACTIONS[action]
    try:
        changed = run(batch=found)
    except services.BatchNotReady as error:
        messages.error(request, str(error))
    else:
        if changed:
            messages.success(request, said)
        else:
            messages.warning(request, _("Nothing changed: the batch was no longer in a state for that."))
    return redirect("studio:batch", found.public_id)


ACTIONS: dict[str, tuple[Callable[..., Any], str]] = {
    "launch": (tasks.start_batch, gettext_lazy("Launched.")),
    "pause": (services.pause_batch, gettext_lazy("Paused. Runs that workers hold are finished and kept.")),
    "resume": (tasks.start_resumed_batch, gettext_lazy("Resumed.")),
    "cancel": (services.cancel_batch, gettext_lazy("Cancelled. What was written stays.")),
    "retry": (tasks.start_retries, gettext_lazy("The failed runs are in the queue again.")),
}


def _progress_context(request: HttpRequest, batch: Batch, progress: BatchProgress) -> dict[str, Any]:
    word, tone = standing(batch, progress.counts)
    page = Paginator(progress.cells, CELLS).get_page(request.GET.get("cells"))
    queries = {row.cell.query for row in progress.cells}
    embeddings = {row.cell.embedding_model for row in progress.cells}
    return {
        "progress": progress,
        "standing": word,
        "tone": tone,
        "time_left": duration(progress.seconds_left) if progress.counts.left else "",
        "cells": page,
        # What all cells share is said once, below, and not in every row.
        "only_query": queries.pop() if len(queries) == 1 else None,
        "only_embedding": embeddings.pop() if len(embeddings) == 1 else None,
    }


def _abstracts_context(request: HttpRequest, batch: Batch, progress: BatchProgress) -> dict[str, Any]:
    form = FilterForm(request.GET, batch=batch, cells=[row.cell for row in progress.cells])
    found = abstracts_of(batch=batch, only=form.chosen, after=form.after_run, limit=PAGE + 1)
    has_server = any(row.cell.language_model.backend == "openai" for row in progress.cells)
    kept = request.GET.copy()
    for name in ("after", "part", "done", "cells"):
        kept.pop(name, None)
    return {
        "filter": form,
        "ignoring": models_ignoring_temperature(batch=batch) if has_server else [],
        "repeated": repeated_texts(batch=batch),
        "abstracts": found[:PAGE],
        "next_after": found[PAGE - 1].run_id if len(found) > PAGE else None,
        "is_first": not form.after_run,
        "is_filtered": form.chosen != type(form.chosen)(),
        "query": kept.urlencode(),
        "cell": next((row.cell for row in progress.cells if row.cell.pk == form.chosen.cell), None),
    }
