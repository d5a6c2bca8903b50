"""Who rates what next.

An `Opening` is a free seat. Claiming deletes one under `FOR UPDATE SKIP LOCKED` and makes the slot in the same
statement; unique constraints on slots stand behind it. Claims of one reviewer queue up at the lock on their
membership, so that two tabs get the same text. Leases run by the database's clock.
"""

import hashlib
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from accounts.models import User
from evaluation.errors import NotYours, StudyClosed
from evaluation.models import Study
from evaluation.selectors.standing import Standing, reviewer_desk
from evaluation.services.seats import draw, expire_overdue, renew, skip_slot, take_back

__all__ = ["Claim", "claim_next", "expire_overdue", "skip_slot"]

ATTEMPTS = 3


@dataclass(frozen=True)
class Claim:
    """The slot a reviewer shall work on, or `slot` None when there is nothing for them now."""

    slot: UUID | None
    standing: Standing
    is_new: bool = False


def claim_next(*, study_id: int, reviewer: User) -> Claim:
    """Give the reviewer a text: the one they have begun, else a new one, else one that they let lapse.

    Three statements in the common case, whatever the size of the study.

    Raises
    ------
    NotYours
        The person is no reviewer of the study.
    StudyClosed
        The study is closed, or not yet open.
    """
    with transaction.atomic():
        quota, size, minutes, seed = _lock_membership(study_id, reviewer)
        desk = reviewer_desk(study_id=study_id, reviewer=reviewer, quota=quota, size=size)
        current, last_position, standing = desk.current, desk.last_position, desk.standing
        if current is not None:
            renew(slot=current)
            return Claim(current, standing)
        if not standing.quota_is_full:
            begin = _point_on_ring(seed, reviewer, last_position, size)
            for attempt in range(ATTEMPTS):
                slot = draw(
                    study_id=study_id,
                    reviewer=reviewer,
                    begin=begin,
                    position=last_position + 1,
                    minutes=minutes,
                    patient=attempt == ATTEMPTS - 1,
                )
                if slot is not None:
                    return Claim(slot, standing, is_new=True)
                if attempt == 0:
                    expire_overdue(study_id=study_id)
        return Claim(take_back(study_id=study_id, reviewer=reviewer, minutes=minutes), standing)


def _lock_membership(study_id: int, reviewer: User) -> tuple[int | None, int, int, int]:
    """Quota, number of items, lease, seed; the reviewer's other claims are held off, and the study cannot close."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT study.state, member.quota, study.item_count, study.lease_minutes, study.order_seed
            FROM evaluation_membership member JOIN evaluation_study study ON study.id = member.study_id
            WHERE member.study_id = %s AND member.user_id = %s
              AND member.role = 'reviewer' AND member.removed_at IS NULL
            FOR NO KEY UPDATE OF member FOR KEY SHARE OF study
            """,
            [study_id, reviewer.pk],
        )
        row = cursor.fetchone()
    if row is None:
        raise NotYours("You do not take part in this study.")
    state, quota, size, minutes, seed = row
    if state != Study.State.OPEN:
        raise StudyClosed("The study is closed." if state == Study.State.CLOSED else "The study is not open yet.")
    return quota, size, minutes, seed


def _point_on_ring(seed: int, reviewer: User, turn: int, size: int) -> int:
    """Where this reviewer's next draw begins: random, yet the same whenever it is computed again."""
    drawn = hashlib.sha256(f"{seed}:{reviewer.public_id.hex}:{turn}".encode()).digest()
    return int.from_bytes(drawn[:8], "big") % max(size, 1)
