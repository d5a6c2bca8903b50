"""Launching, closing, emptying, archiving and deleting a study, and beginning its next version or another like it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.services.items import remove_item, remove_items
from evaluation.services.studies import (
    archive_study,
    close_study,
    delete_draft,
    duplicate_study,
    make_new_version,
    unarchive_study,
)
from evaluation.tasks import start_launch
from studio.access import researcher_required
from studio.whole_numbers import whole_number

ACTIONS: dict[str, tuple[Callable[..., Any], Any]] = {
    "launch": (start_launch, _("Launched. Texts, criteria and order are frozen.")),
    "close": (close_study, _("Closed. No more answers are taken.")),
    "drop": (remove_item, _("The text is out of the draft.")),
    "empty": (remove_items, _("All texts are out of the draft.")),
    "version": (
        make_new_version,
        _("This draft has the protocol and the texts of the study. Change it, then launch it."),
    ),
    "duplicate": (duplicate_study, _("This draft is a copy. Change it, then launch it.")),
    "archive": (archive_study, _("Archived: the list of studies leaves it out unless you ask for it.")),
    "unarchive": (unarchive_study, _("The study is back in the list.")),
    "delete": (delete_draft, _("The draft is deleted.")),
}


def _extras(request: HttpRequest, action: str) -> dict[str, Any]:
    """What an action needs to know beside the study."""
    if action in {"archive", "unarchive"}:
        return {"actor": request.user}
    if action == "duplicate":
        return {"created_by": request.user, "with_texts": "with_texts" in request.POST}
    if action == "drop":
        return {"position": whole_number(request.POST.get("text"), digits=9) or 0}
    return {"created_by": request.user} if action == "version" else {}


@require_POST
@researcher_required
def act(request: HttpRequest, public_id: UUID, action: str) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    if action not in ACTIONS:
        raise Http404
    service, said = ACTIONS[action]
    try:
        made = service(study=study, **_extras(request, action))
    except StudyError as error:
        messages.error(request, str(error))
        return redirect("studio:study", public_id)
    messages.success(request, said)
    if action in {"version", "duplicate"}:
        return redirect("studio:study", made.public_id)
    return redirect("studio:studies") if action == "delete" else redirect("studio:study", public_id)
