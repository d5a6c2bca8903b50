"""Inviting reviewers, and what becomes of their links."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from evaluation.errors import StudyError
from evaluation.models import Invitation, Study
from evaluation.services.invitations import invite, renew_invitation, revoke_invitation, send_invitations
from studio.access import researcher_required
from studio.studies.forms import InviteForm
from studio.studies.study import render_study


@require_POST
@researcher_required
def invite_people(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    form = InviteForm(request.POST)
    if form.is_valid():
        asked = form.cleaned_data
        try:
            made = invite(
                study=study,
                people=asked["people"],
                created_by=request.user,
                quota=asked["quota"],
                days=asked["days"],
            )
        except StudyError as error:
            form.add_error("people", str(error))
        else:
            if asked["send"]:
                send_invitations(invitations=made)
                warn_of_unsent(request, made)
            messages.success(request, ngettext("%(n)s link made.", "%(n)s links made.", len(made)) % {"n": len(made)})
            return redirect("studio:study", public_id)
    return render_study(request, study, status=422, anchor="invite", invite_form=form)


@require_POST
@researcher_required
def act(request: HttpRequest, public_id: UUID, invitation_id: UUID, action: str) -> HttpResponse:
    """Withdraw a link, replace it by a new one, or mail it (again)."""
    invitation = get_object_or_404(
        Invitation.objects.select_related("study"), public_id=invitation_id, study__public_id=public_id
    )
    try:
        if action == "revoke":
            revoke_invitation(invitation=invitation)
            messages.success(request, _("The link of %(name)s lets nobody in any more.") % {"name": invitation.name})
        elif action == "renew":
            renew_invitation(invitation=invitation)
            messages.success(request, _("%(name)s has a new link; the old one is dead.") % {"name": invitation.name})
        elif action == "send" and invitation.email:
            Invitation.objects.filter(pk=invitation.pk).update(sent_at=None)
            send_invitations(invitations=[invitation])
            if not warn_of_unsent(request, [invitation]):
                messages.success(request, _("Mail to %(address)s is on its way.") % {"address": invitation.email})
        else:
            raise Http404
    except StudyError as error:
        messages.error(request, str(error))
    return redirect(_back(request), public_id)


def warn_of_unsent(request: HttpRequest, invitations: list[Invitation]) -> bool:
    """Name the addresses to which no mail went out; whether there are any."""
    unsent = Invitation.objects.filter(pk__in=[one.pk for one in invitations], sent_at__isnull=True).exclude(email="")
    if addresses := ", ".join(unsent.values_list("email", flat=True)):
        words = _("The mail server did not take the mail to %(addresses)s. Copy the links instead.")
        messages.warning(request, words % {"addresses": addresses})
    return bool(addresses)


def _back(request: HttpRequest) -> str:
    """The links stand on two pages; the form says on which it stood."""
    return "studio:study_people" if request.POST.get("from") == "people" else "studio:study"
