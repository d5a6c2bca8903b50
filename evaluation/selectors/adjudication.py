"""Texts on which raters lie widest apart, for somebody who settles what holds.

Raters appear as A, B, C, …: in an order drawn for each text, so that nobody is followed from one text to the next.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from evaluation.models import Study
from evaluation.presentation import neutral_text
from evaluation.selectors.agreement import IN_FORCE, REMOVED, Scale, criterion_scales
from evaluation.selectors.opening import require_opened

__all__ = ["AnonymousRating", "Decision", "DisputedItem", "OnTheTable", "disputed_items", "on_the_table"]


@dataclass(frozen=True)
class DisputedItem:
    """A text in the queue: `width` is the widest range of level indices over the criteria, `variance` their sum."""

    public_id: UUID
    external_id: str
    position: int
    raters: int
    width: int
    variance: float
    disputed: int
    decided: int

    @property
    def is_settled(self) -> bool:
        return self.decided >= self.disputed


@dataclass(frozen=True)
class AnonymousRating:
    rater: str
    levels: tuple[str | None, ...]
    comment: str


@dataclass(frozen=True)
class Decision:
    """A revision of what was settled on a criterion; the last is in force."""

    scale: Scale
    level: int
    reason: str
    revision: int
    by: str
    at: datetime

    @property
    def label(self) -> str:
        return self.scale.labels[self.level]


@dataclass(frozen=True)
class OnTheTable:
    """All that an adjudicator sees of a text: nothing of where it came from, nobody's name."""

    pk: int
    public_id: UUID
    external_id: str
    question: str
    text: str
    scales: tuple[Scale, ...]
    ratings: tuple[AnonymousRating, ...]
    decisions: tuple[Decision, ...]

    @property
    def in_force(self) -> dict[int, Decision]:
        """By criterion."""
        return {one.scale.pk: one for one in self.decisions}


def disputed_items(
    *, study: Study, after: int = 0, limit: int = 25, open_only: bool = False
) -> tuple[list[DisputedItem], int]:
    """The queue from its `after`-th text on, widest disagreement first, and how many texts it holds: one statement.

    Ordered by width, then variance, then position. `open_only` leaves out texts that are settled on every criterion
    on which raters differ. Raises `AgreementHidden` while agreement may not be seen: the queue is made of it.
    """
    require_opened(study=study)
    with connection.cursor() as cursor:
        cursor.execute(QUEUE, {"study": study.pk, "after": after, "limit": limit, "open": open_only})
        rows = cursor.fetchall()
    total = rows[0][-1] if rows else 0
    return [DisputedItem(*row[:-1]) for row in rows if row[0] is not None], total


def on_the_table(*, study: Study, item_id: UUID) -> OnTheTable | None:
    """A text with its ratings and what was settled before: a constant number of statements; None if it is not there.

    Raises `AgreementHidden` while agreement may not be seen.
    """
    require_opened(study=study)
    scales = tuple(criterion_scales(study_id=study.pk))
    with connection.cursor() as cursor:
        cursor.execute(ITEM, {"study": study.pk, "item": item_id})
        row = cursor.fetchone()
        if row is None:
            return None
        cursor.execute(DECISIONS, {"item": row[0]})
        decided = cursor.fetchall()
    pk, public_id, external_id, question, body, rated = row
    by_key = {scale.pk: scale for scale in scales}
    decisions = tuple(Decision(by_key[criterion], *rest) for criterion, *rest in decided if criterion in by_key)
    ratings = tuple(
        AnonymousRating(_letter(number), _labels(scales, levels), comment or "")
        for number, (levels, comment) in enumerate(_decoded(rated))
    )
    return OnTheTable(
        pk, public_id, external_id, neutral_text(question), neutral_text(body), scales, ratings, decisions
    )


def _labels(scales: Sequence[Scale], levels: dict[str, int]) -> tuple[str | None, ...]:
    return tuple(scale.labels[levels[str(scale.pk)]] if str(scale.pk) in levels else None for scale in scales)


def _decoded(rated: Any) -> list[tuple[dict[str, int], str | None]]:
    found: list[tuple[dict[str, int], str | None]] = json.loads(rated) if isinstance(rated, str) else rated or []
    return found


def _letter(number: int) -> str:
    """A to Z, then AA, AB, …"""
    letters = ""
    number += 1
    while number:
        number, place = divmod(number - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters


QUEUE = f"""
    WITH {IN_FORCE}, spread AS (
        SELECT item_id, criterion_id, max(level_index) - min(level_index) AS width,
               var_pop(level_index)::float8 AS variance, count(*) AS raters
        FROM in_force GROUP BY item_id, criterion_id
    ),
    disputed AS (
        SELECT spread.item_id, max(spread.width) AS width, sum(spread.variance) AS variance,
               max(spread.raters) AS raters, count(*) FILTER (WHERE spread.width > 0) AS criteria,
               count(*) FILTER (WHERE spread.width > 0 AND EXISTS (
                   SELECT FROM evaluation_adjudication settled
                   WHERE settled.item_id = spread.item_id AND settled.criterion_id = spread.criterion_id)) AS decided
        FROM spread GROUP BY spread.item_id HAVING max(spread.width) > 0
    ),
    queued AS MATERIALIZED (
        SELECT item.public_id, item.external_id, item.position, disputed.raters, disputed.width, disputed.variance,
               disputed.criteria, disputed.decided
        FROM disputed JOIN evaluation_item item ON item.id = disputed.item_id
        WHERE NOT %(open)s OR disputed.decided < disputed.criteria
    )
    SELECT page.*, total.number
    FROM (SELECT count(*) AS number FROM queued) total
    LEFT JOIN (SELECT * FROM queued ORDER BY width DESC, round(variance::numeric, 9) DESC, position
               OFFSET %(after)s LIMIT %(limit)s) page ON true
    ORDER BY page.width DESC, round(page.variance::numeric, 9) DESC, page.position"""  # noqa: S608

ITEM = f"""
    SELECT item.id, item.public_id, item.external_id, item.question, body.body, (
        SELECT jsonb_agg(jsonb_build_array(answer.levels, answer.comment) ORDER BY md5(answer.slot::text))
        FROM (
            SELECT slot.public_id AS slot, (
                SELECT jsonb_object_agg(given.criterion_id::text, given.index) FROM (
                    SELECT DISTINCT ON (rating.criterion_id) rating.criterion_id, level.index
                    FROM evaluation_rating rating JOIN evaluation_level level ON level.id = rating.level_id
                    WHERE rating.slot_id = slot.id ORDER BY rating.criterion_id, rating.revision DESC) given
                ) AS levels, (
                SELECT said.body FROM evaluation_comment said WHERE said.slot_id = slot.id
                ORDER BY said.id DESC LIMIT 1) AS comment
            FROM evaluation_slot slot
            WHERE slot.item_id = item.id AND slot.pass_number = 0 AND slot.state = 'rated' AND NOT {REMOVED}
        ) answer WHERE answer.levels IS NOT NULL)
    FROM evaluation_item item JOIN corpora_text body ON body.id = item.text_id
    WHERE item.study_id = %(study)s AND item.public_id = %(item)s AND item.kind = 'rated'"""  # noqa: S608

DECISIONS = """
    SELECT settled.criterion_id, level.index, settled.reason, settled.revision,
           coalesce(nullif(trim(person.first_name || ' ' || person.last_name), ''), person.username, ''),
           settled.created_at
    FROM evaluation_adjudication settled JOIN evaluation_level level ON level.id = settled.level_id
    LEFT JOIN accounts_user person ON person.id = settled.decided_by_id
    WHERE settled.item_id = %(item)s ORDER BY settled.criterion_id, settled.revision"""
