"""Cursors for statements that run with every rating: PostgreSQL plans them once a connection, not once a rating."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg import RawCursor

__all__ = ["prepared_cursor"]

_PLACE = re.compile(r"%(?:\((\w+)\))?s|%%")


class _KeptCursor(RawCursor[Any]):
    """Reads a statement's placeholders once a process: the longest are too long for psycopg to remember them."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> "_KeptCursor":
        numbered, order = _numbered(query)
        return super().execute(numbered, _in_order(order, params), **options)


def prepared_cursor() -> CursorWrapper:
    """A cursor whose parameters travel beside the statement, so that the server can keep the statement and its plan.

    Django's own cursors write parameters into the text, which is new to the server each time. A statement must leave no
    doubt about the type of a parameter: write `%(comment)s::text` where only `IS NULL` would tell.
    """
    if connection.queries_logged:
        return connection.cursor()  # shows the values in the log
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    cursor: Any = _KeptCursor(connection.connection)
    return connection.make_cursor(cursor)


@lru_cache(maxsize=256)
def _numbered(statement: str) -> tuple[str, tuple[str | int, ...]]:
    """The statement with `$1`, `$2`, … for `%(name)s` and `%s`, and whose value each number stands for."""
    order: list[str | int] = []

    def number(place: re.Match[str]) -> str:
        if place[0] == "%%":
            return "%"
        if place[1] is None:
            order.append(len(order))
        elif place[1] not in order:
            order.append(place[1])
        return f"${len(order) if place[1] is None else order.index(place[1]) + 1}"

    return _PLACE.sub(number, statement), tuple(order)


def _in_order(order: tuple[str | int, ...], values: Mapping[str, Any] | Sequence[Any] | None) -> list[Any]:
    return [values[place] for place in order] if values else []  # type: ignore[index]
