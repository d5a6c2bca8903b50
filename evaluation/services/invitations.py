"""Personal links by which reviewers come, without a password to invent.

A link is signed and names the invitation by its public id. Opening it does nothing: only the confirmation that follows
accepts, so that a mail program that looks at links uses up nothing. Accounts with a password or with rights in the
studio are never entered by a link.
"""

import logging
import secrets
import uuid
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.invitees import Invitee
from evaluation.models import Invitation, Membership, Study
from evaluation.selectors.invitations import SIGNER

__all__ = [
    "LinkUnusable",
    "accept_invitation",
    "check_usable",
    "invitation_path",
    "invitation_token",
    "invitation_url",
    "invite",
    "renew_invitation",
    "revoke_invitation",
    "send_invitations",
]

logger = logging.getLogger(__name__)
DAYS = 60


class LinkUnusable(Exception):
    """The link exists but lets nobody in; the message says why and what to do."""


@transaction.atomic
def invite(
    *,
    study: Study,
    people: Sequence[Invitee],
    created_by: User | None = None,
    quota: int | None = None,
    days: int = DAYS,
) -> list[Invitation]:
    """One link a person; all or none. Send them with `send_invitations`, or copy `invitation_url`."""
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if study.state == Study.State.CLOSED:
        raise StudyError("The study is closed; nobody can rate in it any more.")
    addresses = [person.email for person in people if person.email]
    invited = study.invitations.filter(email__in=addresses, revoked_at__isnull=True)
    if names := ", ".join(invited.values_list("email", flat=True)):
        raise StudyError(f"Invited already: {names}. Copy their link below, or revoke it first.")
    for user in User.objects.filter(email__in=addresses):
        if not _enters_by_link(user):
            raise StudyError(
                f"{user.email} signs in with a password here, and a link would go round it. "
                "Invite this person under another address, or by name only."
            )
    expires = timezone.now() + timedelta(days=days)
    return [
        Invitation.objects.create(
            study=study,
            name=person.name,
            email=person.email,
            quota=quota,
            created_by=created_by,
            expires_at=expires,
        )
        for person in people
    ]


@transaction.atomic
def accept_invitation(*, invitation: Invitation) -> User:
    """The account that the link signs in: made at the first time, the same one ever after."""
    # All links of one address wait for each other, in one order, so that they make one account.
    same = Q(pk=invitation.pk) | (Q(email=invitation.email) & ~Q(email=""))
    locked = Invitation.objects.select_for_update(of=("self",)).filter(same).select_related("study").order_by("pk")
    found = next((one for one in locked if one.pk == invitation.pk), None)
    if found is None:
        raise LinkUnusable("The study is no longer there. Ask whoever invited you.")
    invitation = found
    check_usable(invitation)
    if invitation.user_id is None:
        known = User.objects.filter(email__iexact=invitation.email).first() if invitation.email else None
        invitation.user = known or _make_reviewer(invitation)
    user = invitation.user
    assert user is not None  # noqa: S101  (set above)
    if not user.is_active or not _enters_by_link(user):
        raise LinkUnusable("This account is entered with a password, not by a link. Please sign in.")
    member, _ = Membership.objects.get_or_create(
        study=invitation.study, user=user, defaults={"role": Membership.Role.REVIEWER, "quota": invitation.quota}
    )
    if member.removed_at is not None:
        raise LinkUnusable("You no longer take part in this study. Ask whoever invited you.")
    if invitation.accepted_at is None:
        invitation.accepted_at = Now()
    invitation.save(update_fields=["user", "accepted_at"])
    return user


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
        raise StudyError(f"{invitation.email} has another link that is in force.")
    invitation.public_id = uuid.uuid4()
    invitation.revoked_at = None
    invitation.expires_at = timezone.now() + timedelta(days=days)
    invitation.save(update_fields=["public_id", "revoked_at", "expires_at"])
    return invitation


def check_usable(invitation: Invitation) -> None:
    """Raise LinkUnusable when the link was revoked or has run out."""
    if invitation.revoked_at is not None:
        raise LinkUnusable("This link was withdrawn. Ask whoever invited you for a new one.")
    if invitation.expires_at <= timezone.now():
        raise LinkUnusable("This link has run out. Ask whoever invited you for a new one.")


def invitation_token(invitation: Invitation) -> str:
    return SIGNER.sign(invitation.public_id.hex)


def invitation_path(invitation: Invitation) -> str:
    """The link without the site's address."""
    return reverse("join", args=[invitation_token(invitation)])


def invitation_url(invitation: Invitation) -> str:
    return settings.SITE_URL.rstrip("/") + invitation_path(invitation)


def send_invitations(*, invitations: Sequence[Invitation]) -> None:
    """Mail those that have an address, once the transaction (if any) has committed."""
    for invitation in invitations:
        if invitation.email:
            transaction.on_commit(partial(_send, invitation))


def _send(invitation: Invitation) -> None:
    """A mail that fails is logged and left without `sent_at`, so that the page can say so and offer the link."""
    study = invitation.study
    message = EmailMessage(
        subject=f"Please rate texts: {study.title}",
        body=(
            f"Dear {invitation.name},\n\n"
            f"you are invited to rate short texts in the study “{study.title}”.\n"
            "This personal link signs you in; no password is needed:\n\n"
            f"{invitation_url(invitation)}\n\n"
            f"It works until {invitation.expires_at:%d %B %Y}, as often as you like: you can stop and come back.\n"
            "Please do not pass it on: whoever opens it answers in your name.\n"
        ),
        to=[invitation.email],
    )
    try:
        message.send()
    except Exception:
        logger.exception("invitation %s could not be mailed", invitation.pk)
        return
    Invitation.objects.filter(pk=invitation.pk).update(sent_at=Now())


def _enters_by_link(user: User) -> bool:
    return not (user.is_staff or user.is_superuser or user.has_usable_password())


def _make_reviewer(invitation: Invitation) -> User:
    user = User(
        username=f"reviewer-{secrets.token_hex(6)}", first_name=invitation.name[:150], email=invitation.email.lower()
    )
    user.set_unusable_password()
    user.save()
    return user
