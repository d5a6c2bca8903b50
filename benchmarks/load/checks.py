"""What the database holds against what the reviewers were told, and how many statements the server has seen."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from django.db import connection

from benchmarks.load.client import Sent
from kappagraph.demo.postgres import SUPERUSER, Postgres

__all__ = ["Statements", "counting_statements", "differences", "seats_too_many", "statements_in"]

CONTROL = re.compile(r"(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET TRANSACTION)\b")
STATEMENT = re.compile(r"LOG:  (?:statement|execute [^:]*): (.*)")


def differences(sent: Iterable[Sent]) -> dict[str, int]:
    """Ratings lost, doubled, changed on their way, or stored although their sender was told that they were not."""
    attempts = list(sent)
    told = {one.key: one for one in attempts if one.acknowledged}
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT submission.key::text, slot.public_id::text,
                   coalesce(jsonb_object_agg(criterion.key, level.index) FILTER (WHERE level.id IS NOT NULL), '{}'),
                   coalesce(max(rating.revision), 0)
            FROM evaluation_submission submission
            JOIN evaluation_slot slot ON slot.id = submission.slot_id
            LEFT JOIN evaluation_rating rating ON rating.submission_id = submission.key
            LEFT JOIN evaluation_level level ON level.id = rating.level_id
            LEFT JOIN evaluation_criterion criterion ON criterion.id = rating.criterion_id
            WHERE submission.key = ANY(%s::uuid[]) GROUP BY submission.key, slot.id
            """,
            [[one.key for one in attempts]],
        )
        stored = {
            key: (slot, json.loads(levels) if isinstance(levels, str) else levels, revision)
            for key, slot, levels, revision in cursor.fetchall()
        }
        cursor.execute(
            "SELECT count(*) FROM (SELECT 1 FROM evaluation_slot WHERE state = 'rated'"
            " GROUP BY item_id, reviewer_id, pass_number HAVING count(*) > 1) AS twice"
        )
        twice = cursor.fetchone()[0]
    slots = Counter(slot for slot, _, _ in stored.values())
    return {
        "sent": len(attempts),
        "acknowledged": len(told),
        "stored": len(stored),
        "lost": len(told.keys() - stored.keys()),
        "stored but not acknowledged": len(stored.keys() - told.keys()),
        "changed": sum(stored[key][:2] != (one.slot, one.levels) for key, one in told.items() if key in stored),
        "doubled": twice
        + sum(number - 1 for number in slots.values())
        + sum(revision > 1 for _, _, revision in stored.values()),
        "answers 5xx": sum(one.status >= 500 for one in attempts),
        "other refusals": sum(300 <= one.status < 500 for one in attempts),
    }


def seats_too_many() -> int:
    """Seats given beyond the raters that a study asks for, over all texts of all studies."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT coalesce(sum(greatest(seats.taken - study.raters_per_item, 0)), 0)
            FROM (SELECT item_id, count(*) AS taken FROM evaluation_slot
                  WHERE pass_number = 0 AND state IN ('claimed', 'rated') GROUP BY item_id) AS seats
            JOIN evaluation_item item ON item.id = seats.item_id
            JOIN evaluation_study study ON study.id = item.study_id
            """
        )
        return int(cursor.fetchone()[0])


@dataclass
class Statements:
    """The statements that the database server itself logged, by what they begin with."""

    seen: list[str] = field(default_factory=list)

    @property
    def counted(self) -> list[str]:
        return [words for words in self.seen if not CONTROL.match(words)]

    @property
    def control(self) -> int:
        return len(self.seen) - len(self.counted)


def statements_in(log: str) -> Statements:
    """The statements of a piece of the server's log, where they may begin on the line after."""
    lines = log.splitlines()
    found = Statements()
    for number, line in enumerate(lines):
        if match := STATEMENT.search(line):
            first = match[1].strip() or next((more.strip() for more in lines[number + 1 :] if more.strip()), "")
            if not first.startswith(("ALTER SYSTEM", "SELECT pg_reload_conf")):
                found.seen.append(first)
    return found


@contextmanager
def counting_statements(server: Postgres, log: Path) -> Iterator[Statements]:
    """Let the server log every statement of every session for a while, and read its log in the end."""
    found = Statements()
    place = {"host": str(server.sockets), "dbname": "postgres", "user": SUPERUSER}
    with psycopg.connect(**place, password=server.superuser_password, autocommit=True) as session:
        session.execute("ALTER SYSTEM SET log_statement = 'all'")
        session.execute("SELECT pg_reload_conf(), pg_sleep(0.2)")
        begin = log.stat().st_size
        try:
            yield found
        finally:
            session.execute("ALTER SYSTEM RESET log_statement")
            end = log.stat().st_size
            session.execute("SELECT pg_reload_conf(), pg_sleep(0.2)")
    with log.open("rb") as stream:
        stream.seek(begin)
        found.seen += statements_in(stream.read(end - begin).decode(errors="replace")).seen
