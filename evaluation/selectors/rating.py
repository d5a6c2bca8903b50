"""What a reviewer may see, and nothing else: no source, no id but the slot's own, nobody else's answer."""

import json
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import connection

from accounts.models import User
from evaluation.models import Criterion, Membership, Slot, Study
from evaluation.presentation import neutral_text

__all__ = [
    "GivenAnswer",
    "RubricCriterion",
    "RubricLevel",
    "SlotPage",
    "given_answers",
    "others_hold_seats",
    "reviewer_memberships",
    "reviewer_study",
    "rubric",
    "slot_page",
]

# As on the keyboard's top row.
KEYS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-")
KEYS_FROM_ZERO = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-")


@dataclass(frozen=True)
class RubricLevel:
    index: int
    label: str
    definition: str
    key: str


@dataclass(frozen=True)
class RubricCriterion:
    key: str
    name: str
    definition: str
    levels: tuple[RubricLevel, ...]


@dataclass(frozen=True)
class SlotPage:
    """One text on a reviewer's desk, with the answers in force."""

    slot: UUID
    position: int
    state: str
    question: str
    text: str
    chosen: dict[str, int]
    comment: str
    previous: UUID | None
    study_pk: int
    study: UUID
    study_title: str
    study_state: str
    frozen_sha256: str
    item_count: int
    quota: int | None

    @property
    def is_open(self) -> bool:
        return self.study_state == Study.State.OPEN

    @property
    def can_be_skipped(self) -> bool:
        return self.is_open and self.state in {Slot.State.CLAIMED, Slot.State.EXPIRED}


@dataclass(frozen=True)
class GivenAnswer:
    slot: UUID
    position: int
    state: str
    beginning: str
    levels: tuple[tuple[str, str], ...]
    answered_at: datetime | None
    skip_reason: str


def slot_page(*, slot_id: UUID, reviewer: User) -> SlotPage | None:
    """The page of a slot in one statement; None when it is not this reviewer's."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT slot.public_id, slot.position, slot.state, item.question, body.body,
                   (SELECT jsonb_object_agg(answer.key, answer.index) FROM (
                        SELECT DISTINCT ON (rating.criterion_id) criterion.key, level.index
                        FROM evaluation_rating rating
                        JOIN evaluation_level level ON level.id = rating.level_id
                        JOIN evaluation_criterion criterion ON criterion.id = rating.criterion_id
                        WHERE rating.slot_id = slot.id
                        ORDER BY rating.criterion_id, rating.revision DESC) AS answer),
                   (SELECT comment.body FROM evaluation_comment comment
                    WHERE comment.slot_id = slot.id ORDER BY comment.id DESC LIMIT 1),
                   (SELECT earlier.public_id FROM evaluation_slot earlier
                    JOIN evaluation_item other ON other.id = earlier.item_id
                    WHERE earlier.reviewer_id = slot.reviewer_id AND other.study_id = item.study_id
                      AND earlier.position < slot.position AND earlier.state <> 'withdrawn'
                    ORDER BY earlier.position DESC LIMIT 1),
                   study.id, study.public_id, study.title, study.state, study.frozen_sha256, study.item_count,
                   member.quota
            FROM evaluation_slot slot
            JOIN evaluation_item item ON item.id = slot.item_id
            JOIN corpora_text body ON body.id = item.text_id
            JOIN evaluation_study study ON study.id = item.study_id
            JOIN evaluation_membership member ON member.study_id = study.id AND member.user_id = slot.reviewer_id
            WHERE slot.public_id = %s AND slot.reviewer_id = %s AND member.removed_at IS NULL
              AND slot.state <> 'withdrawn'
            """,
            [slot_id, reviewer.pk],
        )
        row = cursor.fetchone()
    if row is None:
        return None
    slot, position, state, question, body, chosen, comment, previous, *study = row
    answers = json.loads(chosen) if isinstance(chosen, str) else chosen or {}
    return SlotPage(
        slot, position, state, neutral_text(question), neutral_text(body), answers, comment or "", previous, *study
    )


def rubric(*, study_id: int, frozen_sha256: str) -> tuple[RubricCriterion, ...]:
    """Criteria and levels in their order; remembered once the launch has frozen them."""
    return _frozen_rubric(study_id, frozen_sha256) if frozen_sha256 else _read_rubric(study_id)


@lru_cache(maxsize=256)
def _frozen_rubric(study_id: int, frozen_sha256: str) -> tuple[RubricCriterion, ...]:
    return _read_rubric(study_id)


def _read_rubric(study_id: int) -> tuple[RubricCriterion, ...]:
    rows = Criterion.objects.filter(study_id=study_id).order_by("position", "levels__index")
    found: dict[tuple[str, str, str], list[RubricLevel]] = {}
    for key, name, definition, index, label, meaning in rows.values_list(
        "key", "name", "definition", "levels__index", "levels__label", "levels__definition"
    ):
        levels = found.setdefault((key, name, definition), [])
        # On a scale that begins with the label 0, each digit chooses the level that it names.
        keys = KEYS_FROM_ZERO if (levels[0].label if levels else label) == "0" else KEYS
        levels.append(RubricLevel(index, label, meaning, keys[index]))
    return tuple(RubricCriterion(*criterion, tuple(levels)) for criterion, levels in found.items())


def reviewer_study(*, study_id: UUID, reviewer: User) -> Membership | None:
    """The membership by which a person rates in a study, with the study."""
    return (
        Membership.objects.filter(
            study__public_id=study_id, user=reviewer, role=Membership.Role.REVIEWER, removed_at__isnull=True
        )
        .select_related("study", "user")
        .first()
    )


def reviewer_memberships(*, reviewer: User) -> list[dict[str, Any]]:
    """The reviewer's studies with their own counts, open ones first: one statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT study.public_id, study.title, study.state,
                   CASE WHEN member.quota IS NULL THEN study.item_count
                        ELSE least(member.quota, study.item_count) END AS most,
                   count(slot.id) FILTER (WHERE slot.state IN ('rated', 'surplus')) AS answered,
                   count(slot.id) FILTER (WHERE slot.state = 'skipped') AS skipped
            FROM evaluation_membership member
            JOIN evaluation_study study ON study.id = member.study_id
            LEFT JOIN (evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id)
              ON slot.reviewer_id = member.user_id AND item.study_id = study.id
            WHERE member.user_id = %s AND member.role = 'reviewer' AND member.removed_at IS NULL
            GROUP BY study.id, member.id
            ORDER BY CASE study.state WHEN 'open' THEN 0 WHEN 'draft' THEN 1 ELSE 2 END, study.id DESC
            """,
            [reviewer.pk],
        )
        names = ("study", "title", "state", "of", "answered", "skipped")
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def given_answers(*, study_id: int, reviewer: User, after: int = 0, limit: int = 50) -> list[GivenAnswer]:
    """What a reviewer answered or skipped, by position; `after` is the last position of the page before."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT slot.public_id, slot.position, slot.state, left(body.body, 400),
                   (SELECT jsonb_agg(jsonb_build_array(answer.name, answer.label) ORDER BY answer.place) FROM (
                        SELECT DISTINCT ON (rating.criterion_id)
                               criterion.name, level.label, criterion.position AS place
                        FROM evaluation_rating rating
                        JOIN evaluation_level level ON level.id = rating.level_id
                        JOIN evaluation_criterion criterion ON criterion.id = rating.criterion_id
                        WHERE rating.slot_id = slot.id
                        ORDER BY rating.criterion_id, rating.revision DESC) AS answer),
                   slot.answered_at, slot.skip_reason
            FROM evaluation_slot slot
            JOIN evaluation_item item ON item.id = slot.item_id
            JOIN corpora_text body ON body.id = item.text_id
            WHERE slot.reviewer_id = %s AND item.study_id = %s AND slot.position > %s AND slot.state <> 'withdrawn'
            ORDER BY slot.position LIMIT %s
            """,
            [reviewer.pk, study_id, after, limit],
        )
        rows = cursor.fetchall()
    answers = []
    for slot, position, state, body, levels, answered_at, reason in rows:
        pairs = json.loads(levels) if isinstance(levels, str) else levels or []
        words = neutral_text(body).split()
        beginning = " ".join(words[:18]) + (" …" if len(words) > 18 else "")
        chosen = tuple((name, label) for name, label in pairs)
        answers.append(GivenAnswer(slot, position, state, beginning, chosen, answered_at, reason))
    return answers


def others_hold_seats(*, study_id: int, reviewer: User) -> bool:
    """Whether a seat that somebody has not answered yet could still come to this reviewer."""
    new_to_me = Slot.objects.filter(state=Slot.State.CLAIMED, item__study_id=study_id).exclude(
        item__slots__reviewer=reviewer
    )
    return new_to_me.exists()
