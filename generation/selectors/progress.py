"""How far a batch is, cell by cell."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count

from generation.models import Batch, Cell, Run
from generation.selectors.estimates import seconds_per_run, typical_seconds
from leases.models import State


@dataclass(frozen=True)
class Counts:
    queued: int = 0
    running: int = 0
    done: int = 0
    failed: int = 0
    cancelled: int = 0

    @property
    def total(self) -> int:
        return self.queued + self.running + self.done + self.failed + self.cancelled

    @property
    def left(self) -> int:
        return self.queued + self.running


@dataclass(frozen=True)
class CellProgress:
    cell: Cell
    counts: Counts


@dataclass(frozen=True)
class BatchProgress:
    """`seconds_left` is computing time on one worker; `errors` are the failed runs' texts with how many had each."""

    cells: list[CellProgress]
    counts: Counts
    is_active: bool
    seconds_left: float
    errors: list[tuple[str, int]]

    @property
    def percent(self) -> int:
        return 100 * self.counts.done // self.counts.total if self.counts.total else 0


def batch_progress(*, batch: Batch) -> BatchProgress:
    """Counts by cell and state in one grouped query, whatever the number of runs."""
    cells = list(batch.cells.select_related("language_model", "prompt", "embedding_model", "retrieval").order_by("pk"))
    grouped = Run.objects.filter(cell__batch=batch).order_by().values_list("cell", "state").annotate(n=Count("pk"))
    by_cell: dict[int, dict[str, int]] = {cell.pk: {} for cell in cells}
    for cell_id, state, n in grouped:
        by_cell[cell_id][state] = n
    progress = [CellProgress(cell, Counts(**by_cell[cell.pk])) for cell in cells]
    counts = total_counts(row.counts for row in progress)
    is_active = batch.state == Batch.State.LAUNCHED and counts.left > 0
    return BatchProgress(
        cells=progress,
        counts=counts,
        # Runs in a worker's hands go on to their end when a batch is paused.
        is_active=is_active or counts.running > 0,
        seconds_left=_seconds_left(progress) if counts.left else 0.0,
        errors=_errors(batch) if counts.failed or counts.queued else [],
    )


def total_counts(parts: Iterable[Counts]) -> Counts:
    listed = list(parts)
    return Counts(**{state: sum(getattr(part, state) for part in listed) for state in State.values})


def _seconds_left(cells: list[CellProgress]) -> float:
    models = {row.cell.language_model_id: row.cell.language_model for row in cells if row.counts.left}
    pace = {pk: seconds_per_run(model) or typical_seconds(model) for pk, model in models.items()}
    return sum(pace[row.cell.language_model_id] * row.counts.left for row in cells if row.counts.left)


def _errors(batch: Batch) -> list[tuple[str, int]]:
    """The errors of failed runs, and of those that wait for another try, most frequent first."""
    rows = Run.objects.filter(cell__batch=batch, state__in=[State.FAILED, State.QUEUED]).exclude(error="")
    return list(rows.order_by().values_list("error").annotate(n=Count("pk")).order_by("-n", "error")[:10])
