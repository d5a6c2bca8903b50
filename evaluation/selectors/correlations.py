"""What each item was rated and what was measured on its text: the two sides of the item-level correlations."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from evaluation.selectors.agreement import IN_FORCE, QUESTION, QUESTION_JOINS, fetch
from graphs.science.metric_registry import RADAR_AXES
from graphs.science.settings import GraphSettings

__all__ = ["MEASURES", "ItemFacts", "ItemRatings", "decoded", "item_facts", "item_ratings", "score_settings"]

AREAS = ("order_free_area_new", "order_free_area_difference", "area_new", "area_difference")
# Edge betweenness counts once, as its inverse: the two rank texts in opposite order.
MEASURES = (*RADAR_AXES, *AREAS)


@dataclass(frozen=True)
class ItemRatings:
    """The ratings in force of one item on one criterion, as level indices by reviewer."""

    item: int
    reviewers: tuple[int, ...]
    levels: tuple[int, ...]
    mean: float
    median: float

    @property
    def spread(self) -> int:
        return max(self.levels) - min(self.levels)


@dataclass(frozen=True)
class ItemFacts:
    """Where an item came from and what its text measures; None where undefined or not computed, `why` says which."""

    pk: int
    public_id: UUID
    external_id: str
    position: int
    question: str
    cell: int | None
    measures: dict[str, float | None]
    why: dict[str, str]


def item_ratings(*, study_id: int) -> dict[int, list[ItemRatings]]:
    """All rated items by criterion, each aggregated to one row by the database."""
    rows = fetch(
        f"""
        WITH {IN_FORCE}
        SELECT criterion_id, item_id, array_agg(reviewer_id ORDER BY reviewer_id),
               array_agg(level_index ORDER BY reviewer_id), avg(level_index)::float8,
               percentile_cont(0.5) WITHIN GROUP (ORDER BY level_index)
        FROM in_force GROUP BY criterion_id, item_id ORDER BY criterion_id, item_id
        """,  # noqa: S608
        study_id=study_id,
    )
    found: dict[int, list[ItemRatings]] = {}
    for criterion, item, reviewers, levels, mean, median in rows:
        found.setdefault(criterion, []).append(ItemRatings(item, tuple(reviewers), tuple(levels), mean, median))
    return found


def score_settings(*, study_id: int) -> tuple[int, str] | None:
    """The key and hash of the score settings that cover most of the study's items; the defaults win a tie."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT settings.id, settings.sha256
            FROM evaluation_item item
            JOIN graphs_score score ON score.text_id = item.text_id
            JOIN graphs_scoresettings settings ON settings.id = score.settings_id
            WHERE item.study_id = %s GROUP BY settings.id
            ORDER BY count(*) DESC, settings.sha256 = %s DESC, settings.id LIMIT 1
            """,
            [study_id, GraphSettings().digest],
        )
        row: tuple[int, str] | None = cursor.fetchone()
    return row


def item_facts(*, study_id: int, settings_id: int | None) -> list[ItemFacts]:
    """Every item that is rated, in the order of the study, with the measures under these settings."""
    columns = ", ".join([*(f"score.{name}" for name in RADAR_AXES), *(f"profile.{name}" for name in AREAS)])
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT item.id, item.public_id, item.external_id, item.position, {QUESTION}, cell.id,
                   score.undefined, profile.undefined, {columns}
            FROM evaluation_item item {QUESTION_JOINS}
            LEFT JOIN graphs_score score ON score.text_id = item.text_id AND score.settings_id = %(settings)s
            LEFT JOIN graphs_profile profile ON profile.abstract_id = abstract.id
                AND profile.settings_id = %(settings)s AND profile.retrieval_id = cell.retrieval_id
            WHERE item.study_id = %(study)s AND item.kind = 'rated' ORDER BY item.position
            """,  # noqa: S608  (names of columns, from the constants above)
            {"study": study_id, "settings": settings_id},
        )
        rows = cursor.fetchall()
    return [_facts(row) for row in rows]


def _facts(row: tuple[Any, ...]) -> ItemFacts:
    pk, public_id, external_id, position, question, cell, undefined_score, undefined_profile, *values = row
    measures = dict(zip(MEASURES, values, strict=True))
    why = {}
    for name, value in measures.items():
        if value is None:
            stored = undefined_score if name in RADAR_AXES else undefined_profile
            why[name] = "not computed" if stored is None else decoded(stored).get(name, "undefined")
    return ItemFacts(pk, public_id, external_id, position, question, cell, measures, why)


def decoded(stored: str | dict[str, str] | None) -> dict[str, str]:
    """The reasons in a JSON column; raw cursors hand them over as text."""
    found: dict[str, str] = json.loads(stored) if isinstance(stored, str) else stored or {}
    return found
