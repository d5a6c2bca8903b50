"""Odd values, and visitors who send them to every address."""

from collections.abc import Collection, Iterator
from typing import Any

from django.db import transaction
from django.test import Client

from tests.house.site import Site, routes

__all__ = ["ODD", "Visitor", "shown", "visits"]

ODD = [
    "",
    "-1",
    "0",
    "9" * 40,
    str(2**63),
    str(-(2**63) - 1),
    "1e400",
    "nan",
    "null\0byte",
    "\x1b[31m\x7f",
    "٣²½",
    "\u202e\u2066abc\u2069 \U0001f9ea\U000e0041",
    "'; DROP TABLE x; --",
    "{{ 7|add:7 }}<script>alert(1)</script>",
    "../../etc/passwd",
    "2026-02-30T25:61",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "x" * 70_000,
]


class Visitor:
    """Sends a request, undoes what it did, and keeps the errors in mind."""

    def __init__(self, user: Any) -> None:
        self.client = Client()
        self.user = user
        self.errors: list[str] = []
        self.answers = 0

    def send(self, what: str, method: str, address: str, *arguments: Any, **options: Any) -> None:
        if self.client.session.get("_auth_user_id") != str(self.user.pk):  # an address signed us out, or in anew
            self.client.force_login(self.user)
        point = transaction.savepoint()
        try:
            response = getattr(self.client, method)(address, *arguments, **options)
            if response.status_code >= 500:
                self.errors.append(f"{method} {address} {what}: {response.status_code}")
        except Exception as error:  # what a server answers with a 500
            self.errors.append(f"{method} {address} {what}: {error!r}")
        transaction.set_rollback(False)
        transaction.savepoint_rollback(point)
        self.answers += 1


def visits(site: Site, *, only: Collection[str] = ()) -> Iterator[tuple[Visitor, str]]:
    """Each address for a researcher, all but the studio's for a reviewer; in the end nothing may have gone wrong."""
    names = sorted({name for name, _ in routes() if not name.startswith("admin:") and name != "account_logout"})
    names = [name for name in names if not only or name in only]
    people = [Visitor(site.researcher), Visitor(site.reviewer)]
    for visitor in people:
        for name in names:
            if visitor.user == site.researcher or not name.startswith("studio:"):
                yield visitor, name
    assert [error for visitor in people for error in visitor.errors] == []
    assert people[0].answers > 50


def shown(odd: str) -> str:
    return repr(odd[:30])
