"""Generation on the queue: one message a cell, a group of runs each; `start_…` change a batch and send."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from generation import services
from generation.models import Batch, Run
from leases import sweeper
from leases.models import State

# A few workers may share a cell; each goes on with it for as long as runs are free.
MESSAGES_A_CELL = 4
# While texts are being written a waiting run is most likely in line behind them, not lost.
PATIENCE = timedelta(minutes=10)


@shared_task(name="generation.generate")
def generate(cell_id: int) -> None:
    if services.generate_group(cell_id=cell_id):
        generate.delay(cell_id)


def start_batch(*, batch: Batch) -> bool:
    return _sent(services.launch_batch(batch=batch), batch)


def start_resumed_batch(*, batch: Batch) -> bool:
    return _sent(services.resume_batch(batch=batch), batch)


def start_retries(*, batch: Batch) -> int:
    number = services.retry_failures(batch=batch)
    _sent(bool(number), batch)
    return number


def _sent(is_changed: bool, batch: Batch) -> bool:
    if is_changed:
        # Robust: where the broker is down the runs stay queued, and the sweeper sends them once it is back.
        transaction.on_commit(partial(_send_batch, batch.pk), robust=True)
    return is_changed


def _send_batch(batch_id: int) -> None:
    waiting = Run.objects.of_launched_batches().filter(cell__batch=batch_id, state=State.QUEUED)
    _send_cells(waiting.order_by().values_list("cell", flat=True).distinct(), messages=MESSAGES_A_CELL)


def _send_runs(pks: list[int]) -> None:
    _send_cells(Run.objects.filter(pk__in=pks).order_by().values_list("cell", flat=True).distinct(), messages=1)


def _send_cells(cells: Iterable[int], *, messages: int) -> None:
    """Cells of one model follow each other, so that a worker seldom changes its model."""
    ids = list(cells)
    Run.objects.filter(cell__in=ids, state=State.QUEUED).update(sent_at=Now())
    in_order = Run.objects.filter(cell__in=ids).order_by("cell__language_model", "cell")
    ordered: Sequence[int] = list(in_order.values_list("cell", flat=True).distinct())
    for _ in range(messages):
        for cell_id in ordered:
            generate.delay(cell_id)


def _lost_runs() -> QuerySet[Any]:
    rows = Run.objects.of_launched_batches()
    if Run.objects.filter(state=State.RUNNING, lease_expires_at__gte=Now()).exists():
        rows = rows.filter(Q(state=State.RUNNING) | Q(sent_at__isnull=True) | Q(sent_at__lt=Now() - PATIENCE))
    return rows


@worker_ready.connect
def _report_backends(sender: Any, **_: Any) -> None:
    if "gpu" in sender.app.amqp.queues.consume_from:
        services.report_backends()


sweeper.register(model=Run, send=_send_runs, rows=_lost_runs)
