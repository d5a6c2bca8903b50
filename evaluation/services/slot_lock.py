"""One reviewer's slot, held while it is answered or given up; and the seat of an answer that comes late."""

from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.errors import NotYours, StudyClosed
from evaluation.models import Slot, Study
from evaluation.prepared import prepared_cursor

__all__ = ["LockedSlot", "lock_slot", "sit_down_late"]


@dataclass(frozen=True)
class LockedSlot:
    """What storing has to know; `following` is the reviewer's next text that is begun already.

    `body` is the text where the study lets its words be marked.
    """

    pk: int
    state: str
    study_id: int
    minutes: int
    is_practice: bool
    has_open: bool
    asks_confidence: bool
    allows_highlights: bool
    body: str | None
    following: UUID | None


def lock_slot(*, slot_id: UUID, reviewer: User, with_membership: bool = False) -> LockedSlot:
    """The slot, held against its own double, with the study kept from closing until the transaction ends.

    Whoever goes on to claim a text in the same transaction takes the membership's lock too, and here: locks are taken
    in the order membership, slot.

    Raises
    ------
    NotYours
        The slot is somebody else's, or its reviewer takes part no more.
    StudyClosed
        The study takes no answers.
    """
    with prepared_cursor() as cursor:
        cursor.execute(
            f"""
            SELECT study.state, slot.id, slot.state, item.study_id, study.lease_minutes, item.kind = 'practice',
                   EXISTS (SELECT FROM evaluation_criterion criterion
                           WHERE criterion.study_id = study.id AND criterion.kind <> 'levels'),
                   study.asks_confidence, study.allows_highlights,
                   CASE WHEN study.allows_highlights
                        THEN (SELECT body FROM corpora_text WHERE id = item.text_id) END,
                   (SELECT later.public_id FROM evaluation_slot later
                    JOIN evaluation_item other ON other.id = later.item_id
                    WHERE later.reviewer_id = slot.reviewer_id AND other.study_id = item.study_id
                      AND later.position > slot.position AND later.state NOT IN ('skipped', 'withdrawn')
                    ORDER BY later.position LIMIT 1)
            FROM evaluation_slot slot
            JOIN evaluation_item item ON item.id = slot.item_id
            JOIN evaluation_study study ON study.id = item.study_id
            JOIN evaluation_membership member ON member.study_id = study.id AND member.user_id = slot.reviewer_id
            WHERE slot.public_id = %s AND slot.reviewer_id = %s AND member.removed_at IS NULL
            FOR NO KEY UPDATE OF {"member, slot" if with_membership else "slot"} FOR KEY SHARE OF study
            """,  # noqa: S608
            [slot_id, reviewer.pk],
        )
        row = cursor.fetchone()
    if row is None:
        raise NotYours(_why_not(slot_id, reviewer))
    study_state, *rest = row
    if study_state != Study.State.OPEN:
        raise StudyClosed(_("The study is closed: this was not stored. Earlier answers are safe."))
    return LockedSlot(*rest)


def _why_not(slot_id: UUID, reviewer: User) -> str:
    if Slot.objects.filter(public_id=slot_id, reviewer=reviewer).exists():
        return _("You no longer take part in this study, so this was not stored. Earlier answers are kept. Thank you.")
    return _("This text is not among yours.")


def sit_down_late(*, slot: LockedSlot) -> None:
    """A lapsed or skipped slot that is answered after all takes a free seat, or is kept as surplus.

    Practice texts, checks and repeats have seats that nobody else can take, and get theirs back.
    """
    with prepared_cursor() as cursor:
        cursor.execute(
            """
            WITH late AS (
                SELECT slot.item_id, slot.pass_number, slot.reviewer_id, item.kind, item.study_id
                FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id WHERE slot.id = %(slot)s
            ),
            opening AS (
                SELECT opening.id, opening.seat FROM evaluation_opening opening
                JOIN late ON late.item_id = opening.item_id AND late.pass_number = opening.pass_number
                WHERE %(may_sit)s
                ORDER BY opening.seat LIMIT 1 FOR UPDATE OF opening SKIP LOCKED
            ),
            taken AS (DELETE FROM evaluation_opening opened USING opening WHERE opened.id = opening.id),
            free AS (
                SELECT seat FROM opening
                UNION ALL
                SELECT member.number FROM late JOIN evaluation_membership member
                  ON member.study_id = late.study_id AND member.user_id = late.reviewer_id
                WHERE late.kind <> 'rated' AND %(may_sit)s
                UNION ALL
                SELECT first.seat FROM late JOIN evaluation_slot first
                  ON first.item_id = late.item_id AND first.reviewer_id = late.reviewer_id AND first.pass_number = 0
                WHERE late.pass_number > 0 AND first.seat IS NOT NULL AND %(may_sit)s
            )
            UPDATE evaluation_slot
            SET seat = (SELECT seat FROM free), skip_reason = '',
                state = CASE WHEN EXISTS (SELECT FROM free) THEN 'rated' ELSE 'surplus' END
            WHERE id = %(slot)s
            """,
            {"slot": slot.pk, "may_sit": slot.state != Slot.State.WITHDRAWN},
        )
