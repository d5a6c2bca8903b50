"""Cursors for statements that run with every rating: PostgreSQL plans them once a connection, not once a rating."""

from typing import Any

from django.db import connection
from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper

__all__ = ["prepared_cursor"]


def prepared_cursor() -> CursorWrapper:
    """A cursor whose parameters travel beside the statement, so that the server can keep the statement and its plan.

    Django's own cursors write parameters into the text, which is new to the server each time. A statement must leave no
    doubt about the type of a parameter: write `%(comment)s::text` where only `IS NULL` would tell.
    """
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    server_side: Any = base.ServerBindingCursor
    cursor = server_side(connection.connection)
    return connection.make_debug_cursor(cursor) if connection.queries_logged else connection.make_cursor(cursor)
