"""The rating page: one text, its criteria, and what was chosen.

The same address answers a plain form (with a redirect) and the page's own script (with JSON, which names the next page
and carries its main part).
"""

from typing import Any
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from evaluation.desk import OTHER, skip_reasons, slot_context
from evaluation.errors import NotYours, Overtaken, RatingRefused
from evaluation.selectors.slot_pages import SlotPage, slot_page
from evaluation.selectors.standing import Standing, reviewer_standing
from evaluation.services.allocation import claim_next, skip_slot
from evaluation.services.ratings import Receipt, record_ratings
from rating.endings import way_out
from rating.members import say_goodbye
from rating.showing import named, words_of_the_page
from rating.submissions import Submission, Unreadable, kept_fields, read_submission


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def slot(request: HttpRequest, slot_id: UUID) -> HttpResponse:
    if not request.user.is_authenticated:
        return _signed_out(request, slot_id)
    if request.method == "POST":
        return _store(request, slot_id)
    page = _page(request, slot_id)
    if page.needs_consent:
        return redirect("consent", page.study)
    return _show(request, page, kept=kept_fields(request.GET), comment=request.GET.get("comment"))


@never_cache
@require_POST
def skip(request: HttpRequest, slot_id: UUID) -> HttpResponse:
    """Give the text up, with a reason, and go to the next one."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("slot", args=[slot_id]))
    if _page(request, slot_id).is_practice:
        return redirect("slot", slot_id)
    reason = request.POST.get("reason", "")
    if reason not in dict(skip_reasons()):
        reason = OTHER  # so that all words of a person's own stand after a colon, where erasing finds them
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
    return redirect("slot", following) if following else redirect(way_out(study_id=study_id, reviewer=request.user))


def _store(request: HttpRequest, slot_id: UUID) -> HttpResponse:
    if request.POST.get("person", str(request.user.public_id)) != str(request.user.public_id):
        return _somebody_else(request, slot_id)
    try:
        sent = read_submission(request)
        receipt = record_ratings(
            slot_id=slot_id,
            reviewer=request.user,
            answers=sent.levels,
            key=sent.key,
            seconds_active=sent.seconds,
            comment=sent.comment,
            open_answers=sent.opened,
            confidence=sent.confidence,
            highlights=sent.highlights,
            seen=sent.seen,
            claims_next=sent.go == "next",
        )
    except Overtaken as refusal:
        return _overtaken(request, slot_id, refusal)
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
    if sent.go not in {"next", "back"}:
        return JsonResponse(_stored(receipt)) if _wants_json(request) else redirect("slot", slot_id)
    standing = None
    target = receipt.following
    if sent.go == "back":
        target = _page(request, slot_id).previous or slot_id
    elif receipt.is_practice and not sent.feedback:
        target = slot_id  # its page now shows the feedback
    elif target is None:
        try:
            claim = receipt.claim or claim_next(study_id=receipt.study_id, reviewer=request.user)
            target, standing = claim.slot, claim.standing
            location = "" if target else way_out(study_id=receipt.study_id, reviewer=request.user)
        except RatingRefused:  # the study was closed, or they left it, since the answer was stored
            location = reverse("home")
    if target is not None:
        location = reverse("slot", args=[target])
    if not _wants_json(request):
        return redirect(location)
    html = None
    if target is not None:
        page = _page(request, target)
        context = slot_context(page, standing or _standing(request, page))
        html = render_to_string("rating/_slot.html", context, request=request)
    return JsonResponse(_stored(receipt) | {"location": location, "html": html})


def _stored(receipt: Receipt) -> dict[str, Any]:
    return {
        "saved": True,
        "answered": receipt.answered,
        "criteria": receipt.criteria,
        "revisions": receipt.revisions,
        "newer": receipt.newer,
    }


def _incomplete(request: HttpRequest, slot_id: UUID, receipt: Receipt) -> HttpResponse:
    """What was chosen is stored; the reviewer stays until each criterion is answered."""
    left = receipt.criteria - receipt.answered
    refusal = ngettext("One criterion still has no answer.", "%(left)s criteria still have no answer.", left) % {
        "left": left
    }
    if _wants_json(request):
        return JsonResponse(_stored(receipt) | {"error": refusal}, status=422)
    refusal = _("%(refusal)s What you chose is saved.") % {"refusal": refusal}
    return _show(request, _page(request, slot_id), status=422, refusal=refusal)


def _overtaken(request: HttpRequest, slot_id: UUID, refusal: Overtaken) -> HttpResponse:
    """Another page stored something newer: both are shown, and the reviewer chooses."""
    page = _page(request, slot_id)
    newer = named(page, refusal.newer)
    if _wants_json(request):
        return JsonResponse({"saved": False, "error": str(refusal), "overtaken": newer}, status=409)
    kept = kept_fields(request.POST)
    comment = request.POST.get("comment")
    return _show(request, page, status=409, kept=kept, comment=comment, overtaken=newer)


def _refuse(request: HttpRequest, slot_id: UUID, refusal: str, *, status: int) -> HttpResponse:
    """Nothing was stored: say so, and show what was chosen."""
    if _wants_json(request):
        return JsonResponse({"saved": False, "error": refusal}, status=status)
    page = _page(request, slot_id)
    kept = kept_fields(request.POST)
    return _show(request, page, status=status, kept=kept, comment=request.POST.get("comment"), refusal=refusal)


def _show(
    request: HttpRequest,
    page: SlotPage,
    *,
    status: int = 200,
    kept: dict[str, str] | None = None,
    comment: str | None = None,
    **more: Any,
) -> HttpResponse:
    context = slot_context(page, _standing(request, page), kept=kept, comment=comment) | more
    context["words"] = words_of_the_page()
    return render(request, "rating/slot.html", context, status=status)


def _signed_out(request: HttpRequest, slot_id: UUID) -> HttpResponse:
    """The session ended: what was chosen is kept on the page until its owner has signed in again."""
    if _wants_json(request):
        return JsonResponse({"saved": False, "error": _("Your session has ended.")}, status=401)
    if request.method != "POST":
        return redirect_to_login(request.get_full_path())
    return _kept_for_its_owner(request, slot_id, status=401)


def _somebody_else(request: HttpRequest, slot_id: UUID) -> HttpResponse:
    """Another person has signed in at this computer: what one of them chose must not become the other's."""
    refusal = _("Somebody else is signed in here now. Nothing was stored: these answers wait for who gave them.")
    if _wants_json(request):
        return JsonResponse({"saved": False, "other": True, "error": refusal}, status=403)
    return _kept_for_its_owner(request, slot_id, status=403)


def _kept_for_its_owner(request: HttpRequest, slot_id: UUID, *, status: int) -> HttpResponse:
    context = {
        "slot": slot_id,
        "chosen": list(kept_fields(request.POST).items()),
        "comment": request.POST.get("comment", ""),
        "is_other": status == 403,
    }
    return render(request, "rating/signed_out.html", context, status=status)


def _page(request: HttpRequest, slot_id: UUID) -> SlotPage:
    page = slot_page(slot_id=slot_id, reviewer=request.user)
    if page is None:
        say_goodbye(request, slot_id=slot_id)
        raise Http404("No such text")
    return page


def _standing(request: HttpRequest, page: SlotPage) -> Standing:
    return reviewer_standing(study_id=page.study_pk, reviewer=request.user, quota=page.quota, size=page.item_count)


def _wants_json(request: HttpRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")
