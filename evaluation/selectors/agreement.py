"""The ratings that the agreement figures rest on, counted by the database.

In force is the highest revision of each slot and criterion. Counted are rated slots of the first pass, on items that
are neither practice nor attention checks, by reviewers who were not removed; `left_out.py` counts the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from evaluation.models import Criterion

__all__ = [
    "IN_FORCE",
    "QUESTION",
    "QUESTION_JOINS",
    "REMOVED",
    "Pattern",
    "Rater",
    "Scale",
    "criterion_scales",
    "fetch",
    "rating_patterns",
    "study_raters",
]

REMOVED = """EXISTS (
    SELECT FROM evaluation_membership membership
    WHERE membership.study_id = item.study_id AND membership.user_id = slot.reviewer_id
      AND membership.removal IN ('exclude', 'reopen'))"""

# Items that answer one question are nested in it: a resample draws them together.
QUESTION = "COALESCE(cell.query, NULLIF(item.question, ''), 'item ' || item.id)"
QUESTION_JOINS = """
    LEFT JOIN generation_abstract abstract ON abstract.id = item.abstract_id
    LEFT JOIN generation_run run ON run.id = abstract.run_id
    LEFT JOIN generation_cell cell ON cell.id = run.cell_id"""

IN_FORCE = f"""in_force AS (
    SELECT DISTINCT ON (rating.slot_id, rating.criterion_id)
        rating.criterion_id, slot.item_id, slot.reviewer_id, level.index AS level_index
    FROM evaluation_item item
    JOIN evaluation_slot slot ON slot.item_id = item.id AND slot.pass_number = 0 AND slot.state = 'rated'
    JOIN evaluation_rating rating ON rating.slot_id = slot.id
    JOIN evaluation_level level ON level.id = rating.level_id
    WHERE item.study_id = %(study)s AND item.kind = 'rated' AND NOT {REMOVED}
    ORDER BY rating.slot_id, rating.criterion_id, rating.revision DESC)"""  # noqa: S608


@dataclass(frozen=True)
class Scale:
    """A criterion with its declared levels, lowest first."""

    pk: int
    key: str
    name: str
    definition: str
    levels: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Rater:
    """A reviewer under the label that pages show; numbered by first seat, so that labels stay as the study grows."""

    pk: int
    public_id: UUID
    label: str
    name: str
    removed: bool


@dataclass(frozen=True)
class Pattern:
    """How many items of one question show exactly these level indices by these reviewers."""

    raters: tuple[int, ...]
    levels: tuple[int, ...]
    question: str
    items: int


def criterion_scales(*, study_id: int) -> list[Scale]:
    """The criteria with levels; numbers and words have no agreement of this kind."""
    criteria = Criterion.objects.filter(study_id=study_id, kind=Criterion.Kind.LEVELS).prefetch_related("levels")
    return [
        Scale(
            pk=criterion.pk,
            key=criterion.key,
            name=criterion.name,
            definition=criterion.definition,
            levels=tuple(level.value for level in criterion.levels.all()),
            labels=tuple(level.label for level in criterion.levels.all()),
        )
        for criterion in criteria
    ]


def study_raters(*, study_id: int) -> list[Rater]:
    """Everybody who ever held a seat, in the order of their first one."""
    rows = fetch(
        f"""
        SELECT slot.reviewer_id, person.public_id,
               COALESCE(NULLIF(trim(person.first_name || ' ' || person.last_name), ''), person.username),
               bool_or({REMOVED})
        FROM evaluation_slot slot
        JOIN evaluation_item item ON item.id = slot.item_id
        JOIN accounts_user person ON person.id = slot.reviewer_id
        WHERE item.study_id = %(study)s
        GROUP BY slot.reviewer_id, person.id ORDER BY min(slot.id)
        """,  # noqa: S608
        study_id=study_id,
    )
    return [
        Rater(pk, public_id, f"R{number}", name, removed)
        for number, (pk, public_id, name, removed) in enumerate(rows, start=1)
    ]


def rating_patterns(*, study_id: int) -> dict[int, list[Pattern]]:
    """Distinct rows of ratings with the number of items that show them, by criterion: one GROUP BY for the study.

    Pair tables and all coefficients are functions of these counts.
    """
    rows = fetch(
        f"""
        WITH {IN_FORCE}, answers AS (
            SELECT criterion_id, item_id, array_agg(reviewer_id ORDER BY reviewer_id) AS raters,
                   array_agg(level_index ORDER BY reviewer_id) AS levels
            FROM in_force GROUP BY criterion_id, item_id)
        SELECT criterion_id, raters, levels, {QUESTION} AS cluster, count(*)
        FROM answers JOIN evaluation_item item ON item.id = answers.item_id {QUESTION_JOINS}
        GROUP BY criterion_id, raters, levels, cluster ORDER BY criterion_id, raters, levels, cluster
        """,  # noqa: S608
        study_id=study_id,
    )
    found: dict[int, list[Pattern]] = {}
    for criterion, raters, levels, question, items in rows:
        found.setdefault(criterion, []).append(Pattern(tuple(raters), tuple(levels), question, items))
    return found


def fetch(statement: str, *, study_id: int) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"study": study_id})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
