"""Links by which people come, without a password to invent: made, mailed, withdrawn, replaced.

A link is signed and names the invitation by its public id. Opening it does nothing: only the confirmation that follows
accepts (`joining`), so that a mail program that looks at links uses up nothing.
"""

import logging
import uuid
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.invitees import Invitee
from evaluation.models import Invitation, Membership, Study
from evaluation.services.entering import DAYS
from evaluation.services.events import record_if_launched
from evaluation.services.joining import accept_invitation
from evaluation.services.links import LinkUnusable, check_usable, invitation_path, invitation_token, invitation_url

__all__ = [
    "LinkUnusable",
    "accept_invitation",
    "check_usable",
    "invitation_path",
    "invitation_token",
    "invitation_url",
    "invite",
    "invite_many",
    "renew_invitation",
    "revoke_invitation",
    "send_invitations",
]

logger = logging.getLogger(__name__)


@transaction.atomic
def invite(
    *,
    study: Study,
    people: Sequence[Invitee],
    created_by: User | None = None,
    quota: int | None = None,
    days: int = DAYS,
    kind: str = Invitation.Kind.PERSONAL,
    role: str = Membership.Role.REVIEWER,
) -> list[Invitation]:
    """One link a person; all or none. Send them with `send_invitations`, or copy `invitation_url`."""
    study = _lock(study)
    addresses = [person.email for person in people if person.email]
    invited = study.invitations.filter(email__in=addresses, revoked_at__isnull=True)
    if names := ", ".join(invited.values_list("email", flat=True)):
        raise StudyError(_("Invited already: %(names)s. Copy their link below, or revoke it first.") % {"names": names})
    if role == Membership.Role.REVIEWER and (created_by is None or created_by.is_staff):
        _check_no_researcher(addresses)
    expires = timezone.now() + timedelta(days=days)
    made = Invitation.objects.bulk_create(
        Invitation(
            study=study,
            name=person.name,
            email=person.email,
            quota=person.quota or quota,
            kind=Invitation.Kind.ONCE if role != Membership.Role.REVIEWER else person.kind or kind,
            role=role,
            created_by=created_by,
            expires_at=expires,
        )
        for person in people
    )
    record_if_launched(study=study, actor=created_by, kind="people-invited", role=role, links=len(made))
    return made


@transaction.atomic
def invite_many(
    *,
    study: Study,
    name: str,
    created_by: User | None = None,
    most_uses: int | None = None,
    quota: int | None = None,
    days: int = DAYS,
) -> Invitation:
    """One link for many people, each of whom gets an account of their own; `name` is what researchers call it."""
    study = _lock(study)
    made = Invitation.objects.create(
        study=study,
        kind=Invitation.Kind.SHARED,
        name=name[:150],
        most_uses=most_uses,
        quota=quota,
        created_by=created_by,
        expires_at=timezone.now() + timedelta(days=days),
    )
    record_if_launched(
        study=study, actor=created_by, kind="people-invited", role="reviewer", links=1, most_uses=most_uses
    )
    return made


@transaction.atomic
def revoke_invitation(*, invitation: Invitation) -> None:
    """Let the link open nothing any more; what was rated through it stays."""
    Invitation.objects.filter(pk=invitation.pk, revoked_at__isnull=True).update(revoked_at=Now())


@transaction.atomic
def renew_invitation(*, invitation: Invitation, days: int = DAYS) -> Invitation:
    """Give the same person a new link to the same account; the old link is dead from now on."""
    invitation = Invitation.objects.select_for_update().get(pk=invitation.pk)
    again = Invitation.objects.filter(study_id=invitation.study_id, email=invitation.email, revoked_at__isnull=True)
    if invitation.email and again.exclude(pk=invitation.pk).exists():
        raise StudyError(_("%(address)s has another link that is in force.") % {"address": invitation.email})
    invitation.public_id = uuid.uuid4()
    invitation.revoked_at = None
    invitation.expires_at = timezone.now() + timedelta(days=days)
    if invitation.kind == Invitation.Kind.ONCE:
        invitation.accepted_at = None  # works once more
    invitation.save(update_fields=["public_id", "revoked_at", "expires_at", "accepted_at"])
    return invitation


def send_invitations(*, invitations: Sequence[Invitation]) -> None:
    """Mail those that have an address, once the transaction (if any) has committed."""
    if addressed := [invitation for invitation in invitations if invitation.email]:
        transaction.on_commit(partial(_send, addressed))


def _send(invitations: Sequence[Invitation]) -> None:
    """A mail that fails is logged and left without `sent_at`, so that the page can say so and offer the link."""
    connection = get_connection()
    for invitation in invitations:
        try:
            EmailMessage(_subject(invitation), _body(invitation), to=[invitation.email], connection=connection).send()
        except Exception:
            logger.exception("invitation %s could not be mailed", invitation.pk)
        else:
            Invitation.objects.filter(pk=invitation.pk).update(sent_at=Now())


def _subject(invitation: Invitation) -> str:
    if invitation.role == Membership.Role.REVIEWER:
        return _("Please rate texts: %(study)s") % {"study": invitation.study.title}
    return _("A study for you: %(study)s") % {"study": invitation.study.title}


def _body(invitation: Invitation) -> str:
    if invitation.role != Membership.Role.REVIEWER:
        asked = _("you are asked to look after the study “%(study)s”.")
        works = _("It works once, until %(until)s; afterwards you sign in by a code mailed to you.")
    elif invitation.kind == Invitation.Kind.ONCE:
        asked = _("you are invited to rate short texts in the study “%(study)s”.")
        works = _("It works once, until %(until)s; afterwards you sign in by a code mailed to you.")
    else:
        asked = _("you are invited to rate short texts in the study “%(study)s”.")
        works = _("It works until %(until)s, as often as you like: you can stop and come back.")
    words = {
        "name": invitation.name,
        "study": invitation.study.title,
        "until": date_format(invitation.expires_at, _("j F Y")),
    }
    return "\n\n".join(
        (
            _("Dear %(name)s,") % words,
            asked % words + "\n" + _("This personal link signs you in; no password is needed:"),
            invitation_url(invitation),
            works % words + "\n" + _("Please do not pass it on: whoever opens it answers in your name.") + "\n",
        )
    )


def _lock(study: Study) -> Study:
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if study.state == Study.State.CLOSED:
        raise StudyError(_("The study is closed; nobody can rate in it any more."))
    return study


def _check_no_researcher(addresses: Sequence[str]) -> None:
    researchers = User.objects.filter(Q(is_staff=True) | Q(is_superuser=True), email__in=addresses)
    if found := ", ".join(researchers.values_list("email", flat=True)):
        raise StudyError(
            _("%(names)s: researchers of this site see where texts come from, and cannot rate. Use another address.")
            % {"names": found}
        )
