"""Who rates what next.

An `Opening` is a free seat. Claiming deletes one under `FOR UPDATE SKIP LOCKED` and makes the slot in the same
statement; unique constraints on slots stand behind it. Claims of one reviewer queue up at the lock on their
membership, so that two tabs get the same text. Leases run by the database's clock.

Practice comes first. Attention checks and texts that come a second time are mixed in where the seed has put them.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from evaluation.errors import NotYours, StudyClosed
from evaluation.models import Item, Study
from evaluation.prepared import prepared_cursor
from evaluation.science.allocation.extras import attention_is_due, planned_repeats, repeat_is_due
from evaluation.selectors.standing import Desk, Standing, reviewer_desk
from evaluation.services.handing_out import Turn, draw, give_again, give_apart, take_back
from evaluation.services.seats import expire_overdue, renew, skip_slot

__all__ = ["Claim", "claim_next", "claim_next_within", "expire_overdue", "skip_slot"]

ATTEMPTS = 3


@dataclass(frozen=True)
class Claim:
    """The slot a reviewer shall work on, or `slot` None when there is nothing for them now."""

    slot: UUID | None
    standing: Standing
    is_new: bool = False


@dataclass(frozen=True)
class _Terms:
    """What the study and the membership lay down."""

    quota: int | None
    number: int
    has_practised: bool
    size: int
    minutes: int
    seed: int
    raters: int


def claim_next(*, study_id: int, reviewer: User) -> Claim:
    """Give the reviewer a text: the one they have begun, else a new one, else one that they let lapse.

    Raises
    ------
    NotYours
        The person is no reviewer of the study.
    StudyClosed
        The study is closed, or not yet open.
    """
    with transaction.atomic():
        return claim_next_within(study_id=study_id, reviewer=reviewer)


def claim_next_within(*, study_id: int, reviewer: User) -> Claim:
    """`claim_next` for a caller with a transaction of its own, who holds no slot without its membership.

    Three statements in the common case, whatever the size of the study.
    """
    terms = _lock_membership(study_id, reviewer)
    desk = reviewer_desk(study_id=study_id, reviewer=reviewer, quota=terms.quota, size=terms.size)
    if desk.current is not None:
        renew(slot=desk.current)
        return Claim(desk.current, desk.standing)
    turn = Turn(
        study_id=study_id,
        reviewer=reviewer,
        number=terms.number,
        seed=terms.seed,
        position=desk.last_position + 1,
        minutes=terms.minutes,
        last_item=desk.last_item,
        block=desk.block,
        in_block=desk.in_block,
    )
    slot = _new_slot(turn, terms, desk)
    if slot is not None:
        return Claim(slot, desk.standing, is_new=True)
    return Claim(take_back(turn=turn) or _last_repeat(turn, desk), desk.standing)


def _new_slot(turn: Turn, terms: _Terms, desk: Desk) -> UUID | None:
    """What comes next, of whatever kind; None when it is only lapsed texts and repeats that are left."""
    if not terms.has_practised:
        if desk.practice_is_left:
            return give_apart(turn=turn, kind=Item.Kind.PRACTICE)
        if desk.standing.practice:
            _note_practised(turn)
    if attention_is_due(
        seed=turn.seed,
        number=turn.number,
        rated=desk.standing.rated,
        given=desk.attention_given,
        checks=desk.attention,
        every=desk.attention_every,
        texts=desk.texts,
    ):
        slot = give_apart(turn=turn, kind=Item.Kind.ATTENTION)
        if slot is not None:
            return slot
    if desk.repeatable > 0 and repeat_is_due(
        seed=turn.seed,
        number=turn.number,
        rated=desk.standing.rated,
        given=desk.repeats_given,
        repeats=desk.repeats,
        distance=desk.repeat_distance,
        texts=desk.share,
    ):
        slot = give_again(turn=turn, distance=max(1, desk.repeat_distance))
        if slot is not None:
            return slot
    if desk.standing.quota_is_full:
        return None
    for attempt in range(ATTEMPTS):
        slot = draw(turn=turn, raters=terms.raters, patient=attempt == ATTEMPTS - 1)
        if slot is not None:
            return slot
        if attempt == 0:
            expire_overdue(study_id=turn.study_id)
    return None


def _last_repeat(turn: Turn, desk: Desk) -> UUID | None:
    """Nothing new is left: what was to come again does so now, however near, but never at once."""
    if desk.repeats_given >= planned_repeats(repeats=desk.repeats, texts=desk.texts):
        return None
    return give_again(turn=turn, distance=1, from_the_first=True)


def _note_practised(turn: Turn) -> None:
    with prepared_cursor() as cursor:
        cursor.execute(
            """
            UPDATE evaluation_membership SET practised_at = clock_timestamp()
            WHERE study_id = %s AND user_id = %s AND practised_at IS NULL
            """,
            [turn.study_id, turn.reviewer.pk],
        )


def _lock_membership(study_id: int, reviewer: User) -> _Terms:
    """The terms; the reviewer's other claims are held off, and the study cannot close."""
    with prepared_cursor() as cursor:
        cursor.execute(
            """
            SELECT study.state, member.quota, member.number, member.practised_at IS NOT NULL, study.item_count,
                   study.lease_minutes, study.order_seed, study.raters_per_item
            FROM evaluation_membership member JOIN evaluation_study study ON study.id = member.study_id
            WHERE member.study_id = %s AND member.user_id = %s
              AND member.role = 'reviewer' AND member.removed_at IS NULL
            FOR NO KEY UPDATE OF member FOR KEY SHARE OF study
            """,
            [study_id, reviewer.pk],
        )
        row: tuple[Any, ...] | None = cursor.fetchone()
    if row is None:
        raise NotYours(gettext("You do not take part in this study."))
    state, *terms = row
    if state != Study.State.OPEN:
        is_closed = state == Study.State.CLOSED
        raise StudyClosed(gettext("The study is closed.") if is_closed else gettext("The study is not open yet."))
    return _Terms(*terms)
