"""What the broker lost or a dead worker left behind is sent again.

Each app's `tasks.py` registers how its rows are sent (`register`) and, where rows must first be made, how
(`register_finder`). The sweep runs every `SWEEP_SECONDS` from Celery's beat.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from leases.models import Leased

logger = logging.getLogger(__name__)

Send = Callable[[list[int]], None]
_senders: list[tuple[type[Leased], Callable[[], QuerySet[Any]], Send]] = []
_finders: list[Callable[[], None]] = []
BATCH = 1000


def register(*, model: type[Leased], send: Send, rows: Callable[[], QuerySet[Any]] | None = None) -> None:
    """Let the sweeper send rows of `model` again; `rows` narrows them (a paused batch sends nothing)."""
    _senders.append((model, rows or model._default_manager.all, send))


def register_finder(find: Callable[[], None]) -> None:
    """Let the sweeper call `find`, which looks for work that nobody has queued yet."""
    _finders.append(find)


def mark_sent(*, model: type[Leased], pks: list[int]) -> None:
    model._default_manager.filter(pk__in=pks).update(sent_at=Now())


def sweep() -> dict[str, int]:
    """Send again what is queued but not lately sent, and what runs under an expired lease; counts by model."""
    for find in _finders:
        try:
            find()
        except Exception:
            # One app's trouble must not keep the others' lost rows from being sent.
            logger.exception("could not look for new work")
    quiet = Now() - timedelta(seconds=2 * settings.SWEEP_SECONDS)
    counts = {}
    for model, rows, send in _senders:
        lost = rows().claimable().filter(Q(sent_at__isnull=True) | Q(sent_at__lt=quiet))  # type: ignore[attr-defined]
        pks = list(lost.order_by("queued_at").values_list("pk", flat=True)[:BATCH])
        if pks:
            mark_sent(model=model, pks=pks)
            send(pks)
            logger.info("sent %d rows of %s again", len(pks), model.__name__)
        counts[model.__name__] = len(pks)
    return counts
