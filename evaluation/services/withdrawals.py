"""Withdrawing a reviewer, in one of three ways, and taking it back.

Whichever way: the person is given nothing more, the text in their hands is free for others, and every answer stays
stored. *Keep* counts the ratings on; *exclude* leaves them out while their seats stay taken; *reopen* leaves them out
and gives the seats to others.
"""

from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.errors import AgreementHidden, StudyError
from evaluation.models import Membership, Slot, Study
from evaluation.reports.without import agreement_with_and_without
from evaluation.services.events import record_if_launched
from evaluation.services.seats import give_up

__all__ = ["Reinstatement", "Withdrawal", "reinstate_reviewer", "withdraw_reviewer"]

Removal = Membership.Removal


@dataclass(frozen=True)
class Withdrawal:
    """Seats that others can have now: those in hand, and those that were rated."""

    freed: int
    reopened: int


@dataclass(frozen=True)
class Reinstatement:
    """Ratings that count again, and those whose seats others have taken meanwhile: kept, not counted."""

    counted: int
    surplus: int


@transaction.atomic
def withdraw_reviewer(*, member: Membership, how: str, actor: User) -> Withdrawal:
    """Let a reviewer take part no more; `how` says what becomes of the ratings.

    It goes on record, with the agreement both ways where that may be seen at the time.

    Somebody withdrawn with *keep* can be withdrawn with *exclude* or *reopen* later, and so on; out of *reopen* leads
    `reinstate_reviewer` alone.

    Raises
    ------
    StudyError
        The person is no reviewer, is withdrawn like this already, or seats were to be reopened in a closed study.
    """
    if how not in Removal.values:
        raise StudyError(_("Ratings are kept, left out, or left out and given to others."))
    member = _locked(member)
    study = member.study
    before = member.removal
    if how == before:
        raise StudyError(_("This reviewer is withdrawn like this already."))
    if before == Removal.REOPEN:
        raise StudyError(_("The seats were given to others. Reinstate the reviewer first, then decide anew."))
    if how == Removal.REOPEN and study.state != Study.State.OPEN:
        raise StudyError(_("The study takes no ratings, so seats cannot be given to others. Leave the ratings out."))
    figures = _agreement(member)
    freed = _leave(member, "slot.state = 'claimed'")
    reopened = _leave(member, "slot.state = 'rated'") if how == Removal.REOPEN else 0
    member.removal, member.removed_at = how, member.removed_at or Now()
    member.save(update_fields=["removal", "removed_at"])
    record_if_launched(
        study=study,
        actor=actor,
        kind="reviewer-withdrawn",
        person=str(member.user.public_id),
        how=how,
        before=before,
        freed=freed,
        reopened=reopened,
        agreement=figures,
    )
    return Withdrawal(freed, reopened)


@transaction.atomic
def reinstate_reviewer(*, member: Membership, actor: User) -> Reinstatement:
    """Let a withdrawn reviewer take part again.

    Ratings count again where their seats are still free (always, unless the seats were given to others); the rest is
    kept as surplus.

    Raises
    ------
    StudyError
        The person is no withdrawn reviewer.
    """
    member = _locked(member)
    if member.removed_at is None:
        raise StudyError(_("This reviewer takes part already."))
    how = member.removal
    counted, surplus = _come_back(member)
    member.removal, member.removed_at = "", None
    member.save(update_fields=["removal", "removed_at"])
    record_if_launched(
        study=member.study,
        actor=actor,
        kind="reviewer-reinstated",
        person=str(member.user.public_id),
        before=how,
        counted=counted,
        surplus=surplus,
    )
    return Reinstatement(counted, surplus)


def _locked(member: Membership) -> Membership:
    """The membership, held: claims of this person wait, and the study cannot close meanwhile."""
    Study.objects.select_for_update(no_key=True).get(pk=member.study_id)
    locked = (
        Membership.objects.select_for_update(of=("self",)).select_related("study", "user").filter(pk=member.pk).first()
    )
    if locked is None or locked.role != Membership.Role.REVIEWER:
        raise StudyError(_("Only reviewers are withdrawn; managers and viewers are removed on the page of people."))
    return locked


def _agreement(member: Membership) -> list[dict[str, Any]] | None:
    """With and without the reviewer; None while agreement must not be looked at."""
    try:
        return agreement_with_and_without(study=member.study, reviewer_id=member.user_id)
    except AgreementHidden:
        return None


def _leave(member: Membership, which: str) -> int:
    """Take the reviewer's slots off their seats, waiting for answers that are just being stored; how many seats open.

    Those of practice texts, checks and repeats are nobody else's, so they open nothing.
    """
    slots = f"slot.reviewer_id = %(reviewer)s AND {which}"
    items = "slot.item_id IN (SELECT id FROM evaluation_item WHERE study_id = %(study)s"
    parameters = {
        "reviewer": member.user_id,
        "study": member.study_id,
        "state": Slot.State.WITHDRAWN,
        "reason": "",
    }
    with connection.cursor() as cursor:
        shared = f"{slots} AND slot.pass_number = 0 AND {items} AND kind = 'rated')"
        opened = give_up(cursor, shared, parameters, patient=True)
        give_up(cursor, f"{slots} AND {items})", parameters, patient=True)
    return opened


def _come_back(member: Membership) -> tuple[int, int]:
    """Withdrawn slots with an answer take a seat or become surplus; those without can be given again."""
    parameters: dict[str, Any] = {
        "reviewer": member.user_id,
        "study": member.study_id,
        "number": member.number,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TO_OPEN_SEATS, parameters)
        counted = cursor.rowcount
        # Practice and checks have their own seats, repeats the one of the rating before.
        cursor.execute(_TO_OWN_SEATS, parameters)
        cursor.execute(_WITHOUT_SEATS, parameters)
        surplus = sum(is_rated for (is_rated,) in cursor.fetchall())
    return counted, surplus


_WITHDRAWN = """
    SELECT slot.id, slot.item_id, slot.pass_number, slot.answered_at, item.kind
    FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
    WHERE slot.reviewer_id = %(reviewer)s AND item.study_id = %(study)s AND slot.state = 'withdrawn'
      AND NOT (slot.answered_at IS NULL AND EXISTS (
          SELECT FROM evaluation_conflict conflict
          WHERE conflict.item_id = slot.item_id AND conflict.user_id = slot.reviewer_id))
    FOR NO KEY UPDATE OF slot"""

_TO_OPEN_SEATS = f"""
    WITH withdrawn AS ({_WITHDRAWN}),
    seats AS (
        SELECT withdrawn.id AS slot_id, opening.id AS opening_id, opening.seat
        FROM withdrawn CROSS JOIN LATERAL (
            SELECT opening.id, opening.seat FROM evaluation_opening opening
            WHERE opening.item_id = withdrawn.item_id AND opening.pass_number = 0
            ORDER BY opening.seat LIMIT 1 FOR UPDATE
        ) AS opening
        WHERE withdrawn.kind = 'rated' AND withdrawn.pass_number = 0 AND withdrawn.answered_at IS NOT NULL
    ),
    taken AS (DELETE FROM evaluation_opening opening USING seats WHERE opening.id = seats.opening_id)
    UPDATE evaluation_slot AS slot SET seat = seats.seat, state = 'rated' FROM seats WHERE slot.id = seats.slot_id
"""  # noqa: S608

_TO_OWN_SEATS = f"""
    WITH withdrawn AS ({_WITHDRAWN}),
    seats AS (
        SELECT withdrawn.id AS slot_id, withdrawn.answered_at,
               CASE WHEN withdrawn.kind <> 'rated' THEN %(number)s
                    ELSE (SELECT first.seat FROM evaluation_slot first WHERE first.item_id = withdrawn.item_id
                          AND first.reviewer_id = %(reviewer)s AND first.pass_number = 0) END AS seat
        FROM withdrawn WHERE withdrawn.kind <> 'rated' OR withdrawn.pass_number > 0
    )
    UPDATE evaluation_slot AS slot
    SET seat = seats.seat, state = CASE WHEN seats.answered_at IS NULL THEN 'claimed' ELSE 'rated' END,
        lease_expires_at = CASE WHEN seats.answered_at IS NULL THEN clock_timestamp() END
    FROM seats WHERE slot.id = seats.slot_id AND seats.seat IS NOT NULL
"""  # noqa: S608

_WITHOUT_SEATS = f"""
    WITH withdrawn AS ({_WITHDRAWN})
    UPDATE evaluation_slot AS slot
    SET state = CASE WHEN withdrawn.answered_at IS NULL THEN 'expired' ELSE 'surplus' END
    FROM withdrawn WHERE slot.id = withdrawn.id
    RETURNING withdrawn.answered_at IS NOT NULL AND withdrawn.kind = 'rated' AND withdrawn.pass_number = 0
"""  # noqa: S608
