"""Who would be reminded of a study, who would not, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.core.signing import BadSignature, Signer
from django.db import connection

from evaluation.models import Membership, Study

__all__ = ["DUE", "MAY_BE_REMINDED", "SIGNER", "Recipient", "due_members", "membership_of_token", "recipients"]

SIGNER = Signer(salt="evaluation.reminder", sep=".")
BY_HAND_HOURS = 24  # between two reminders of one person, whoever sends them

# Something is left to do: a text in hand, or below the quota a free seat at a text that is new to the person or that
# they let lapse.
_HAS_WORK = """(
    EXISTS (SELECT FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
            WHERE slot.reviewer_id = member.user_id AND item.study_id = member.study_id AND slot.state = 'claimed')
    OR (member.quota IS NULL OR member.quota > (
            SELECT count(*) FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
            WHERE slot.reviewer_id = member.user_id AND item.study_id = member.study_id AND item.kind = 'rated'
              AND slot.pass_number = 0 AND slot.state NOT IN ('skipped', 'withdrawn', 'expired')))
       AND EXISTS (
            SELECT FROM evaluation_opening opening
            WHERE opening.study_id = member.study_id
              AND NOT EXISTS (SELECT FROM evaluation_slot slot
                              WHERE slot.item_id = opening.item_id AND slot.reviewer_id = member.user_id
                                AND slot.pass_number = opening.pass_number AND slot.state <> 'expired')
              AND NOT EXISTS (SELECT FROM evaluation_conflict conflict
                              WHERE conflict.item_id = opening.item_id AND conflict.user_id = member.user_id)))"""

_HAS_ADDRESS = "(person.email <> '' AND person.is_active AND person.erased_at IS NULL)"
_TAKES_PART = "member.role = 'reviewer' AND member.removed_at IS NULL"
_JUST_REMINDED = f"coalesce(member.reminded_at > clock_timestamp() - interval '{BY_HAND_HOURS} hours', false)"

MAY_BE_REMINDED = f"""{_TAKES_PART} AND study.state = 'open' AND study.archived_at IS NULL
    AND member.finished_at IS NULL AND member.takes_reminders AND {_HAS_ADDRESS} AND NOT {_JUST_REMINDED}
    AND {_HAS_WORK}"""
DUE = f"""{MAY_BE_REMINDED} AND study.reminder_days IS NOT NULL
    AND greatest(member.joined_at, member.seen_at, member.reminded_at)
        < clock_timestamp() - make_interval(days => study.reminder_days)"""


@dataclass(frozen=True)
class Recipient:
    """A reviewer, and why no reminder goes to them; `reason` is empty where one does."""

    pk: int
    name: str
    email: str
    seen_at: datetime | None
    reminded_at: datetime | None
    reason: str


def recipients(*, study: Study) -> list[Recipient]:
    """All who take part, those who would get a reminder by hand first: one statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT * FROM (
                SELECT member.id,
                       coalesce(nullif(trim(person.first_name || ' ' || person.last_name), ''),
                                person.username) AS name,
                       person.email, member.seen_at, member.reminded_at,
                       CASE WHEN member.finished_at IS NOT NULL THEN 'finished'
                            WHEN NOT {_HAS_ADDRESS} THEN 'no-address'
                            WHEN NOT member.takes_reminders THEN 'unsubscribed'
                            WHEN {_JUST_REMINDED} THEN 'reminded'
                            WHEN NOT {_HAS_WORK} THEN 'nothing-left' ELSE '' END AS reason
                FROM evaluation_membership member
                JOIN evaluation_study study ON study.id = member.study_id
                JOIN accounts_user person ON person.id = member.user_id
                WHERE member.study_id = %s AND {_TAKES_PART}
            ) found ORDER BY reason <> '', reason, name
            """,  # noqa: S608  (the conditions are written in this module)
            [study.pk],
        )
        return [Recipient(*row) for row in cursor.fetchall()]


def due_members() -> list[int]:
    """Memberships, over all studies, whose reviewers have been away for as long as their study says."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT member.id FROM evaluation_membership member
            JOIN evaluation_study study ON study.id = member.study_id
            JOIN accounts_user person ON person.id = member.user_id
            WHERE {DUE} ORDER BY member.id
            """  # noqa: S608
        )
        return [pk for (pk,) in cursor.fetchall()]


def membership_of_token(token: str) -> Membership | None:
    """Whose reminders a link of a mail stops; None where the signature is wrong or the person left."""
    try:
        named = SIGNER.unsign(token)
        user, study = UUID(hex=named[:32]), UUID(hex=named[32:])
    except (BadSignature, ValueError):
        return None
    return Membership.objects.select_related("study").filter(user__public_id=user, study__public_id=study).first()
