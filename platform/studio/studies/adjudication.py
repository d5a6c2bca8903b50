"""The queue of texts whose raters lie widest apart, and settling what holds for one."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import User
from evaluation.errors import AgreementHidden, StudyError
from evaluation.models import Item, Study
from evaluation.selectors.adjudication import OnTheTable, disputed_items, on_the_table
from evaluation.services.adjudication import LONGEST_REASON, adjudicate
from studio.access import researcher_required
from studio.reports.hidden import hidden
from studio.studies.tabs import study_page
from studio.whole_numbers import whole_number

PAGE = 25


@require_GET
@researcher_required
def queue(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    after = whole_number(request.GET.get("after"), digits=9) or 0
    show = "open" if request.GET.get("show") == "open" else "all"
    try:
        items, total = disputed_items(study=study, after=after, limit=PAGE, open_only=show == "open")
    except AgreementHidden:
        return hidden(request, study, tab="adjudication")
    context = study_page(study, "adjudication") | {
        "items": items,
        "total": total,
        "show": show,
        "after": after,
        "next_after": after + PAGE if after + PAGE < total else None,
    }
    return render(request, "studio/studies/adjudication.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@researcher_required
def settle(request: HttpRequest, public_id: UUID, item_id: UUID) -> HttpResponse:
    """One text: its ratings without names, and a form for the level that holds on each criterion."""
    study = get_object_or_404(Study, public_id=public_id)
    try:
        found = on_the_table(study=study, item_id=item_id)
    except AgreementHidden:
        return hidden(request, study, tab="adjudication")
    if found is None:
        raise Http404
    if request.method == "POST":
        error = _settle(request, study, found)
        if not error:
            return redirect(f"{reverse('studio:study_adjudication', args=[public_id])}?show=open")
        return _page(request, study, found, error=error)
    return _page(request, study, found)


def _settle(request: HttpRequest, study: Study, found: OnTheTable) -> str:
    """Store what was chosen; in words what is wrong with it, empty where nothing is."""
    given = {scale.key: request.POST.get(f"level-{scale.key}", "") for scale in found.scales}
    chosen = {key: value for key, value in given.items() if value.isascii() and value.isdecimal() and len(value) < 3}
    assert isinstance(request.user, User)  # noqa: S101  (researcher_required)
    try:
        stored = adjudicate(
            study=study,
            item=Item(pk=found.pk),
            levels={key: int(value) for key, value in chosen.items()},
            reason=request.POST.get("reason", ""),
            decided_by=request.user,
        )
    except StudyError as error:
        return str(error)
    if stored:
        messages.success(request, _("%(item)s is settled. Agreement stays as it was.") % {"item": found.external_id})
    else:
        messages.info(request, _("Nothing new: this level with this reason was in force already."))
    return ""


def _page(request: HttpRequest, study: Study, found: OnTheTable, *, error: str = "") -> HttpResponse:
    in_force = found.in_force
    criteria = []
    for scale in found.scales:
        decided = in_force.get(scale.pk)
        chosen = request.POST.get(f"level-{scale.key}", "" if decided is None else str(decided.level))
        levels = [(str(index), label, str(index) == chosen) for index, label in enumerate(scale.labels)]
        criteria.append({"scale": scale, "levels": levels})
    context = study_page(study, "adjudication") | {
        "item": found,
        "ratings": [
            (one, list(zip([scale.name for scale in found.scales], one.levels, strict=True))) for one in found.ratings
        ],
        "criteria": criteria,
        "reason": request.POST.get("reason", ""),
        "longest_reason": LONGEST_REASON,
        "error": error,
    }
    return render(request, "studio/studies/adjudicate.html", context, status=422 if error else 200)
