"""Sign-in as allauth does it; whose session a request belongs to is looked up in the shortest way."""

from functools import cache

from allauth.account.auth_backends import AuthenticationBackend as AllauthBackend
from django.db import connection

from accounts.models import User


@cache
def _lookup() -> tuple[str, list[str]]:
    fields = User._meta.concrete_fields
    columns = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    table = connection.ops.quote_name(User._meta.db_table)
    return f"SELECT {columns} FROM {table} WHERE id = %s", [field.attname for field in fields]  # noqa: S608


class AuthenticationBackend(AllauthBackend):
    def get_user(self, user_id: int) -> User | None:
        """The account behind a session. Every request asks, and would build the same query anew each time."""
        statement, names = _lookup()
        with connection.cursor() as cursor:
            cursor.execute(statement, [user_id])
            row = cursor.fetchone()
        if row is None:
            return None
        user = User.from_db(connection.alias, names, row)
        return user if self.user_can_authenticate(user) else None
