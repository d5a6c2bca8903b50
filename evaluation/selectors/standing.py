"""How far a reviewer is in a study, and what lies before them."""

from dataclasses import dataclass
from uuid import UUID

from accounts.models import User
from evaluation.models import Membership, Slot
from evaluation.prepared import prepared_cursor
from evaluation.science.allocation.extras import planned_attention, planned_repeats

__all__ = ["Desk", "Standing", "has_left", "more_may_come", "reviewer_desk", "reviewer_standing"]


@dataclass(frozen=True)
class Standing:
    """A reviewer's progress, in texts as the reviewer meets them: practice apart, checks and repeats among the others.

    `of` is the most texts they may get, and `shared` says that others may take some first. `rated` counts what the
    quota is about: texts given for the first time, neither practice nor check.
    """

    given: int
    answered: int
    skipped: int
    of: int
    shared: bool
    seconds: float
    timed: int
    rated: int = 0
    quota: int | None = None
    practice_given: int = 0
    practice: int = 0

    @property
    def minutes_left(self) -> int | None:
        """From the reviewer's own pace, once there is one."""
        left = self.of - self.answered
        if self.timed < 2 or self.seconds <= 0 or left <= 0:
            return None
        return max(1, round(left * self.seconds / self.timed / 60))

    @property
    def quota_is_full(self) -> bool:
        return self.quota is not None and self.rated >= self.quota


@dataclass(frozen=True)
class Desk:
    """What allocation asks of a reviewer: the slot in hand, and what they were given so far.

    `texts` is the most rated texts they may get, `share` how many they may expect where all reviewers rate as many.
    `repeatable` counts texts that lie far enough back to come again. `block` is the one they work in, `in_block` the
    texts that they had of it.
    """

    current: UUID | None
    last_position: int
    last_item: int | None
    block: int | None
    in_block: list[int]
    attention_given: int
    attention: int
    attention_every: int
    repeats_given: int
    repeats: int
    repeat_distance: int
    repeatable: int
    reviewers: int
    texts: int
    share: int
    standing: Standing

    @property
    def practice_is_left(self) -> bool:
        return self.standing.practice_given < self.standing.practice


def reviewer_standing(*, study_id: int, reviewer: User, quota: int | None, size: int) -> Standing:
    return reviewer_desk(study_id=study_id, reviewer=reviewer, quota=quota, size=size).standing


# One pass over the reviewer's own slots, and what the study plans for everybody. Texts set apart (practice, attention)
# are few and have an index of their own.
_DESK = """
    WITH study AS MATERIALIZED (
        SELECT study.raters_per_item, study.attention_every, study.repeats, study.repeat_distance,
               (SELECT count(*) FROM evaluation_membership member WHERE member.study_id = study.id
                AND member.role = 'reviewer' AND member.removed_at IS NULL) AS reviewers
        FROM evaluation_study study WHERE study.id = %(study)s
    ),
    mine AS MATERIALIZED (
        SELECT slot.public_id, slot.item_id, slot.pass_number, slot.state, slot.position, slot.seconds_active,
               item.kind, item.block, slot.state IN ('rated', 'surplus') AS is_answered,
               slot.state NOT IN ('skipped', 'withdrawn') AS counts,
               item.kind = 'rated' AND slot.pass_number = 0 AS is_first, max(slot.position) OVER () AS last
        FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
        WHERE slot.reviewer_id = %(reviewer)s AND item.study_id = %(study)s
    ),
    counted AS (
        SELECT (array_agg(public_id ORDER BY position) FILTER (WHERE state = 'claimed'))[1] AS current,
               coalesce(max(position), 0) AS last_position,
               (array_agg(item_id ORDER BY position DESC))[1] AS last_item,
               (array_agg(block ORDER BY position DESC) FILTER (WHERE is_first AND counts))[1] AS block,
               count(*) FILTER (WHERE kind = 'attention') AS attention_given,
               count(*) FILTER (WHERE pass_number > 0) AS repeats_given,
               count(*) FILTER (WHERE is_first AND state = 'rated'
                                AND position + (SELECT repeat_distance FROM study) <= last) AS far_back,
               count(*) FILTER (WHERE kind <> 'practice' AND counts) AS given,
               count(*) FILTER (WHERE kind <> 'practice' AND is_answered) AS answered,
               count(*) FILTER (WHERE kind <> 'practice' AND state = 'skipped') AS skipped,
               coalesce(sum(seconds_active) FILTER (WHERE kind <> 'practice' AND is_answered), 0) AS seconds,
               count(*) FILTER (WHERE kind <> 'practice' AND is_answered AND seconds_active > 0) AS timed,
               count(*) FILTER (WHERE is_first AND counts) AS rated,
               count(*) FILTER (WHERE kind = 'practice') AS practice_given
        FROM mine
    ),
    apart AS (
        SELECT count(*) FILTER (WHERE kind = 'practice') AS practice,
               count(*) FILTER (WHERE kind = 'attention') AS attention
        FROM evaluation_item item WHERE item.study_id = %(study)s AND item.kind <> 'rated'
    ),
    barred AS (
        SELECT count(*) AS texts
        FROM evaluation_conflict conflict JOIN evaluation_item item ON item.id = conflict.item_id
        WHERE conflict.user_id = %(reviewer)s AND item.study_id = %(study)s AND item.kind = 'rated'
          AND conflict.item_id NOT IN (SELECT item_id FROM mine WHERE counts)
    )
    SELECT counted.*, apart.*, barred.texts, study.*,
           array(SELECT mine.item_id FROM mine WHERE mine.is_first AND mine.block = counted.block) AS in_block
    FROM counted, apart, barred, study
"""


def reviewer_desk(*, study_id: int, reviewer: User, quota: int | None, size: int) -> Desk:
    """The reviewer's desk in one statement; `quota` as in the membership, `size` the study's number of rated texts."""
    with prepared_cursor() as cursor:
        cursor.execute(_DESK, {"study": study_id, "reviewer": reviewer.pk})
        assert cursor.description is not None  # noqa: S101  (a SELECT has columns)
        names = [column.name for column in cursor.description]
        row = dict(zip(names, cursor.fetchone(), strict=True))
    texts = max(0, size - row["texts"])
    if quota is not None:
        texts = min(quota, texts)
    share = min(texts, -(-size * row["raters_per_item"] // max(1, row["reviewers"])))
    attention = planned_attention(checks=row["attention"], every=row["attention_every"], texts=texts)
    repeats = planned_repeats(repeats=row["repeats"], texts=texts)
    standing = Standing(
        given=row["given"],
        answered=row["answered"],
        skipped=row["skipped"],
        of=max(texts + attention + repeats, row["answered"]),
        shared=row["raters_per_item"] < row["reviewers"],
        seconds=row["seconds"],
        timed=row["timed"],
        rated=row["rated"],
        quota=quota,
        practice_given=row["practice_given"],
        practice=row["practice"],
    )
    return Desk(
        current=row["current"],
        last_position=row["last_position"],
        last_item=row["last_item"],
        block=row["block"],
        in_block=row["in_block"],
        attention_given=row["attention_given"],
        attention=row["attention"],
        attention_every=row["attention_every"],
        repeats_given=row["repeats_given"],
        repeats=row["repeats"],
        repeat_distance=row["repeat_distance"],
        repeatable=row["far_back"] - row["repeats_given"],
        reviewers=row["reviewers"],
        texts=texts,
        share=max(1, share),
        standing=standing,
    )


def more_may_come(*, study_id: int, reviewer: User, standing: Standing) -> bool:
    """Whether a seat that somebody else has not answered yet could still come to this reviewer."""
    if standing.quota_is_full:
        return False
    with prepared_cursor() as cursor:
        cursor.execute(
            """
            SELECT EXISTS (
                SELECT FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
                WHERE item.study_id = %(study)s AND item.kind = 'rated' AND slot.pass_number = 0
                  AND slot.state = 'claimed' AND slot.reviewer_id <> %(reviewer)s
                  AND NOT EXISTS (SELECT FROM evaluation_slot own WHERE own.item_id = item.id
                                  AND own.reviewer_id = %(reviewer)s AND own.pass_number = 0)
                  AND NOT EXISTS (SELECT FROM evaluation_conflict conflict WHERE conflict.item_id = item.id
                                  AND conflict.user_id = %(reviewer)s))
            """,
            {"study": study_id, "reviewer": reviewer.pk},
        )
        return bool(cursor.fetchone()[0])


def has_left(*, reviewer: User, study_id: UUID | None = None, slot_id: UUID | None = None) -> bool:
    """Whether the person was withdrawn from a study, named by its public id or by one of their slots."""
    left = Membership.objects.filter(user=reviewer, role=Membership.Role.REVIEWER, removed_at__isnull=False)
    if slot_id is not None:
        own = Slot.objects.filter(public_id=slot_id, reviewer=reviewer).values("item__study")
        return left.filter(study__in=own).exists()
    return study_id is not None and left.filter(study__public_id=study_id).exists()
