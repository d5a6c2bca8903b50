"""Launching, closing, emptying and deleting a study, and beginning its next version."""

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
from evaluation.services.studies import close_study, delete_draft, make_new_version
from evaluation.tasks import start_launch
from studio.access import researcher_required

ACTIONS: dict[str, tuple[Callable[..., Any], str]] = {
    "launch": (start_launch, "Launched. Texts, criteria and order are frozen."),
    "close": (close_study, "Closed. No more answers are taken."),
    "empty": (remove_items, "All texts are out of the draft."),
    "version": (make_new_version, "This draft has the protocol and the texts of the study. Change it, then launch it."),
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
        version = service(study=study, **({"created_by": request.user} if action == "version" else {}))
    except StudyError as error:
        messages.error(request, str(error))
        return redirect("studio:study", public_id)
    messages.success(request, said)
    if action == "version":
        return redirect("studio:study", version.public_id)
    return redirect("studio:studies") if action == "delete" else redirect("studio:study", public_id)
