"""The rating page: one text, its criteria, and what was chosen.

The same address answers a plain form (with a redirect) and the page's own script (with JSON, which names the next page
and carries its main part).
"""

import uuid
from typing import Any
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from evaluation.errors import NotYours, RatingRefused
from evaluation.selectors.rating import SlotPage, rubric, slot_page
from evaluation.selectors.standing import Standing, reviewer_standing
from evaluation.services.allocation import claim_next, skip_slot
from evaluation.services.ratings import Receipt, record_ratings
from rating.submissions import PREFIX, Submission, Unreadable, read_choices, read_submission

SKIP_REASONS = ("Outside my field", "I cannot read or understand it", "I know who wrote it", "Other")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def slot(request: HttpRequest, slot_id: UUID) -> HttpResponse:
    if not request.user.is_authenticated:
        return _signed_out(request, slot_id)
    if request.method == "POST":
        return _store(request, slot_id)
    page = _page(request, slot_id)
    try:
        kept = read_choices(request.GET)
    except Unreadable:
        kept = {}
    context = slot_context(page, _standing(request, page), kept=kept, comment=request.GET.get("comment"))
    return render(request, "rating/slot.html", context)


@never_cache
@require_POST
def skip(request: HttpRequest, slot_id: UUID) -> HttpResponse:
    """Give the text up, with a reason, and go to the next one."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("slot", args=[slot_id]))
    reason = request.POST.get("reason", "")
    words = request.POST.get("words", "").strip()
    try:
        study_id = skip_slot(
            slot_id=slot_id, reviewer=request.user, reason=": ".join(part for part in (reason, words) if part)
        )
        following = claim_next(study_id=study_id, reviewer=request.user).slot
    except NotYours:
        raise Http404("No such text") from None
    except RatingRefused:
        return redirect("slot", slot_id)
    if following:
        return redirect("slot", following)
    return redirect("study_done", _page(request, slot_id).study)


def _store(request: HttpRequest, slot_id: UUID) -> HttpResponse:
    try:
        sent = read_submission(request)
        receipt = record_ratings(
            slot_id=slot_id,
            reviewer=request.user,
            answers=sent.answers,
            key=sent.key,
            seconds_active=sent.seconds,
            comment=sent.comment,
        )
    except NotYours as refusal:
        return _refuse(request, slot_id, str(refusal), status=404)
    except RatingRefused as refusal:
        return _refuse(request, slot_id, str(refusal), status=409)
    except Unreadable as refusal:
        return _refuse(request, slot_id, str(refusal), status=400)
    if sent.go == "next" and not receipt.complete:
        return _incomplete(request, slot_id, receipt)
    return _answer(request, slot_id, sent, receipt)


def _answer(request: HttpRequest, slot_id: UUID, sent: Submission, receipt: Receipt) -> HttpResponse:
    """Say what was stored, and give the next text where that was asked for."""
    stored = {"saved": True, "answered": receipt.answered, "criteria": receipt.criteria}
    if sent.go not in {"next", "back"}:
        return JsonResponse(stored) if _wants_json(request) else redirect("slot", slot_id)
    standing = None
    target = receipt.following
    if sent.go == "back":
        target = _page(request, slot_id).previous or slot_id
    elif target is None:
        claim = claim_next(study_id=receipt.study_id, reviewer=request.user)
        target, standing = claim.slot, claim.standing
    location = reverse("slot", args=[target]) if target else _done(request, slot_id)
    if not _wants_json(request):
        return redirect(location)
    html = None
    if target is not None:
        page = _page(request, target)
        context = slot_context(page, standing or _standing(request, page))
        html = render_to_string("rating/_slot.html", context, request=request)
    return JsonResponse(stored | {"location": location, "html": html})


def _incomplete(request: HttpRequest, slot_id: UUID, receipt: Receipt) -> HttpResponse:
    """What was chosen is stored; the reviewer stays until each criterion has a level."""
    left = receipt.criteria - receipt.answered
    refusal = "One criterion still has no level." if left == 1 else f"{left} criteria still have no level."
    if _wants_json(request):
        stored = {"saved": True, "answered": receipt.answered, "criteria": receipt.criteria}
        return JsonResponse(stored | {"error": refusal}, status=422)
    page = _page(request, slot_id)
    context = slot_context(page, _standing(request, page)) | {"refusal": f"{refusal} What you chose is saved."}
    return render(request, "rating/slot.html", context, status=422)


def _refuse(request: HttpRequest, slot_id: UUID, refusal: str, *, status: int) -> HttpResponse:
    """Nothing was stored: say so, and show what was chosen."""
    if _wants_json(request):
        return JsonResponse({"saved": False, "error": refusal}, status=status)
    page = _page(request, slot_id)
    try:
        kept = read_choices(request.POST)
    except Unreadable:
        kept = {}
    comment = request.POST.get("comment")
    context = slot_context(page, _standing(request, page), kept=kept, comment=comment) | {"refusal": refusal}
    return render(request, "rating/slot.html", context, status=status)


def _signed_out(request: HttpRequest, slot_id: UUID) -> HttpResponse:
    """The session ended: what was chosen is kept on the page until its owner has signed in again."""
    if _wants_json(request):
        return JsonResponse({"saved": False, "error": "Your session has ended."}, status=401)
    if request.method != "POST":
        return redirect_to_login(request.get_full_path())
    chosen = [(name, value) for name, value in request.POST.items() if name.startswith(PREFIX) and value.isdecimal()]
    context = {"slot": slot_id, "chosen": chosen, "comment": request.POST.get("comment", "")}
    return render(request, "rating/signed_out.html", context, status=401)


def slot_context(
    page: SlotPage, standing: Standing, *, kept: dict[str, int] | None = None, comment: str | None = None
) -> dict[str, Any]:
    """Everything that the rating page shows; `kept` and `comment` are not stored yet."""
    chosen = page.chosen | (kept or {})
    scales = [
        (criterion, chosen.get(criterion.key), page.chosen.get(criterion.key))
        for criterion in rubric(study_id=page.study_pk, frozen_sha256=page.frozen_sha256)
    ]
    return {
        "page": page,
        "standing": standing,
        "scales": scales,
        "comment": page.comment if comment is None else comment,
        "is_kept": any(page.chosen.get(name) != index for name, index in (kept or {}).items()),
        "key": uuid.uuid4(),
        "skip_reasons": SKIP_REASONS,
        "field_prefix": PREFIX,
    }


def _page(request: HttpRequest, slot_id: UUID) -> SlotPage:
    page = slot_page(slot_id=slot_id, reviewer=request.user)
    if page is None:
        raise Http404("No such text")
    return page


def _standing(request: HttpRequest, page: SlotPage) -> Standing:
    return reviewer_standing(study_id=page.study_pk, reviewer=request.user, quota=page.quota, size=page.item_count)


def _done(request: HttpRequest, slot_id: UUID) -> str:
    return reverse("study_done", args=[_page(request, slot_id).study])


def _wants_json(request: HttpRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")
