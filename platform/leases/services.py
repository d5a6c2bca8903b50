"""Claim, renew, finish and give up leases: the one mechanism behind every queued job.

Every write names the fencing token it was claimed under. `claim` gives the token; when any later call finds another
token in the row it raises `LeaseLost`, and the caller drops what it was about to write.
"""

import logging
import os
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connection, models
from django.db.models import F
from django.db.models.functions import Now

from leases.models import Leased, State

logger = logging.getLogger(__name__)


class LeaseLost(Exception):
    """The row was cancelled, or its lease ran out and somebody else took it over."""


@dataclass(frozen=True)
class Lease:
    """A claimed row: `token` must still stand in the row when a result is written."""

    model: type[Leased]
    pk: int
    token: int

    def rows(self) -> models.QuerySet[Leased]:
        """The row while this lease holds; filter and update through it."""
        return self.model._default_manager.filter(pk=self.pk, lease_token=self.token, state=State.RUNNING)


def owner_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}:{threading.get_ident()}"


def lease_length() -> timedelta:
    return timedelta(seconds=settings.LEASE_SECONDS)


def claim(*, model: type[Leased], pk: int) -> Lease | None:
    """Take the lease of one row, or None when it is done, cancelled, or held by a worker that is alive."""
    leases = claim_many(model=model, pks=[pk])
    return leases[0] if leases else None


def claim_many(*, model: type[Leased], pks: Sequence[int]) -> list[Lease]:
    """Take the leases of those rows among `pks` that are free, in the order of their keys.

    Rows locked by a concurrent claim are skipped, not waited for. A row that has used up its attempts becomes failed,
    so that a job which kills its worker each time does not go round for ever.
    """
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            UPDATE {table} AS row SET
                state = CASE WHEN row.attempts >= %(most)s THEN 'failed' ELSE 'running' END,
                error = CASE WHEN row.attempts >= %(most)s AND row.error = ''
                             THEN 'gave up: its worker died at every attempt' ELSE row.error END,
                finished_at = CASE WHEN row.attempts >= %(most)s THEN now() END,
                lease_token = row.lease_token + 1,
                lease_owner = %(owner)s,
                lease_expires_at = clock_timestamp() + %(length)s,
                heartbeat_at = clock_timestamp(),
                started_at = clock_timestamp(),
                attempts = LEAST(row.attempts + 1, %(most)s)
            FROM (
                SELECT id FROM {table}
                WHERE id = ANY(%(pks)s)
                  AND (state = 'queued' OR (state = 'running' AND lease_expires_at < clock_timestamp()))
                ORDER BY id FOR UPDATE SKIP LOCKED
            ) AS free
            WHERE row.id = free.id
            RETURNING row.id, row.lease_token, row.state
            """,  # noqa: S608  (the table's name comes from the model)
            {
                "pks": list(pks),
                "most": model.MAX_ATTEMPTS,
                "owner": owner_name(),
                "length": lease_length(),  # type: ignore[dict-item]  # psycopg adapts intervals
            },
        )
        claimed = sorted(cursor.fetchall())
    return [Lease(model, pk, token) for pk, token, state in claimed if state == State.RUNNING]


def renew(*, lease: Lease) -> None:
    """Push the expiry out; raises LeaseLost when the row is no longer ours."""
    if not lease.rows().update(lease_expires_at=Now() + lease_length(), heartbeat_at=Now()):
        raise LeaseLost(f"{lease.model.__name__} {lease.pk}")


def assert_held(*, lease: Lease) -> None:
    """Inside a transaction: lock the row and make sure the lease still holds, so that what follows is fenced."""
    if not lease.rows().select_for_update().exists():
        raise LeaseLost(f"{lease.model.__name__} {lease.pk}")


def finish(*, lease: Lease, **fields: Any) -> None:
    """Mark the row done; call it in the transaction that writes the result, so that both stand or neither."""
    _close(lease, State.DONE, error="", **fields)


def fail(*, lease: Lease, error: str) -> None:
    """Give the row up for good; a person can `retry` it."""
    _close(lease, State.FAILED, error=error)


def release(*, lease: Lease, error: str = "") -> None:
    """Give the row back to the queue, to be tried again."""
    updated = lease.rows().update(
        state=State.QUEUED,
        lease_expires_at=None,
        lease_owner="",
        lease_token=F("lease_token") + 1,
        error=error,
        sent_at=None,
    )
    if not updated:
        raise LeaseLost(f"{lease.model.__name__} {lease.pk}")


def cancel(*, rows: models.QuerySet[Any]) -> int:
    """Cancel what is waiting or running; a running worker loses its lease at its next write."""
    return rows.filter(state__in=[State.QUEUED, State.RUNNING]).update(
        state=State.CANCELLED, lease_token=F("lease_token") + 1, lease_expires_at=None, finished_at=Now()
    )


def retry(*, rows: models.QuerySet[Any]) -> int:
    """Put failed and cancelled rows back into the queue with fresh attempts."""
    return rows.filter(state__in=[State.FAILED, State.CANCELLED]).update(
        state=State.QUEUED, attempts=0, error="", finished_at=None, queued_at=Now(), sent_at=None
    )


def _close(lease: Lease, state: State, **fields: Any) -> None:
    updated = lease.rows().update(state=state, lease_expires_at=None, finished_at=Now(), **fields)
    if not updated:
        raise LeaseLost(f"{lease.model.__name__} {lease.pk}")


@contextmanager
def heartbeat(*leases: Lease) -> Iterator[None]:
    """Keep leases alive from a thread of its own while a long computation runs.

    A lease that is lost in the meantime is simply no longer renewed: the write at the end notices.
    """
    stop = threading.Event()

    def beat() -> None:
        try:
            while not stop.wait(lease_length().total_seconds() / 3):
                close_old_connections()
                for lease in leases:
                    lease.rows().update(lease_expires_at=Now() + lease_length(), heartbeat_at=Now())
        except Exception:
            logger.exception("could not renew %d leases; they will run out", len(leases))
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name="lease-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
