"""Seats given up: skipped, lapsed, withdrawn. What was free for anybody goes back into the queue."""

from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.models import User
from evaluation.models import Slot
from evaluation.prepared import prepared_cursor
from evaluation.services.slot_lock import lock_slot

__all__ = ["expire_overdue", "give_up", "renew", "skip_slot"]


def renew(*, slot: UUID) -> None:
    """Begin the lease of a slot in hand anew."""
    with prepared_cursor() as cursor:
        cursor.execute(
            """
            UPDATE evaluation_slot AS slot
            SET lease_expires_at = clock_timestamp() + make_interval(mins => study.lease_minutes)
            FROM evaluation_item item JOIN evaluation_study study ON study.id = item.study_id
            WHERE slot.public_id = %s AND item.id = slot.item_id AND slot.state = 'claimed'
            """,
            [slot],
        )


def skip_slot(*, slot_id: UUID, reviewer: User, reason: str = "") -> int:
    """Give a seat up, with a reason; returns the study's key. Skipping twice is skipping once."""
    with transaction.atomic(), prepared_cursor() as cursor:
        slot = lock_slot(slot_id=slot_id, reviewer=reviewer)
        if slot.state in {Slot.State.CLAIMED, Slot.State.EXPIRED}:
            give_up(
                cursor,
                "slot.id = %(pk)s",
                {"pk": slot.pk, "state": Slot.State.SKIPPED, "reason": reason.replace("\0", "").strip()[:300]},
            )
    return slot.study_id


def expire_overdue(*, study_id: int) -> int:
    """Free the seats whose lease ran out; how many. Slots that are being answered at this moment are passed over.

    Practice, checks and repeats are nobody else's: they wait for their reviewer.
    """
    with transaction.atomic(), prepared_cursor() as cursor:
        return give_up(
            cursor,
            """slot.state = 'claimed' AND slot.lease_expires_at < clock_timestamp() AND slot.pass_number = 0
               AND slot.item_id IN (SELECT id FROM evaluation_item WHERE study_id = %(study)s AND kind = 'rated')""",
            {"study": study_id, "state": Slot.State.EXPIRED, "reason": ""},
        )


def give_up(cursor: Any, which: str, parameters: dict[str, Any], *, patient: bool = False) -> int:
    """Take slots off their seats, and put the seats that are not one person's own back into the queue.

    Parameters
    ----------
    which
        The condition on `slot`.
    parameters
        Those of the condition; `state` and `reason` become the slots' own.
    patient
        Wait for slots that are being answered instead of passing over them.
    """
    cursor.execute(
        f"""
        WITH left_behind AS (
            SELECT slot.id, slot.item_id, slot.pass_number, slot.seat FROM evaluation_slot slot
            WHERE {which} FOR NO KEY UPDATE OF slot {"" if patient else "SKIP LOCKED"}
        ),
        freed AS (
            UPDATE evaluation_slot AS slot
            SET state = %(state)s, seat = NULL, lease_expires_at = NULL, skip_reason = %(reason)s
            FROM left_behind WHERE slot.id = left_behind.id
            RETURNING slot.id
        ),
        opened AS (
            INSERT INTO evaluation_opening (study_id, item_id, pass_number, seat, ring)
            SELECT item.study_id, item.id, 0, left_behind.seat, coalesce(item.block, 0)
            FROM left_behind JOIN evaluation_item item ON item.id = left_behind.item_id
            JOIN evaluation_study study ON study.id = item.study_id
            WHERE left_behind.seat IS NOT NULL AND item.kind = 'rated' AND left_behind.pass_number = 0
              AND study.state = 'open'
        )
        SELECT count(*) FROM freed
        """,  # noqa: S608  (the conditions are written in this package)
        parameters,
    )
    return int(cursor.fetchone()[0])
