"""What a reviewer may see of their studies, and nothing else: no source, nobody else's answer."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from accounts.models import User
from evaluation.models import Membership
from evaluation.presentation import neutral_text
from evaluation.science.allocation.extras import planned_attention, planned_repeats
from evaluation.selectors.guidelines import RubricCriterion, RubricLevel, rubric
from evaluation.selectors.slot_pages import SlotPage, slot_page

__all__ = [
    "GivenAnswer",
    "RubricCriterion",
    "RubricLevel",
    "SlotPage",
    "TextToGuess",
    "given_answers",
    "reviewer_memberships",
    "reviewer_study",
    "rubric",
    "slot_page",
    "texts_to_guess",
]


@dataclass(frozen=True)
class GivenAnswer:
    slot: UUID
    position: int
    state: str
    beginning: str
    levels: tuple[tuple[str, str], ...]
    answered_at: datetime | None
    skip_reason: str
    is_practice: bool = False


@dataclass(frozen=True)
class TextToGuess:
    """A rated text at the closing question."""

    slot: UUID
    position: int
    beginning: str
    text: str
    guess: str


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
    """The reviewer's studies with their own counts, open ones first: one statement.

    Counts are those of `Standing`: practice is left out, checks and repeats are texts like others.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT study.public_id, study.title, study.state, member.quota, study.item_count, study.attention_every,
                   study.repeats, member.finished_at IS NOT NULL AS has_finished,
                   study.consent <> '' AND member.consented_at IS NULL AS needs_consent,
                   (SELECT count(*) FROM evaluation_item item
                    WHERE item.study_id = study.id AND item.kind = 'attention') AS attention,
                   (SELECT count(*) FROM evaluation_conflict conflict
                    JOIN evaluation_item item ON item.id = conflict.item_id
                    WHERE conflict.user_id = member.user_id AND item.study_id = study.id AND item.kind = 'rated')
                   AS barred,
                   count(slot.id) FILTER (WHERE item.kind <> 'practice' AND slot.state IN ('rated', 'surplus'))
                   AS answered,
                   count(slot.id) FILTER (WHERE item.kind <> 'practice' AND slot.state = 'skipped') AS skipped,
                   count(slot.id) FILTER (WHERE slot.state <> 'withdrawn') > 0 AS has_begun
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
        assert cursor.description is not None  # noqa: S101  (a SELECT has columns)
        names = [column.name for column in cursor.description]
        return [_with_most(dict(zip(names, row, strict=True))) for row in cursor.fetchall()]


def _with_most(row: dict[str, Any]) -> dict[str, Any]:
    """The same with `of`, the most texts that the reviewer meets."""
    texts = max(0, row["item_count"] - row["barred"])
    if row["quota"] is not None:
        texts = min(row["quota"], texts)
    extra = planned_attention(checks=row["attention"], every=row["attention_every"], texts=texts)
    extra += planned_repeats(repeats=row["repeats"], texts=texts)
    shown = ("title", "state", "quota", "answered", "skipped", "has_begun", "has_finished", "needs_consent")
    return {name: row[name] for name in shown} | {"study": row["public_id"], "of": max(texts + extra, row["answered"])}


def given_answers(*, study_id: int, reviewer: User, after: int = 0, limit: int = 50) -> list[GivenAnswer]:
    """What a reviewer answered or skipped, by position; `after` is the last position of the page before."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT slot.public_id, slot.position, slot.state, left(body.body, 400),
                   (SELECT jsonb_agg(jsonb_build_array(answer.name, answer.said) ORDER BY answer.place) FROM (
                        (SELECT DISTINCT ON (rating.criterion_id)
                               criterion.name, level.label AS said, criterion.position AS place
                        FROM evaluation_rating rating
                        JOIN evaluation_level level ON level.id = rating.level_id
                        JOIN evaluation_criterion criterion ON criterion.id = rating.criterion_id
                        WHERE rating.slot_id = slot.id
                        ORDER BY rating.criterion_id, rating.revision DESC)
                        UNION ALL
                        (SELECT DISTINCT ON (given.criterion_id)
                               criterion.name, coalesce(given.number::text, left(given.words, 200)), criterion.position
                        FROM evaluation_openanswer given
                        JOIN evaluation_criterion criterion ON criterion.id = given.criterion_id
                        WHERE given.slot_id = slot.id
                        ORDER BY given.criterion_id, given.revision DESC)) AS answer WHERE answer.said <> ''),
                   slot.answered_at, slot.skip_reason, item.kind = 'practice'
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
    for slot, position, state, body, said, answered_at, reason, is_practice in rows:
        pairs = json.loads(said) if isinstance(said, str) else said or []
        chosen = tuple((name, label) for name, label in pairs)
        beginning = _beginning(neutral_text(body))
        answers.append(GivenAnswer(slot, position, state, beginning, chosen, answered_at, reason, is_practice))
    return answers


def texts_to_guess(*, study_id: int, reviewer: User, after: int = 0, limit: int = 20) -> list[TextToGuess]:
    """The texts that a reviewer rated, each once, with what they guessed; practice and checks are no part of it."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT slot.public_id, slot.position, body.body, coalesce(guess.guess, '')
            FROM evaluation_slot slot
            JOIN evaluation_item item ON item.id = slot.item_id
            JOIN corpora_text body ON body.id = item.text_id
            LEFT JOIN evaluation_authorshipguess guess
              ON guess.item_id = item.id AND guess.reviewer_id = slot.reviewer_id
            WHERE slot.reviewer_id = %s AND item.study_id = %s AND slot.position > %s AND slot.pass_number = 0
              AND item.kind = 'rated' AND slot.state IN ('rated', 'surplus')
            ORDER BY slot.position LIMIT %s
            """,
            [reviewer.pk, study_id, after, limit],
        )
        rows = cursor.fetchall()
    found = []
    for slot, position, body, guess in rows:
        text = neutral_text(body)
        found.append(TextToGuess(slot, position, _beginning(text), text, guess))
    return found


def _beginning(text: str) -> str:
    words = text.split()
    return " ".join(words[:18]) + (" …" if len(words) > 18 else "")
