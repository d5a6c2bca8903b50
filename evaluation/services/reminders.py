"""Reminders by mail. Whoever sends one claims it first, so that two workers never mail twice.

A claim sets `reminded_at` and commits before the mail goes out. A mail server that does not answer gives the claim
back, and it is tried again; a worker that dies between the two costs this one reminder, never a second mail.
"""

import logging
from dataclasses import dataclass
from datetime import datetime
from smtplib import SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Invitation, Membership, Study
from evaluation.selectors.reminders import DUE, MAY_BE_REMINDED, SIGNER, recipients
from evaluation.services.events import record
from evaluation.services.invitations import invitation_url

__all__ = ["MailNotTaken", "choose_recipients", "send_reminder", "set_reminders", "stop_url"]

logger = logging.getLogger(__name__)


class MailNotTaken(Exception):
    """The mail server did not take a reminder; it may be tried again."""


@dataclass(frozen=True)
class _Claim:
    member: Membership
    at: datetime
    before: datetime | None


@transaction.atomic
def choose_recipients(*, study: Study, actor: User) -> list[int]:
    """Memberships to remind now, by hand; on record with their number.

    Raises
    ------
    StudyError
        The study is not under way, or there is nobody to remind.
    """
    study = Study.objects.get(pk=study.pk)
    if study.state != Study.State.OPEN or study.archived_at is not None:
        raise StudyError(gettext("Reminders are sent while a study is open."))
    chosen = [one.pk for one in recipients(study=study) if not one.reason]
    if not chosen:
        raise StudyError(gettext("There is nobody to remind now."))
    record(study=study, actor=actor, kind="reminders-sent", reviewers=len(chosen))
    return chosen


def send_reminder(*, membership_id: int, by_hand: bool = False) -> bool:
    """Mail one reviewer if they are (still) to be reminded; whether a mail went out.

    Raises
    ------
    MailNotTaken
        The claim is given back: try again later. An address that the server refuses for good is not tried again
        before the next period.
    """
    claim = _claim(membership_id, MAY_BE_REMINDED if by_hand else DUE)
    if claim is None:
        return False
    try:
        _message(claim.member).send()
    except SMTPRecipientsRefused:
        logger.warning("reminder of membership %s: the server refuses the address", membership_id)
        return False
    except Exception as error:
        logger.exception("reminder of membership %s could not be mailed", membership_id)
        Membership.objects.filter(pk=membership_id, reminded_at=claim.at).update(reminded_at=claim.before)
        raise MailNotTaken(str(membership_id)) from error
    return True


@transaction.atomic
def set_reminders(*, membership: Membership, wanted: bool) -> None:
    """Stop the reminders of one study, or let them come again."""
    Membership.objects.filter(pk=membership.pk).update(takes_reminders=wanted)


def stop_url(*, member: Membership) -> str:
    """The link that stops reminders without a sign-in; opening it alone changes nothing."""
    token = SIGNER.sign(member.user.public_id.hex + member.study.public_id.hex)
    return settings.SITE_URL.rstrip("/") + reverse("reminders", args=[token])


def _claim(membership_id: int, condition: str) -> _Claim | None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"""
            UPDATE evaluation_membership AS claimed SET reminded_at = clock_timestamp()
            FROM (
                SELECT member.id, member.reminded_at FROM evaluation_membership member
                JOIN evaluation_study study ON study.id = member.study_id
                JOIN accounts_user person ON person.id = member.user_id
                WHERE member.id = %s AND {condition}
                FOR NO KEY UPDATE OF member SKIP LOCKED
            ) AS before
            WHERE claimed.id = before.id RETURNING claimed.reminded_at, before.reminded_at
            """,  # noqa: S608  (the conditions are written in selectors/reminders.py)
            [membership_id],
        )
        row = cursor.fetchone()
    if row is None:
        return None
    return _Claim(Membership.objects.select_related("user", "study").get(pk=membership_id), *row)


def _message(member: Membership) -> EmailMessage:
    stop = stop_url(member=member)
    title = " ".join(member.study.title.split())
    return EmailMessage(
        subject=gettext("A reminder: {title}").format(title=title),
        body=gettext(
            "Dear {name},\n\n"
            "in the study “{title}” some texts are still waiting for you. You can go on where you stopped:\n\n"
            "{link}\n\n"
            "If you do not want reminders of this study, this link stops them, without a sign-in:\n\n"
            "{stop}\n"
        ).format(name=member.user, title=title, link=_way_back(member), stop=stop),
        to=[member.user.email],
        headers={"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
    )


def _way_back(member: Membership) -> str:
    """The person's own link while it works, else the study's page, which asks for a sign-in."""
    usable = Q(revoked_at__isnull=True, expires_at__gt=timezone.now(), kind=Invitation.Kind.PERSONAL)
    invitation = Invitation.objects.filter(usable, study=member.study, user=member.user).order_by("-pk").first()
    if invitation is not None:
        return invitation_url(invitation)
    return settings.SITE_URL.rstrip("/") + reverse("study", args=[member.study.public_id])
