"""Storing what a reviewer answers: append-only, idempotent, never lost without a word."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from accounts.models import User
from evaluation.errors import KeyReused, NotYours, RatingRefused, StudyClosed
from evaluation.models import Slot, Study, Submission
from evaluation.rubrics import MOST_LEVELS

__all__ = ["LONGEST_COMMENT", "Receipt", "record_ratings"]

LONGEST_COMMENT = 10_000
LONGEST_SPELL = 24 * 3600.0  # seconds that one submission may claim to have been active


@dataclass(frozen=True)
class Receipt:
    """What the sender may rely on; the same for the same key, however often it is sent."""

    key: UUID
    answered: int
    criteria: int
    study_id: int
    following: UUID | None = None

    @property
    def complete(self) -> bool:
        return self.answered == self.criteria


@dataclass(frozen=True)
class _Locked:
    pk: int
    state: str
    study_id: int
    minutes: int
    following: UUID | None


def record_ratings(
    *,
    slot_id: UUID,
    reviewer: User,
    answers: Mapping[str, int],
    key: UUID,
    seconds_active: float = 0.0,
    comment: str | None = None,
) -> Receipt:
    """Store answers at a slot: two statements, whatever the size of the study.

    Parameters
    ----------
    slot_id
        The slot's `public_id`.
    answers
        Index of the level given, by the key of its criterion; criteria may be left out and answered later. A level
        that differs from the one in force becomes a new revision, the same level again stores nothing.
    key
        Chosen by the sender. The same key again changes nothing and gets the same receipt.
    seconds_active
        Time spent since the last submission, at most a day.
    comment
        None leaves the comment as it is.

    Raises
    ------
    NotYours, StudyClosed, KeyReused
        As they say; nothing is stored.
    RatingRefused
        A criterion or level does not exist, or seconds or comment are out of range; nothing is stored.
    """
    if not (math.isfinite(seconds_active) and seconds_active >= 0):
        raise RatingRefused("The time spent must be a number of seconds.")
    if comment is not None and (len(comment) > LONGEST_COMMENT or "\0" in comment):
        raise RatingRefused(f"A comment may have {LONGEST_COMMENT:,} characters and no null character.")
    if any(not name.isprintable() for name in answers):
        raise RatingRefused("A criterion is named by its key.")
    if any(isinstance(index, bool) or not 0 <= index < MOST_LEVELS for index in answers.values()):
        raise RatingRefused("A level is named by its place in the scale, from 0.")
    with transaction.atomic():
        slot = _lock(slot_id, reviewer)
        stored = _store(slot, answers, key, min(seconds_active, LONGEST_SPELL), comment)
        if not stored["fits"]:
            raise RatingRefused(_misfit(slot.study_id, answers))
        if not stored["is_new"]:
            return _replay(slot, key)
        receipt = Receipt(key, stored["answered"], stored["criteria"], slot.study_id, slot.following)
        if receipt.complete and slot.state in {Slot.State.EXPIRED, Slot.State.SKIPPED, Slot.State.WITHDRAWN}:
            _answer_late(slot)
        return receipt


def _lock(slot_id: UUID, reviewer: User) -> _Locked:
    """The slot, held against its own double, with the study kept from closing until the answer stands."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT slot.id, slot.state, item.study_id, study.lease_minutes, study.state,
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
            FOR NO KEY UPDATE OF slot FOR KEY SHARE OF study
            """,
            [slot_id, reviewer.pk],
        )
        row = cursor.fetchone()
    if row is None:
        raise NotYours("This text is not among yours.")
    pk, state, study_id, minutes, study_state, following = row
    if study_state != Study.State.OPEN:
        raise StudyClosed("The study is closed: this answer was not stored. Earlier answers are safe.")
    return _Locked(pk, state, study_id, minutes, following)


# One statement: what is chosen, what is in force, the submission under its key, new revisions where a level differs,
# the comment where it differs, and the slot's own state. Everything hangs on `submitted`, which is empty when the
# key is known or an answer does not fit the scale. The slot is locked, so the revisions read here are the newest.
_STORE = """
    WITH given AS (SELECT key, value::int AS index FROM jsonb_each_text(%(answers)s::jsonb)),
    scale AS (SELECT id, key FROM evaluation_criterion WHERE study_id = %(study)s),
    chosen AS (
        SELECT scale.id AS criterion_id, level.id AS level_id
        FROM given JOIN scale ON scale.key = given.key
        JOIN evaluation_level level ON level.criterion_id = scale.id AND level.index = given.index
    ),
    in_force AS (
        SELECT DISTINCT ON (criterion_id) criterion_id, level_id, revision
        FROM evaluation_rating WHERE slot_id = %(slot)s ORDER BY criterion_id, revision DESC
    ),
    counted AS (
        SELECT (SELECT count(*) FROM chosen) = (SELECT count(*) FROM given) AS fits,
               (SELECT count(*) FROM scale) AS criteria,
               (SELECT count(*) FROM (SELECT criterion_id FROM chosen UNION SELECT criterion_id FROM in_force) AS both_)
               AS answered
    ),
    submitted AS (
        INSERT INTO evaluation_submission (key, slot_id, answered, criteria, created_at)
        SELECT %(key)s, %(slot)s, answered, criteria, clock_timestamp() FROM counted WHERE fits
        ON CONFLICT (key) DO NOTHING RETURNING key
    ),
    revised AS (
        INSERT INTO evaluation_rating (slot_id, criterion_id, level_id, revision, submission_id, created_at)
        SELECT %(slot)s, chosen.criterion_id, chosen.level_id, coalesce(in_force.revision, 0) + 1, submitted.key,
               clock_timestamp()
        FROM submitted CROSS JOIN chosen LEFT JOIN in_force ON in_force.criterion_id = chosen.criterion_id
        WHERE in_force.level_id IS DISTINCT FROM chosen.level_id
    ),
    remarked AS (
        INSERT INTO evaluation_comment (slot_id, body, created_at)
        SELECT %(slot)s, %(comment)s::text, clock_timestamp() FROM submitted
        WHERE %(comment)s::text IS NOT NULL AND %(comment)s::text IS DISTINCT FROM coalesce(
            (SELECT body FROM evaluation_comment WHERE slot_id = %(slot)s ORDER BY id DESC LIMIT 1), '')
    ),
    moved AS (
        UPDATE evaluation_slot AS slot
        SET seconds_active = slot.seconds_active + %(seconds)s,
            state = CASE WHEN slot.state = 'claimed' AND counted.answered = counted.criteria THEN 'rated'
                         ELSE slot.state END,
            lease_expires_at = CASE WHEN slot.state = 'claimed' AND counted.answered < counted.criteria
                                    THEN clock_timestamp() + make_interval(mins => %(minutes)s) END,
            answered_at = CASE WHEN counted.answered = counted.criteria
                               THEN coalesce(slot.answered_at, clock_timestamp()) END
        FROM counted, submitted WHERE slot.id = %(slot)s
    )
    SELECT fits, criteria, answered, EXISTS (SELECT 1 FROM submitted) AS is_new FROM counted
"""


def _store(slot: _Locked, answers: Mapping[str, int], key: UUID, seconds: float, comment: str | None) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(
            _STORE,
            {
                "answers": json.dumps({name: int(index) for name, index in answers.items()}),
                "study": slot.study_id,
                "slot": slot.pk,
                "key": key,
                "seconds": seconds,
                "comment": comment.strip() if comment is not None else None,
                "minutes": slot.minutes,
            },
        )
        fits, criteria, answered, is_new = cursor.fetchone()
    return {"fits": fits, "criteria": criteria, "answered": answered, "is_new": is_new}


def _replay(slot: _Locked, key: UUID) -> Receipt:
    submission = Submission.objects.get(pk=key)
    if submission.slot_id != slot.pk:
        raise KeyReused("This answer's key was used for another text already; reload the page and answer once more.")
    return Receipt(key, submission.answered, submission.criteria, slot.study_id, slot.following)


def _answer_late(slot: _Locked) -> None:
    """A lapsed or skipped slot that is answered after all takes a free seat, or is kept as surplus."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH free AS (
                SELECT opening.id, opening.seat FROM evaluation_opening opening
                JOIN evaluation_slot slot ON slot.item_id = opening.item_id AND slot.pass_number = opening.pass_number
                WHERE slot.id = %(slot)s AND %(may_sit)s
                ORDER BY opening.seat LIMIT 1 FOR UPDATE OF opening SKIP LOCKED
            ),
            taken AS (DELETE FROM evaluation_opening opening USING free WHERE opening.id = free.id)
            UPDATE evaluation_slot
            SET seat = (SELECT seat FROM free), skip_reason = '',
                state = CASE WHEN EXISTS (SELECT 1 FROM free) THEN 'rated' ELSE 'surplus' END
            WHERE id = %(slot)s
            """,
            {"slot": slot.pk, "may_sit": slot.state != Slot.State.WITHDRAWN},
        )


def _misfit(study_id: int, answers: Mapping[str, int]) -> str:
    """Which answer the study's scale does not have."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT criterion.key, array_agg(level.index) FROM evaluation_criterion criterion
            JOIN evaluation_level level ON level.criterion_id = criterion.id
            WHERE criterion.study_id = %s GROUP BY criterion.key
            """,
            [study_id],
        )
        scale = dict(cursor.fetchall())
    for name, index in answers.items():
        if name not in scale:
            return f"There is no criterion {name!r} in this study."
        if index not in scale[name]:
            return f"There is no level {index} of {name!r} in this study."
    return "The answers do not fit the study's criteria."
