"""All abstracts of a batch against null models: start, watch, cancel, read."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from generation.models import Batch
from graphs import selectors, services
from graphs.tasks import start_null_comparison
from studio.access import researcher_required
from studio.batches.wording import duration

DRAWS = 1000
# Measured: all four null models of a 250-word text, on one core with the compiled kernel.
SECONDS_A_TEXT = 2.0
# Each has sixteen rows in the queue, written while the page waits.
MOST_TEXTS = 1000


@require_GET
@researcher_required
def batch_nulls(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """A page of its own, or the part of it that asks for itself while draws are made."""
    batch = get_object_or_404(Batch, public_id=public_id)
    nulls = selectors.batch_nulls(batch=batch, settings=selectors.default_score_settings())
    context: dict[str, Any] = {
        "section": "batches",
        "batch": batch,
        "nulls": nulls,
        "draws": DRAWS,
        "most": MOST_TEXTS,
        "estimate": duration(SECONDS_A_TEXT * nulls.texts),
    }
    is_part = request.htmx.target == "batch-nulls"  # type: ignore[attr-defined]
    return render(request, "studio/batches/_nulls.html" if is_part else "studio/batches/nulls.html", context)


@require_POST
@researcher_required
def batch_nulls_start(request: HttpRequest, public_id: UUID) -> HttpResponse:
    batch = get_object_or_404(Batch, public_id=public_id)
    texts = selectors.texts_of_batch(batch=batch)
    if len(texts) > MOST_TEXTS:
        messages.error(
            request,
            _(
                "The batch has %(texts)d texts; %(most)d are the most that are drawn for at once. "
                "Draw for single abstracts, on their own pages."
            )
            % {"texts": len(texts), "most": MOST_TEXTS},
        )
    elif not start_null_comparison(text_ids=texts, draws=DRAWS):
        messages.info(request, _("Every text is compared already, or waits for it."))
    return redirect("studio:batch_nulls", public_id)


@require_POST
@researcher_required
def batch_nulls_cancel(request: HttpRequest, public_id: UUID) -> HttpResponse:
    batch = get_object_or_404(Batch, public_id=public_id)
    stopped = services.cancel_null_comparisons(text_ids=selectors.texts_of_batch(batch=batch))
    messages.success(
        request,
        ngettext(
            "%(count)d chunk of draws is cancelled. What is drawn is kept; start again to go on from there.",
            "%(count)d chunks of draws are cancelled. What is drawn is kept; start again to go on from there.",
            stopped,
        )
        % {"count": stopped},
    )
    return redirect("studio:batch_nulls", public_id)
