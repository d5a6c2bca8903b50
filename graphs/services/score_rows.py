"""Many scores into the database in one statement, several times as fast as through model instances' own insert."""

from collections.abc import Sequence
from typing import Any

from django.db import connection, models

from graphs.models import Score


def insert_scores(scores: Sequence[Score]) -> None:
    """Insert those whose text has no score under the same settings yet, in the order given.

    A column is sent as one array, so that the statement is the same for one score and for hundreds.
    """
    if not scores:
        return
    columns = [field for field in Score._meta.concrete_fields if not field.primary_key and not _comes_by_itself(field)]
    names = ", ".join(f'"{field.column}"' for field in columns)
    arrays = ", ".join(f"%s::{field.db_type(connection)}[]" for field in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {connection.ops.quote_name(Score._meta.db_table)} ({names}) "  # noqa: S608
            f"SELECT * FROM unnest({arrays}) ON CONFLICT DO NOTHING",
            [[_plain(field, score) for score in scores] for field in columns],
        )


def _comes_by_itself(field: "models.Field[Any, Any]") -> bool:
    return field.has_db_default()


def _plain(field: "models.Field[Any, Any]", score: Score) -> object:
    value = getattr(score, field.attname)
    return field.get_db_prep_value(value, connection) if isinstance(field, models.JSONField) else value
