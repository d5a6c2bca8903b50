"""Which texts are kept from whom, and the authors of what texts rest on."""

from dataclasses import dataclass
from typing import Any

from django.db import connection

from evaluation.models import Study

__all__ = ["ConflictRow", "Source", "conflict_rows", "study_sources"]


@dataclass(frozen=True)
class Source:
    """A document with authors that texts of a study are, or were generated from."""

    study_id: int
    document_id: int
    authors: str

    def items(self) -> list[int]:
        """The rated texts that rest on it."""
        return [
            pk
            for (pk,) in _rows(
                """
                SELECT item.id FROM evaluation_item item
                WHERE item.study_id = %(study)s AND item.kind = 'rated' AND item.document_id = %(document)s
                UNION
                SELECT item.id FROM corpora_retrieved retrieved
                JOIN generation_cell cell ON cell.retrieval_id = retrieved.retrieval_id
                JOIN generation_run run ON run.cell_id = cell.id
                JOIN generation_abstract abstract ON abstract.run_id = run.id
                JOIN evaluation_item item ON item.abstract_id = abstract.id
                WHERE retrieved.document_id = %(document)s AND item.study_id = %(study)s AND item.kind = 'rated'
                """,
                {"study": self.study_id, "document": self.document_id},
            )
        ]


@dataclass(frozen=True)
class ConflictRow:
    """A text kept from a reviewer; `state` is their slot's at it, where they had it before."""

    pk: int
    reviewer: str
    number: int
    external_id: str
    question: str
    reason: str
    state: str | None


def study_sources(*, study_id: int) -> list[Source]:
    """Each document with authors that a text of the study is, or that was retrieved for a generated one."""
    return [
        Source(study_id, document, authors)
        for document, authors in _rows(
            """
            WITH cells AS (
                SELECT DISTINCT run.cell_id FROM evaluation_item item
                JOIN generation_abstract abstract ON abstract.id = item.abstract_id
                JOIN generation_run run ON run.id = abstract.run_id
                WHERE item.study_id = %(study)s
            ),
            documents AS (
                SELECT item.document_id FROM evaluation_item item
                WHERE item.study_id = %(study)s AND item.document_id IS NOT NULL
                UNION
                SELECT retrieved.document_id FROM cells JOIN generation_cell cell ON cell.id = cells.cell_id
                JOIN corpora_retrieved retrieved ON retrieved.retrieval_id = cell.retrieval_id
            )
            SELECT document.id, document.authors FROM documents
            JOIN corpora_document document ON document.id = documents.document_id
            WHERE document.authors <> '' ORDER BY document.id
            """,
            {"study": study_id},
        )
    ]


def conflict_rows(*, study: Study, after: int = 0, limit: int = 50) -> list[ConflictRow]:
    """By key; `after` is the last key of the page before."""
    return [
        ConflictRow(*row)
        for row in _rows(
            """
            SELECT conflict.id,
                   COALESCE(NULLIF(trim(person.first_name || ' ' || person.last_name), ''), person.username),
                   coalesce(member.number, 0), item.external_id, item.question, conflict.reason,
                   (SELECT slot.state FROM evaluation_slot slot WHERE slot.item_id = item.id
                    AND slot.reviewer_id = conflict.user_id AND slot.pass_number = 0)
            FROM evaluation_conflict conflict JOIN evaluation_item item ON item.id = conflict.item_id
            JOIN accounts_user person ON person.id = conflict.user_id
            LEFT JOIN evaluation_membership member
              ON member.study_id = item.study_id AND member.user_id = conflict.user_id
            WHERE item.study_id = %(study)s AND conflict.id > %(after)s ORDER BY conflict.id LIMIT %(limit)s
            """,
            {"study": study.pk, "after": after, "limit": limit},
        )
    ]


def _rows(statement: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
