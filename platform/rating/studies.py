"""A study as its reviewer sees it: instructions, the way to the next text, earlier answers, the end."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from evaluation.errors import RatingRefused
from evaluation.models import Membership, Study
from evaluation.presentation import render_markdown
from evaluation.selectors.rating import given_answers, others_hold_seats, reviewer_study, rubric
from evaluation.selectors.standing import Standing, reviewer_standing
from evaluation.services.allocation import claim_next

PAGE = 50


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def study(request: HttpRequest, study_id: UUID) -> HttpResponse:
    """Instructions and progress; the button gives the next text."""
    member = _membership(request, study_id)
    if request.method == "POST":
        try:
            slot = claim_next(study_id=member.study_id, reviewer=request.user).slot
        except RatingRefused:
            return redirect("study", study_id)
        return redirect("slot", slot) if slot else redirect("study_done", study_id)
    context = {
        "study": member.study,
        "standing": _standing(member),
        "instructions": render_markdown(member.study.instructions),
        "criteria": rubric(study_id=member.study_id, frozen_sha256=member.study.frozen_sha256),
    }
    return render(request, "rating/study.html", context)


@never_cache
@login_required
@require_safe
def answers(request: HttpRequest, study_id: UUID) -> HttpResponse:
    """What this reviewer answered so far, fifty texts a page."""
    member = _membership(request, study_id)
    after = request.GET.get("after", "")
    start = int(after) if after.isdecimal() and len(after) < 9 else 0
    given = given_answers(study_id=member.study_id, reviewer=request.user, after=start, limit=PAGE + 1)
    context = {
        "study": member.study,
        "answers": given[:PAGE],
        "start": start,
        "next_after": given[PAGE - 1].position if len(given) > PAGE else None,
    }
    return render(request, "rating/answers.html", context)


@never_cache
@login_required
@require_safe
def done(request: HttpRequest, study_id: UUID) -> HttpResponse:
    """Either the end, or nothing at the moment."""
    member = _membership(request, study_id)
    standing = _standing(member)
    has_quota_left = member.quota is None or standing.given < member.quota
    context = {
        "study": member.study,
        "standing": standing,
        "is_closed": member.study.state == Study.State.CLOSED,
        "may_come_back": member.study.state == Study.State.OPEN
        and has_quota_left
        and others_hold_seats(study_id=member.study_id, reviewer=request.user),
    }
    return render(request, "rating/done.html", context)


def _membership(request: HttpRequest, study_id: UUID) -> Membership:
    member = reviewer_study(study_id=study_id, reviewer=request.user)
    if member is None:
        raise Http404("No such study")
    return member


def _standing(member: Membership) -> Standing:
    return reviewer_standing(
        study_id=member.study_id, reviewer=member.user, quota=member.quota, size=member.study.item_count
    )
