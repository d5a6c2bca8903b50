"""Launching, closing, emptying and deleting a study."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.services.items import remove_items
from evaluation.services.studies import close_study, delete_draft, launch_study
from studio.access import researcher_required

ACTIONS: dict[str, tuple[Callable[..., Any], str]] = {
    "launch": (launch_study, "Launched. Texts, criteria and order are frozen."),
    "close": (close_study, "Closed. No more answers are taken."),
    "empty": (remove_items, "All texts are out of the draft."),
    "delete": (delete_draft, "The draft is deleted."),
}


@require_POST
@researcher_required
def act(request: HttpRequest, public_id: UUID, action: str) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    if action not in ACTIONS:
        raise Http404
    service, said = ACTIONS[action]
    try:
        service(study=study)
    except StudyError as error:
        messages.error(request, str(error))
        return redirect("studio:study", public_id)
    messages.success(request, said)
    return redirect("studio:studies") if action == "delete" else redirect("studio:study", public_id)
