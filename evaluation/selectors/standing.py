"""How far a reviewer is in a study."""

from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from accounts.models import User

__all__ = ["Standing", "reviewer_standing", "slot_in_hand_and_standing"]


@dataclass(frozen=True)
class Standing:
    """A reviewer's progress: `of` is the most texts they may get, and `shared` says that others may take some first."""

    given: int
    answered: int
    skipped: int
    of: int
    shared: bool
    seconds: float
    timed: int

    @property
    def minutes_left(self) -> int | None:
        """From the reviewer's own pace, once there is one."""
        left = self.of - self.answered
        if self.timed < 2 or self.seconds <= 0 or left <= 0:
            return None
        return max(1, round(left * self.seconds / self.timed / 60))


def reviewer_standing(*, study_id: int, reviewer: User, quota: int | None, size: int) -> Standing:
    return slot_in_hand_and_standing(study_id=study_id, reviewer=reviewer, quota=quota, size=size)[2]


def slot_in_hand_and_standing(
    *, study_id: int, reviewer: User, quota: int | None, size: int
) -> tuple[UUID | None, int, Standing]:
    """The slot in hand, the last position, and the progress: one pass over the reviewer's own slots."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT (array_agg(slot.public_id ORDER BY slot.position) FILTER (WHERE slot.state = 'claimed'))[1],
                   coalesce(max(slot.position), 0),
                   count(*) FILTER (WHERE slot.state NOT IN ('skipped', 'withdrawn')),
                   count(*) FILTER (WHERE slot.state IN ('rated', 'surplus')),
                   count(*) FILTER (WHERE slot.state = 'skipped'),
                   coalesce(sum(slot.seconds_active) FILTER (WHERE slot.state IN ('rated', 'surplus')), 0),
                   count(*) FILTER (WHERE slot.state IN ('rated', 'surplus') AND slot.seconds_active > 0),
                   (SELECT study.raters_per_item < count(*)
                    FROM evaluation_membership member JOIN evaluation_study study ON study.id = member.study_id
                    WHERE member.study_id = %(study)s AND member.role = 'reviewer' AND member.removed_at IS NULL
                    GROUP BY study.raters_per_item)
            FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
            WHERE slot.reviewer_id = %(reviewer)s AND item.study_id = %(study)s
            """,
            {"study": study_id, "reviewer": reviewer.pk},
        )
        current, last, given, answered, skipped, seconds, timed, shared = cursor.fetchone()
    of = max(size if quota is None else min(quota, size), answered)
    return current, last, Standing(given, answered, skipped, of, bool(shared), seconds, timed)
