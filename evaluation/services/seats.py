"""Seats, taken and given up: the statements behind `allocation`, and skipping.

Callers of `draw`, `renew` and `take_back` hold the lock on the reviewer's membership.
"""

from typing import Any
from uuid import UUID

from django.db import connection, transaction

from accounts.models import User
from evaluation.errors import NotYours, StudyClosed
from evaluation.models import Slot, Study

__all__ = ["draw", "expire_overdue", "renew", "skip_slot", "take_back"]

WINDOW = 24  # free seats that are compared before one is drawn


# From the reviewer's point on the ring the next free seats at texts new to them are compared: first those that answer
# another question than their last text, then those of the cells they have seen least, then the nearest. The first
# that nobody else is taking at this moment becomes theirs. A patient draw compares all and waits for locks, so that
# it comes back empty only when there really is nothing.
_DRAW = """
    WITH mine AS MATERIALIZED (
        SELECT item.id AS item_id, item.stratum, item.question, slot.position
        FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
        WHERE slot.reviewer_id = %(reviewer)s AND item.study_id = %(study)s AND slot.pass_number = 0
    ),
    free AS (
        (SELECT opening.id, opening.item_id, 0 AS lap, opening.ring, opening.seat FROM evaluation_opening opening
         WHERE opening.study_id = %(study)s AND opening.ring >= %(begin)s AND opening.pass_number = 0
           AND opening.item_id NOT IN (SELECT item_id FROM mine)
         ORDER BY opening.ring, opening.seat LIMIT %(window)s)
        UNION ALL
        (SELECT opening.id, opening.item_id, 1, opening.ring, opening.seat FROM evaluation_opening opening
         WHERE opening.study_id = %(study)s AND opening.ring < %(begin)s AND opening.pass_number = 0
           AND opening.item_id NOT IN (SELECT item_id FROM mine)
         ORDER BY opening.ring, opening.seat LIMIT %(window)s)
    ),
    compared AS (
        SELECT free.*, free.lap * 4294967296 + free.ring AS distance,
               item.question = (SELECT question FROM mine ORDER BY position DESC LIMIT 1) AS is_sibling,
               (SELECT count(*) FROM mine WHERE mine.stratum = item.stratum) AS seen
        FROM (SELECT * FROM free ORDER BY lap, ring, seat LIMIT %(window)s) AS free
        JOIN evaluation_item item ON item.id = free.item_id
    ),
    drawn AS (
        SELECT opening.id FROM evaluation_opening opening JOIN compared ON compared.id = opening.id
        ORDER BY compared.is_sibling NULLS FIRST, compared.seen, compared.distance, compared.seat
        LIMIT 1 FOR UPDATE OF opening {locked}
    ),
    taken AS (
        DELETE FROM evaluation_opening opening USING drawn WHERE opening.id = drawn.id
        RETURNING opening.item_id, opening.pass_number, opening.seat
    )
    INSERT INTO evaluation_slot (public_id, item_id, pass_number, seat, reviewer_id, state, position,
                                 lease_expires_at, skip_reason, claimed_at, seconds_active)
    SELECT gen_random_uuid(), item_id, pass_number, seat, %(reviewer)s, 'claimed', %(position)s,
           clock_timestamp() + make_interval(mins => %(minutes)s), '', clock_timestamp(), 0
    FROM taken
    RETURNING public_id
"""


def draw(*, study_id: int, reviewer: User, begin: int, position: int, minutes: int, patient: bool) -> UUID | None:
    """Make the reviewer's next slot, or None when no seat was free (or, without patience, to be had at once)."""
    parameters = {
        "study": study_id,
        "reviewer": reviewer.pk,
        "begin": begin,
        "position": position,
        "minutes": minutes,
        "window": None if patient else WINDOW,
    }
    with connection.cursor() as cursor:
        cursor.execute(_DRAW.format(locked="" if patient else "SKIP LOCKED"), parameters)
        row = cursor.fetchone()
    return row[0] if row else None


def take_back(*, study_id: int, reviewer: User, minutes: int) -> UUID | None:
    """The reviewer's own lapsed slot, if its item still has a free seat."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH lapsed AS (
                SELECT opening.id AS opening_id, opening.seat, slot.id AS slot_id
                FROM evaluation_slot slot
                JOIN evaluation_opening opening
                  ON opening.item_id = slot.item_id AND opening.pass_number = slot.pass_number
                WHERE slot.reviewer_id = %(reviewer)s AND opening.study_id = %(study)s AND slot.state = 'expired'
                ORDER BY slot.position, opening.seat LIMIT 1 FOR UPDATE OF opening SKIP LOCKED
            ),
            taken AS (DELETE FROM evaluation_opening opening USING lapsed WHERE opening.id = lapsed.opening_id)
            UPDATE evaluation_slot AS slot
            SET state = 'claimed', seat = lapsed.seat,
                lease_expires_at = clock_timestamp() + make_interval(mins => %(minutes)s)
            FROM lapsed WHERE slot.id = lapsed.slot_id
            RETURNING slot.public_id
            """,
            {"study": study_id, "reviewer": reviewer.pk, "minutes": minutes},
        )
        row = cursor.fetchone()
    return row[0] if row else None


def renew(*, slot: UUID) -> None:
    """Begin the lease of a slot in hand anew."""
    with connection.cursor() as cursor:
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
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT slot.id, slot.state, item.study_id, study.state
            FROM evaluation_slot slot
            JOIN evaluation_item item ON item.id = slot.item_id
            JOIN evaluation_study study ON study.id = item.study_id
            JOIN evaluation_membership member ON member.study_id = study.id AND member.user_id = slot.reviewer_id
            WHERE slot.public_id = %s AND slot.reviewer_id = %s AND member.removed_at IS NULL
            FOR NO KEY UPDATE OF slot FOR KEY SHARE OF study
            """,
            [slot_id, reviewer.pk],
        )
        row = cursor.fetchone()
        if row is None:
            raise NotYours("This text is not among yours.")
        pk, state, study_id, study_state = row
        if study_state != Study.State.OPEN:
            raise StudyClosed("The study is closed; nothing can be changed any more.")
        if state in {Slot.State.CLAIMED, Slot.State.EXPIRED}:
            _give_up(
                cursor,
                "slot.id = %(pk)s",
                {"pk": pk, "state": Slot.State.SKIPPED, "reason": reason.replace("\0", "").strip()[:300]},
            )
    return int(study_id)


def expire_overdue(*, study_id: int) -> int:
    """Free the seats whose lease ran out; how many. Slots that are being answered at this moment are passed over."""
    with transaction.atomic(), connection.cursor() as cursor:
        return _give_up(
            cursor,
            """slot.state = 'claimed' AND slot.lease_expires_at < clock_timestamp() AND slot.item_id IN (
                SELECT id FROM evaluation_item WHERE study_id = %(study)s)""",
            {"study": study_id, "state": Slot.State.EXPIRED, "reason": ""},
        )


def _give_up(cursor: Any, which: str, parameters: dict[str, Any]) -> int:
    """Take slots off their seats and put the seats back into the queue."""
    cursor.execute(
        f"""
        WITH left_behind AS (
            SELECT slot.id, slot.item_id, slot.pass_number, slot.seat FROM evaluation_slot slot
            WHERE {which} FOR NO KEY UPDATE OF slot SKIP LOCKED
        ),
        freed AS (
            UPDATE evaluation_slot AS slot
            SET state = %(state)s, seat = NULL, lease_expires_at = NULL, skip_reason = %(reason)s
            FROM left_behind WHERE slot.id = left_behind.id
            RETURNING slot.id
        ),
        opened AS (
            INSERT INTO evaluation_opening (study_id, item_id, pass_number, seat, ring)
            SELECT item.study_id, item.id, left_behind.pass_number, left_behind.seat,
                   coalesce(item.shuffled_position, 0)
            FROM left_behind JOIN evaluation_item item ON item.id = left_behind.item_id
            WHERE left_behind.seat IS NOT NULL
        )
        SELECT count(*) FROM freed
        """,  # noqa: S608  (the conditions are written in this module)
        parameters,
    )
    return int(cursor.fetchone()[0])
