"""Withdrawing a reviewer: what would become of the ratings and of agreement, then the decision, and its way back."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from evaluation.errors import AgreementHidden, StudyError
from evaluation.models import Item, Membership, Slot, Study
from evaluation.reports.without import COEFFICIENTS, agreement_with_and_without
from evaluation.reports.words import decimal, interval
from evaluation.services.withdrawals import reinstate_reviewer, withdraw_reviewer
from studio.access import researcher_required

COEFFICIENT_NAMES = {
    "mean_pairwise_cohen_kappa_linear": gettext_lazy("Linear weighted κ (mean of pairs)"),
    "krippendorff_alpha_ordinal": gettext_lazy("Krippendorff’s ordinal α"),
    "exact_agreement": gettext_lazy("Exact agreement"),
}


class WithdrawalForm(forms.Form):
    how = forms.ChoiceField(choices=Membership.Removal.choices)
    is_sure = forms.BooleanField(error_messages={"required": gettext_lazy("Tick the box to say that you are sure.")})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@researcher_required
def withdrawal(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    reviewers = list(_reviewers(study))
    wanted = (request.POST if request.method == "POST" else request.GET).get("reviewer", "")
    chosen = next((member for member in reviewers if str(member.pk) == wanted), None)
    if wanted and chosen is None:
        raise Http404
    form = None
    if request.method == "POST":
        if chosen is None:
            raise Http404
        form = WithdrawalForm(request.POST)
        if request.POST.get("act") == "reinstate":
            return _reinstate(request, chosen)
        if form.is_valid() and _withdraw(request, chosen, form):
            return redirect(f"{reverse('studio:study_withdrawal', args=[public_id])}?reviewer={chosen.pk}")
    context = {
        "section": "studies",
        "tab": "people",
        "study": study,
        "reviewers": reviewers,
        "chosen": chosen,
        "form": form,
        "criteria": None,
        "hidden": "",
    }
    if chosen is not None and not chosen.removed_at and study.state != Study.State.DRAFT:
        context |= _preview(chosen)
    return render(request, "studio/studies/withdrawal.html", context, status=422 if form is not None else 200)


def _reviewers(study: Study) -> Any:
    own = Q(user__slots__item__study=study, user__slots__item__kind=Item.Kind.RATED, user__slots__pass_number=0)
    members = Membership.objects.filter(study=study, role=Membership.Role.REVIEWER).select_related("user", "study")
    return members.annotate(
        rated=Count("user__slots", filter=own & Q(user__slots__answered_at__isnull=False)),
        in_hand=Count("user__slots", filter=own & Q(user__slots__state=Slot.State.CLAIMED)),
    ).order_by("number")


def _withdraw(request: HttpRequest, member: Membership, form: WithdrawalForm) -> bool:
    try:
        left = withdraw_reviewer(member=member, how=form.cleaned_data["how"], actor=request.user)
    except StudyError as error:
        form.add_error(None, str(error))
        return False
    freed = left.freed + left.reopened
    said = ngettext(
        "%(name)s is withdrawn. %(seats)s seat is free for others.",
        "%(name)s is withdrawn. %(seats)s seats are free for others.",
        freed,
    )
    messages.success(request, said % {"name": member.user, "seats": freed})
    return True


def _reinstate(request: HttpRequest, member: Membership) -> HttpResponse:
    try:
        back = reinstate_reviewer(member=member, actor=request.user)
    except StudyError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(name)s takes part again.") % {"name": member.user})
        if back.surplus:
            said = ngettext(
                "%(count)s rating is kept but not counted, since somebody else rated that text meanwhile.",
                "%(count)s ratings are kept but not counted, since others rated those texts meanwhile.",
                back.surplus,
            )
            messages.warning(request, said % {"count": back.surplus})
    return redirect(f"{reverse('studio:study_withdrawal', args=[member.study.public_id])}?reviewer={member.pk}")


def _preview(member: Membership) -> dict[str, Any]:
    try:
        found = agreement_with_and_without(study=member.study, reviewer_id=member.user_id)
    except AgreementHidden as hidden:
        return {"hidden": str(hidden)}
    return {
        "criteria": [
            {
                "name": row["name"],
                "rows": [
                    (COEFFICIENT_NAMES[key], _words(row["all"], key), _words(row["without"], key))
                    for key in COEFFICIENTS
                ],
                "all": row["all"],
                "without": row["without"],
            }
            for row in found
        ]
    }


def _words(figures: dict[str, Any], key: str) -> dict[str, str]:
    found = figures["coefficients"][key]
    if found["value"] is None:
        return {"value": "–", "about": found["reason"] or ""}
    return {"value": decimal(found["value"]), "about": interval(*found["ci"]) if found["ci"] else ""}
