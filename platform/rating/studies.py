"""A study as its reviewer sees it: instructions, the way to the next text, earlier answers, the end."""

from dataclasses import replace
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from evaluation.desk import skip_words
from evaluation.errors import RatingRefused
from evaluation.models import Study
from evaluation.selectors.guidelines import guidelines
from evaluation.selectors.rating import given_answers
from evaluation.selectors.standing import more_may_come
from evaluation.services.allocation import claim_next
from rating.endings import way_out
from rating.members import membership, standing_of

PAGE = 50


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def study(request: HttpRequest, study_id: UUID) -> HttpResponse:
    """Instructions and progress; the button gives the next text."""
    member = membership(request, study_id)
    if member.study.consent and member.consented_at is None:
        return redirect("consent", study_id)
    if request.method == "POST":
        try:
            slot = claim_next(study_id=member.study_id, reviewer=request.user).slot
        except RatingRefused:
            return redirect("study", study_id)
        return redirect("slot", slot) if slot else redirect(way_out(study_id=member.study_id, reviewer=request.user))
    context = {
        "study": member.study,
        "standing": standing_of(member),
        "guidelines": guidelines(study_id=member.study_id, frozen_sha256=member.study.frozen_sha256),
        "is_practised": member.practised_at is not None,
    }
    return render(request, "rating/study.html", context)


@never_cache
@login_required
@require_safe
def answers(request: HttpRequest, study_id: UUID) -> HttpResponse:
    """What this reviewer answered so far, fifty texts a page."""
    member = membership(request, study_id)
    after = request.GET.get("after", "")
    start = int(after) if after.isdecimal() and len(after) < 9 else 0
    given = given_answers(study_id=member.study_id, reviewer=request.user, after=start, limit=PAGE + 1)
    told = guidelines(study_id=member.study_id, frozen_sha256=member.study.frozen_sha256)
    context = {
        "study": member.study,
        "answers": [
            (
                replace(answer, skip_reason=skip_words(answer.skip_reason)),
                answer.position if answer.is_practice else answer.position - told.practice,
            )
            for answer in given[:PAGE]
        ],
        "start": start,
        "next_after": given[PAGE - 1].position if len(given) > PAGE else None,
    }
    return render(request, "rating/answers.html", context)


@never_cache
@login_required
@require_safe
def done(request: HttpRequest, study_id: UUID) -> HttpResponse:
    """The end, with what a panel wants to know; or nothing at the moment; or, by a guessed address, the way on."""
    member = membership(request, study_id)
    standing = standing_of(member)
    is_open = member.study.state == Study.State.OPEN
    context = {
        "study": member.study,
        "standing": standing,
        "is_closed": member.study.state == Study.State.CLOSED,
        "has_finished": member.finished_at is not None,
        "skipped_most": is_open and member.finished_at is None and standing.skipped > standing.answered,
        "may_come_back": is_open
        and member.finished_at is None
        and more_may_come(study_id=member.study_id, reviewer=request.user, standing=standing),
        "asks_authorship": is_open and member.study.asks_authorship and member.finished_at is not None,
    }
    return render(request, "rating/done.html", context)
