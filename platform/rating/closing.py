"""The closing question, once all texts are rated: which of them were written by people?"""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.errors import RatingRefused
from evaluation.models import AuthorshipGuess, Membership, Study
from evaluation.selectors.rating import texts_to_guess
from evaluation.services.finishing import record_guesses
from rating.members import membership

PAGE = 20
PREFIX = "guess-"


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def closing(request: HttpRequest, study_id: UUID) -> HttpResponse:
    """Twenty texts a page. Each choice is saved by the script at once, or all of the page by its button."""
    member = membership(request, study_id)
    study = member.study
    if not study.asks_authorship or study.state != Study.State.OPEN or member.finished_at is None:
        return redirect("study_done", study_id)
    if request.method == "POST":
        return _store(request, study_id, member)
    after = request.GET.get("after", "")
    start = int(after) if after.isdecimal() and len(after) < 9 else 0
    texts = texts_to_guess(study_id=member.study_id, reviewer=request.user, after=start, limit=PAGE + 1)
    context = {
        "study": study,
        "texts": texts[:PAGE],
        "start": start,
        "next_after": texts[PAGE - 1].position if len(texts) > PAGE else None,
        "guesses": AuthorshipGuess.Guess.choices,
    }
    return render(request, "rating/closing.html", context)


def _store(request: HttpRequest, study_id: UUID, member: Membership) -> HttpResponse:
    wants_json = "application/json" in request.headers.get("Accept", "")
    try:
        guesses = {
            UUID(name.removeprefix(PREFIX)): value
            for name, value in request.POST.items()
            if name.startswith(PREFIX) and value
        }
        stored = record_guesses(member=member, guesses=guesses)
    except (ValueError, RatingRefused) as refusal:
        if wants_json:
            return JsonResponse({"saved": False, "error": str(refusal)}, status=400)
        return redirect("study_closing", study_id)
    if wants_json:
        return JsonResponse({"saved": True, "stored": stored})
    after = request.POST.get("after", "")
    if after.isdecimal() and len(after) < 9:
        return redirect(f"{reverse('study_closing', args=[study_id])}?after={after}")
    return redirect("study_done", study_id)
