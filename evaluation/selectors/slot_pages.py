"""One text on a reviewer's desk: no source, no id but the slot's own, nobody else's answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from accounts.models import User
from evaluation.models import Slot, Study
from evaluation.prepared import prepared_cursor
from evaluation.presentation import neutral_text
from evaluation.selectors.guidelines import Guidelines, RubricCriterion

__all__ = ["Question", "SlotPage", "questions", "slot_page"]


@dataclass(frozen=True)
class SlotPage:
    """One text on a reviewer's desk, with the answers in force.

    `answers`, `opened` and `revisions` go by the names of the page's fields: `level-…`, `number-…`, `words-…`,
    `marks-…`, `confidence`, `comment`. `expected` and `feedback` are there once a practice text is answered, and never
    otherwise.
    """

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
    is_practice: bool = False
    asks_confidence: bool = False
    allows_highlights: bool = False
    needs_consent: bool = False
    confidence: int | None = None
    opened: dict[str, str] = field(default_factory=dict)
    marks: dict[str, list[list[int]]] = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=dict)
    expected: dict[str, int] | None = None
    feedback: str = ""

    @property
    def is_open(self) -> bool:
        return self.study_state == Study.State.OPEN

    @property
    def can_be_skipped(self) -> bool:
        return self.is_open and not self.is_practice and self.state in {Slot.State.CLAIMED, Slot.State.EXPIRED}

    @property
    def is_practised(self) -> bool:
        return self.is_practice and self.expected is not None

    @property
    def takes_answers(self) -> bool:
        """Practice is over once its feedback is shown."""
        return self.is_open and not self.is_practised

    @property
    def answers(self) -> dict[str, str]:
        """What is in force, by the names and in the words of the page's fields."""
        found = {f"level-{key}": str(index) for key, index in self.chosen.items()}
        found |= self.opened
        found |= {f"marks-{key}": json.dumps(spans, separators=(",", ":")) for key, spans in self.marks.items()}
        if self.confidence is not None:
            found["confidence"] = str(self.confidence)
        return found

    def seen(self, criteria: tuple[RubricCriterion, ...]) -> str:
        """The revision of each of the page's fields, which comes back with an answer."""
        names = [one.field for one in criteria]
        if self.asks_confidence:
            names.append("confidence")
        if self.allows_highlights:
            names += [f"marks-{one.key}" for one in criteria]
        none = dict.fromkeys([*names, "comment"], 0)
        return json.dumps(none | {name: self.revisions[name] for name in none if name in self.revisions})


@dataclass(frozen=True)
class Question:
    """A criterion on the page: `value` is what its field holds, `stored` what the server does."""

    criterion: RubricCriterion
    value: str
    stored: str
    marks: str = "[]"
    expected: str | None = None

    @property
    def name(self) -> str:
        return self.criterion.field

    @property
    def expected_label(self) -> str:
        return self._label(self.expected)

    @property
    def stored_label(self) -> str:
        return self._label(self.stored)

    def _label(self, value: str | None) -> str:
        return next((level.label for level in self.criterion.levels if str(level.index) == value), "–")

    @property
    def is_as_expected(self) -> bool:
        return self.expected is not None and self.expected == self.stored


def questions(page: SlotPage, told: Guidelines, kept: Mapping[str, str] | None = None) -> list[Question]:
    """The page's criteria with what was chosen; `kept` was not stored yet."""
    stored = page.answers
    shown = stored | dict(kept or {})
    found = []
    for criterion in told.criteria:
        name = criterion.field
        marks = shown.get(f"marks-{criterion.key}", "[]")
        index = (page.expected or {}).get(criterion.key)
        expected = None if index is None else str(index)
        found.append(Question(criterion, shown.get(name, ""), stored.get(name, ""), marks, expected))
    return found


_PAGE = """
    SELECT slot.public_id, slot.position, slot.state, item.question, body.body,
           (SELECT jsonb_object_agg(answer.key, jsonb_build_array(answer.index, answer.revision)) FROM (
                SELECT DISTINCT ON (rating.criterion_id) criterion.key, level.index, rating.revision
                FROM evaluation_rating rating
                JOIN evaluation_level level ON level.id = rating.level_id
                JOIN evaluation_criterion criterion ON criterion.id = rating.criterion_id
                WHERE rating.slot_id = slot.id
                ORDER BY rating.criterion_id, rating.revision DESC) AS answer),
           (SELECT jsonb_build_array((array_agg(comment.body ORDER BY comment.id DESC))[1], count(*))
            FROM evaluation_comment comment WHERE comment.slot_id = slot.id),
           (SELECT earlier.public_id FROM evaluation_slot earlier
            JOIN evaluation_item other ON other.id = earlier.item_id
            WHERE earlier.reviewer_id = slot.reviewer_id AND other.study_id = item.study_id
              AND earlier.position < slot.position AND earlier.state <> 'withdrawn'
            ORDER BY earlier.position DESC LIMIT 1),
           (SELECT jsonb_object_agg(answer.field, jsonb_build_array(answer.number, answer.words, answer.revision))
            FROM (
                SELECT DISTINCT ON (given.criterion_id) criterion.kind || '-' || criterion.key AS field,
                       given.number, given.words, given.revision
                FROM evaluation_openanswer given
                JOIN evaluation_criterion criterion ON criterion.id = given.criterion_id
                WHERE given.slot_id = slot.id
                ORDER BY given.criterion_id, given.revision DESC) AS answer),
           CASE WHEN study.asks_confidence THEN (
                SELECT jsonb_build_array(value, revision) FROM evaluation_confidence sure
                WHERE sure.slot_id = slot.id ORDER BY revision DESC LIMIT 1) END,
           CASE WHEN study.allows_highlights THEN (
                SELECT jsonb_object_agg(answer.key, jsonb_build_array(answer.spans, answer.revision)) FROM (
                    SELECT DISTINCT ON (mark.criterion_id) criterion.key, mark.spans, mark.revision
                    FROM evaluation_highlight mark
                    JOIN evaluation_criterion criterion ON criterion.id = mark.criterion_id
                    WHERE mark.slot_id = slot.id
                    ORDER BY mark.criterion_id, mark.revision DESC) AS answer) END,
           CASE WHEN item.kind = 'practice' AND slot.state IN ('rated', 'surplus') THEN jsonb_build_array(
                item.feedback, (SELECT jsonb_object_agg(criterion.key, level.index)
                    FROM evaluation_expectation expected
                    JOIN evaluation_criterion criterion ON criterion.id = expected.criterion_id
                    JOIN evaluation_level level ON level.id = expected.level_id
                    WHERE expected.item_id = item.id)) END,
           study.id, study.public_id, study.title, study.state, study.frozen_sha256, study.item_count, member.quota,
           item.kind = 'practice', study.asks_confidence, study.allows_highlights,
           study.consent <> '' AND member.consented_at IS NULL
    FROM evaluation_slot slot
    JOIN evaluation_item item ON item.id = slot.item_id
    JOIN corpora_text body ON body.id = item.text_id
    JOIN evaluation_study study ON study.id = item.study_id
    JOIN evaluation_membership member ON member.study_id = study.id AND member.user_id = slot.reviewer_id
    WHERE slot.public_id = %s AND slot.reviewer_id = %s AND member.removed_at IS NULL AND slot.state <> 'withdrawn'
"""

_FACTS = (
    "study_pk",
    "study",
    "study_title",
    "study_state",
    "frozen_sha256",
    "item_count",
    "quota",
    "is_practice",
    "asks_confidence",
    "allows_highlights",
    "needs_consent",
)


def slot_page(*, slot_id: UUID, reviewer: User) -> SlotPage | None:
    """The page of a slot in one statement; None when it is not this reviewer's."""
    with prepared_cursor() as cursor:
        cursor.execute(_PAGE, [slot_id, reviewer.pk])
        row = cursor.fetchone()
    if row is None:
        return None
    slot, position, state, question, body, *found = row
    chosen, comment, previous, opened, sure, marks, feedback, *rest = found
    facts: dict[str, Any] = dict(zip(_FACTS, rest, strict=True))
    levels: dict[str, list[int]] = _decoded(chosen) or {}
    words: dict[str, list[Any]] = _decoded(opened) or {}
    spans: dict[str, list[Any]] = _decoded(marks) or {}
    confidence = _decoded(sure)
    said, remarks = _decoded(comment)
    why, expected = _decoded(feedback) or ("", None)
    revisions = {f"level-{key}": revision for key, (_, revision) in levels.items()}
    revisions |= {name: revision for name, (_, _, revision) in words.items()}
    revisions |= {f"marks-{key}": revision for key, (_, revision) in spans.items()} | {"comment": remarks}
    if confidence:
        revisions["confidence"] = confidence[1]
    return SlotPage(
        slot,
        position,
        state,
        neutral_text(question),
        neutral_text(body),
        {key: index for key, (index, _) in levels.items()},
        said or "",
        previous,
        **facts,
        confidence=confidence[0] if confidence else None,
        opened={name: given if number is None else f"{number:.15g}" for name, (number, given, _) in words.items()},
        marks={key: stretches for key, (stretches, _) in spans.items()},
        revisions=revisions,
        expected=None if feedback is None else expected or {},
        feedback=why,
    )


def _decoded(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
