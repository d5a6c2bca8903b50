"""Rows of the export files, streamed from server-side cursors in an order that the data alone decides."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

from evaluation.selectors.agreement import REMOVED
from graphs.science.metric_registry import METRIC_KEYS

__all__ = [
    "AREA_COLUMNS",
    "adjudication_rows",
    "confidence_rows",
    "guess_rows",
    "highlight_rows",
    "item_rows",
    "missing_rows",
    "open_answer_rows",
    "rating_rows",
    "snapshot",
]

CHUNK = 500
AREA_COLUMNS = (
    "area_new",
    "area_reference",
    "area_difference",
    "order_free_area_new",
    "order_free_area_reference",
    "order_free_area_difference",
)


@contextmanager
def snapshot() -> Iterator[None]:
    """All reads inside see the database at one moment. Inside a transaction of the caller's, that one decides."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def rating_rows(*, study_id: int) -> Iterator[dict[str, Any]]:
    """Every revision of every rating; `counted` where the agreement figures rest on it."""
    return _stream(RATINGS, {"study": study_id})


def item_rows(*, study_id: int, settings_id: int | None) -> Iterator[dict[str, Any]]:
    """Every item with its text, where it came from and what was measured on it."""
    return _stream(ITEMS, {"study": study_id, "settings": settings_id})


def missing_rows(*, study_id: int) -> Iterator[dict[str, Any]]:
    """Every slot and criterion without a rating, and every seat that was never given to anybody."""
    return _stream(MISSING, {"study": study_id})


def open_answer_rows(*, study_id: int) -> Iterator[dict[str, Any]]:
    """Every revision of every number and of every answer in words."""
    return _stream(OPEN_ANSWERS, {"study": study_id})


def confidence_rows(*, study_id: int) -> Iterator[dict[str, Any]]:
    """Every revision of how sure reviewers were."""
    return _stream(CONFIDENCES, {"study": study_id})


def highlight_rows(*, study_id: int) -> Iterator[dict[str, Any]]:
    """Every stretch of text that was marked, in every revision; a revision that took all marks back has none."""
    return _stream(HIGHLIGHTS, {"study": study_id})


def adjudication_rows(*, study_id: int) -> Iterator[dict[str, Any]]:
    """Every revision of what was settled on items that raters disagreed about."""
    return _stream(ADJUDICATIONS, {"study": study_id})


def guess_rows(*, study_id: int) -> Iterator[dict[str, Any]]:
    """What each reviewer thought in the end of where a text came from, and where it did."""
    return _stream(GUESSES, {"study": study_id})


def _stream(statement: str, parameters: dict[str, Any]) -> Iterator[dict[str, Any]]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement, parameters)
        names: list[str] | None = None
        while rows := cursor.fetchmany(CHUNK):
            names = names or [column[0] for column in cursor.description]
            for row in rows:
                yield dict(zip(names, row, strict=True))


RATINGS = f"""
    SELECT item.external_id AS item, item.kind AS item_kind, criterion.key AS criterion,
           level.value AS level, level.index AS level_index, person.public_id AS person, rating.revision,
           slot.pass_number, slot.state AS slot_state, rating.created_at,
           slot.seconds_active, slot.position, rating.in_force,
           rating.in_force AND slot.state = 'rated' AND slot.pass_number = 0 AND item.kind = 'rated'
               AND NOT {REMOVED} AS counted,
           comment.body AS comment
    FROM evaluation_item item
    JOIN evaluation_slot slot ON slot.item_id = item.id
    JOIN accounts_user person ON person.id = slot.reviewer_id
    JOIN LATERAL (
        SELECT given.*, given.revision = max(given.revision) OVER (PARTITION BY given.criterion_id) AS in_force
        FROM evaluation_rating given WHERE given.slot_id = slot.id
    ) rating ON true
    JOIN evaluation_criterion criterion ON criterion.id = rating.criterion_id
    JOIN evaluation_level level ON level.id = rating.level_id
    LEFT JOIN LATERAL (
        SELECT said.body FROM evaluation_comment said WHERE said.slot_id = slot.id ORDER BY said.id DESC LIMIT 1
    ) comment ON true
    WHERE item.study_id = %(study)s
    ORDER BY item.position, slot.pass_number, slot.id, criterion.position, rating.revision"""  # noqa: S608

ITEMS = f"""
    SELECT item.external_id AS item, item.public_id AS item_id, item.position, item.kind, item.question,
           text.body AS text, text.sha256 AS text_sha256,
           CASE WHEN item.abstract_id IS NOT NULL THEN 'generated'
                WHEN item.document_id IS NOT NULL THEN 'document' ELSE 'uploaded' END AS source,
           document.doi AS document_doi, batch.public_id AS batch_id, batch.name AS batch,
           llm.key AS llm, llm.revision AS llm_revision, prompt.key AS prompt, prompt.version AS prompt_version,
           prompt.system AS prompt_system, prompt.template AS prompt_template,
           embedding.key AS embedding, embedding.revision AS embedding_revision, cell.temperature, run.seed,
           run.iteration, cell.query, retrieved.dois AS retrieved_dois,
           score.tokens, score.nodes, score.edges, score.components,
           {", ".join(f"score.{name}" for name in METRIC_KEYS)},
           {", ".join(f"profile.{name}" for name in AREA_COLUMNS)},
           profile.references, score.undefined AS undefined_metrics, profile.undefined AS undefined_areas
    FROM evaluation_item item
    JOIN corpora_text text ON text.id = item.text_id
    LEFT JOIN corpora_document document ON document.id = item.document_id
    LEFT JOIN generation_abstract abstract ON abstract.id = item.abstract_id
    LEFT JOIN generation_run run ON run.id = abstract.run_id
    LEFT JOIN generation_cell cell ON cell.id = run.cell_id
    LEFT JOIN generation_batch batch ON batch.id = cell.batch_id
    LEFT JOIN generation_languagemodel llm ON llm.id = cell.language_model_id
    LEFT JOIN generation_prompt prompt ON prompt.id = cell.prompt_id
    LEFT JOIN corpora_embeddingmodel embedding ON embedding.id = cell.embedding_model_id
    LEFT JOIN LATERAL (
        SELECT string_agg(near.doi, ' ' ORDER BY hit.rank) FILTER (WHERE near.doi <> '') AS dois
        FROM corpora_retrieved hit JOIN corpora_document near ON near.id = hit.document_id
        WHERE hit.retrieval_id = cell.retrieval_id
    ) retrieved ON true
    LEFT JOIN graphs_score score ON score.text_id = item.text_id AND score.settings_id = %(settings)s
    LEFT JOIN graphs_profile profile ON profile.abstract_id = abstract.id
        AND profile.settings_id = %(settings)s AND profile.retrieval_id = cell.retrieval_id
    WHERE item.study_id = %(study)s ORDER BY item.position"""  # noqa: S608

MISSING = """
    SELECT * FROM (
        SELECT item.external_id AS item, item.kind AS item_kind, item.position AS item_position,
               criterion.key AS criterion, criterion.position AS criterion_position, slot.id AS slot,
               slot.pass_number, person.public_id AS person, slot.state AS slot_state,
               CASE slot.state WHEN 'claimed' THEN 'not_reached' WHEN 'rated' THEN 'unanswered'
                    WHEN 'surplus' THEN 'unanswered' ELSE slot.state END AS reason,
               slot.skip_reason AS detail
        FROM evaluation_item item
        JOIN evaluation_slot slot ON slot.item_id = item.id
        JOIN accounts_user person ON person.id = slot.reviewer_id
        JOIN evaluation_criterion criterion ON criterion.study_id = item.study_id
        WHERE item.study_id = %(study)s AND NOT EXISTS (
            SELECT FROM evaluation_rating rating
            WHERE rating.slot_id = slot.id AND rating.criterion_id = criterion.id)
          AND (criterion.kind = 'levels' OR (criterion.is_required AND NOT EXISTS (
            SELECT FROM evaluation_openanswer given
            WHERE given.slot_id = slot.id AND given.criterion_id = criterion.id
              AND (given.number IS NOT NULL OR given.words <> '')
              AND given.revision = (SELECT max(last.revision) FROM evaluation_openanswer last
                                    WHERE last.slot_id = slot.id AND last.criterion_id = criterion.id))))
        UNION ALL
        SELECT item.external_id, item.kind, item.position, criterion.key, criterion.position, NULL,
               0, NULL, '', 'not_assigned', ''
        FROM evaluation_study study
        JOIN evaluation_item item ON item.study_id = study.id AND item.kind = 'rated'
        JOIN evaluation_criterion criterion ON criterion.study_id = study.id
          AND (criterion.kind = 'levels' OR criterion.is_required)
        CROSS JOIN LATERAL (
            SELECT count(*) AS slots FROM evaluation_slot slot WHERE slot.item_id = item.id AND slot.pass_number = 0
        ) given
        CROSS JOIN LATERAL generate_series(1, study.raters_per_item - given.slots)
        WHERE study.id = %(study)s
    ) rows ORDER BY item_position, pass_number, slot NULLS LAST, criterion_position"""

_GIVEN_AT = """
    SELECT item.external_id AS item, item.kind AS item_kind, person.public_id AS person, slot.pass_number,
           slot.state AS slot_state, made.revision, made.created_at,
           made.revision = (SELECT max(last.revision) FROM {table} last WHERE {same}) AS in_force, {columns}
    FROM evaluation_item item
    JOIN evaluation_slot slot ON slot.item_id = item.id
    JOIN accounts_user person ON person.id = slot.reviewer_id
    JOIN {table} made ON made.slot_id = slot.id
    {joins}
    WHERE item.study_id = %(study)s
    ORDER BY item.position, slot.pass_number, slot.id, {order}made.revision"""
_SAME_CRITERION = "last.slot_id = made.slot_id AND last.criterion_id = made.criterion_id"
_CRITERION = "JOIN evaluation_criterion criterion ON criterion.id = made.criterion_id"

OPEN_ANSWERS = _GIVEN_AT.format(
    table="evaluation_openanswer",
    same=_SAME_CRITERION,
    columns="criterion.key AS criterion, made.number, made.words",
    joins=_CRITERION,
    order="criterion.position, ",
)
CONFIDENCES = _GIVEN_AT.format(
    table="evaluation_confidence", same="last.slot_id = made.slot_id", columns="made.value", joins="", order=""
)
HIGHLIGHTS = (
    _GIVEN_AT.format(
        table="evaluation_highlight",
        same=_SAME_CRITERION,
        columns="criterion.key AS criterion, (span.ends ->> 0)::int AS start, (span.ends ->> 1)::int AS end, text.body",
        joins=f"""{_CRITERION}
    JOIN corpora_text text ON text.id = item.text_id
    LEFT JOIN LATERAL jsonb_array_elements(made.spans) WITH ORDINALITY AS span (ends, place) ON true""",
        order="criterion.position, ",
    )
    + ", span.place"
)

ADJUDICATIONS = """
    SELECT item.external_id AS item, criterion.key AS criterion, level.value AS level, level.index AS level_index,
           settled.revision, settled.created_at, settled.reason, person.public_id AS person,
           settled.revision = max(settled.revision) OVER (PARTITION BY settled.item_id, settled.criterion_id)
               AS in_force
    FROM evaluation_item item
    JOIN evaluation_adjudication settled ON settled.item_id = item.id
    JOIN evaluation_criterion criterion ON criterion.id = settled.criterion_id
    JOIN evaluation_level level ON level.id = settled.level_id
    LEFT JOIN accounts_user person ON person.id = settled.decided_by_id
    WHERE item.study_id = %(study)s ORDER BY item.position, criterion.position, settled.revision"""

GUESSES = f"""
    SELECT item.external_id AS item, person.public_id AS person, guess.guess, guess.created_at,
           CASE WHEN item.document_id IS NOT NULL THEN 'person' WHEN item.abstract_id IS NOT NULL THEN 'machine'
                ELSE '' END AS truth,
           (item.document_id IS NOT NULL OR item.abstract_id IS NOT NULL) AND item.kind = 'rated'
               AND NOT {REMOVED.replace("slot.reviewer_id", "guess.reviewer_id")} AS counted
    FROM evaluation_item item
    JOIN evaluation_authorshipguess guess ON guess.item_id = item.id
    JOIN accounts_user person ON person.id = guess.reviewer_id
    WHERE item.study_id = %(study)s ORDER BY item.position, person.public_id"""  # noqa: S608
