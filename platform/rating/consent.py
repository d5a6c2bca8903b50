"""Consent of somebody who takes part already: asked before the first text."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.selectors.consent import lacks_consent
from evaluation.selectors.rating import reviewer_study
from evaluation.services.entering import give_consent
from rating.doors import JoinForm, consent_html


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def consent(request: HttpRequest, study_id: UUID) -> HttpResponse:
    member = reviewer_study(study_id=study_id, reviewer=request.user)
    if member is None:
        raise Http404("No such study")
    form = JoinForm(request.POST if request.method == "POST" else None, asks_name=False, asks_consent=True)
    if lacks_consent(member) and request.method == "POST" and form.is_valid():
        give_consent(member=member)
        return redirect("study", study_id)
    context = {
        "study": member.study,
        "consent": consent_html(member.study),
        "member": member,
        "is_given": not lacks_consent(member),
        "form": form,
    }
    return render(request, "rating/consent.html", context, status=422 if form.errors else 200)
