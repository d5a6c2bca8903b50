"""The people of a study: their roles and quotas, and the links by which more of them come."""

from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from evaluation.errors import StudyError
from evaluation.invitees import Invitee
from evaluation.models import Membership, Study
from evaluation.selectors.people import study_people
from evaluation.selectors.watching import study_invitations
from evaluation.services.erasure import erase_person
from evaluation.services.invitations import invitation_url, invite, invite_many, send_invitations
from evaluation.services.members import (
    change_quota,
    change_role,
    free_participant_id,
    hand_over,
    readmit_member,
    remove_member,
)
from studio.access import researcher_required
from studio.studies.invitations import warn_of_unsent
from studio.studies.people_forms import HelperForm, PeopleForm, QuotaForm, RoleForm, SharedForm

# What panels put the participant's id in the place of.
PLACEHOLDERS = {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}", "workerId": "${workerId}"}
FORMS: dict[str, type[forms.Form]] = {"people": PeopleForm, "shared": SharedForm, "helper": HelperForm}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@researcher_required
def people(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    kind = request.POST.get("form", "")
    if request.method != "POST":
        return _page(request, study)
    if kind not in FORMS:
        raise Http404
    form = FORMS[kind](request.POST, request.FILES, prefix=kind)
    if form.is_valid():
        try:
            _invite(request, study, kind, form.cleaned_data)
        except StudyError as error:
            form.add_error(None, str(error))
        else:
            return redirect("studio:study_people", public_id)
    return _page(request, study, refused=kind, form=form)


@require_POST
@researcher_required
def member(request: HttpRequest, public_id: UUID, pk: int, action: str) -> HttpResponse:
    """Change somebody's role or quota, hand the study over, let a person go or in again, erase a person's data."""
    found = get_object_or_404(Membership.objects.select_related("study", "user"), pk=pk, study__public_id=public_id)
    if action not in ACTIONS:
        raise Http404
    is_owners, act = ACTIONS[action]
    if is_owners and not request.may_own:  # type: ignore[attr-defined]
        raise PermissionDenied
    name = str(found.user)
    try:
        said = act(request, found)
    except StudyError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, said % {"name": name})
    return redirect("studio:study_people", public_id)


def _invite(request: HttpRequest, study: Study, kind: str, said: dict[str, Any]) -> None:
    if kind == "shared":
        invite_many(study=study, created_by=request.user, **said)
        messages.success(request, _("The link is made."))
        return
    if kind == "helper":
        person = Invitee(said["name"], said["email"].lower())
        made = invite(study=study, people=[person], created_by=request.user, role=said["role"], days=14)
    else:
        made = invite(
            study=study,
            people=said["everybody"],
            created_by=request.user,
            quota=said["quota"],
            days=said["days"],
            kind=said["kind"],
        )
    if kind == "helper" or said["send"]:
        send_invitations(invitations=made)
        warn_of_unsent(request, made)
    messages.success(request, ngettext("%(n)s link made.", "%(n)s links made.", len(made)) % {"n": len(made)})


def _change_role(request: HttpRequest, found: Membership) -> str:
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise StudyError(_("There is no such role."))
    change_role(member=found, role=form.cleaned_data["role"], actor=request.user)
    return _("%(name)s has the role now.")


def _change_quota(request: HttpRequest, found: Membership) -> str:
    form = QuotaForm(request.POST)
    if not form.is_valid():
        raise StudyError(_("At most so many texts: write a whole number from 1, or nothing for no limit."))
    change_quota(member=found, quota=form.cleaned_data["quota"], actor=request.user)
    return _("%(name)s has the quota now.")


def _hand_over(request: HttpRequest, found: Membership) -> str:
    hand_over(member=found, actor=request.user)
    return _("%(name)s owns the study now.")


def _remove(request: HttpRequest, found: Membership) -> str:
    remove_member(member=found, actor=request.user)
    return _("%(name)s has no part in the study any more.")


def _readmit(request: HttpRequest, found: Membership) -> str:
    readmit_member(member=found, actor=request.user)
    return _("%(name)s is let in again.")


def _free(request: HttpRequest, found: Membership) -> str:
    free_participant_id(member=found, actor=request.user)
    return _("Somebody else can come under the participant id of %(name)s now.")


def _erase(request: HttpRequest, found: Membership) -> str:
    """An account may take part in other studies too: only researchers of the site erase it."""
    if not (request.user.is_staff or request.user.is_superuser):
        raise PermissionDenied
    if "is_sure" not in request.POST:
        raise StudyError(_("Tick the box: what is erased cannot be brought back."))
    erase_person(user=found.user, actor=request.user, redacts_comments="redacts_comments" in request.POST)
    return _("What identified %(name)s is erased. The ratings stay under a pseudonym.")


# Whether only the owner may, and what is done.
ACTIONS = {
    "role": (False, _change_role),
    "quota": (False, _change_quota),
    "own": (True, _hand_over),
    "remove": (False, _remove),
    "readmit": (False, _readmit),
    "free": (False, _free),
    "erase": (False, _erase),
}


def _page(request: HttpRequest, study: Study, *, refused: str = "", form: forms.Form | None = None) -> HttpResponse:
    unbound = {f"{kind}_form": made(prefix=kind) for kind, made in FORMS.items()}
    here = settings.SITE_URL.rstrip("/") + reverse("join_study", args=[study.public_id])
    everybody = study_people(study=study)
    context = {
        "section": "studies",
        "study": study,
        "people": everybody,
        "has_panelists": any(one.participant_id for one in everybody),
        "withdrawal_url": _withdrawal_url(study),
        "links": [(one, invitation_url(one)) for one in study_invitations(study=study)],
        "open_address": here if study.allows_self_registration else "",
        "panel_address": f"{here}?{study.participant_parameter}={PLACEHOLDERS.get(study.participant_parameter, '')}",
        "refused": refused,
        **unbound,
    }
    if form is not None:
        context[f"{refused}_form"] = form
    return render(request, "studio/studies/people.html", context, status=422 if refused else 200)


def _withdrawal_url(study: Study) -> str:
    """The page on which reviewers are withdrawn."""
    try:
        return reverse("studio:study_withdrawal", args=[study.public_id])
    except NoReverseMatch:
        return ""
