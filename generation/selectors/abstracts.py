"""Lists of batches and of the abstracts in one."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count

from generation.models import Abstract, Batch, Run
from generation.selectors.progress import Counts


@dataclass(frozen=True)
class AbstractFilter:
    """None lets everything through."""

    cell: int | None = None
    language_model: int | None = None
    prompt: int | None = None
    temperature: Decimal | None = None


def abstracts_of(*, batch: Batch, only: AbstractFilter, after: int = 0, limit: int = 20) -> list[Abstract]:
    """A page of a batch's abstracts in the order of their cells and iterations, after the place `after`.

    The order is that of the runs' keys, which were made cell by cell; `after` is the last run's key of the page before.
    """
    filters = {
        "run__cell": only.cell,
        "run__cell__language_model": only.language_model,
        "run__cell__prompt": only.prompt,
        "run__cell__temperature": only.temperature,
    }
    given = {name: value for name, value in filters.items() if value is not None}
    rows = Abstract.objects.filter(run__cell__batch=batch, run_id__gt=after, **given).select_related(
        "text", "run__cell__language_model", "run__cell__prompt"
    )
    return list(rows.order_by("run_id")[:limit])


def models_ignoring_temperature(*, batch: Batch) -> list[str]:
    """The names of the batch's models whose server answered one text to two seeds at temperature 1."""
    ignored = Abstract.objects.filter(run__cell__batch=batch, provenance__details__temperature_honoured=False)
    names = ignored.order_by("run__cell__language_model__name").values_list(
        "run__cell__language_model__name", flat=True
    )
    return list(names.distinct())


def repeated_texts(*, batch: Batch) -> int:
    """How many of the batch's abstracts say word for word what another of them says first."""
    counted = Abstract.objects.filter(run__cell__batch=batch).aggregate(
        written=Count("pk"), different=Count("text_id", distinct=True)
    )
    return int(counted["written"] - counted["different"])


def batches_with_counts(*, before: int | None = None, limit: int = 20) -> list[tuple[Batch, Counts]]:
    """A page of batches, newest first, each with its runs counted by state: two queries."""
    rows = Batch.objects.select_related("corpus", "created_by").order_by("-pk")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    batches = list(rows[:limit])
    grouped = Run.objects.filter(cell__batch__in=batches).order_by().values_list("cell__batch", "state")
    counts: dict[int, dict[str, int]] = {batch.pk: {} for batch in batches}
    for batch_id, state, n in grouped.annotate(n=Count("pk")):
        counts[batch_id][state] = n
    return [(batch, Counts(**counts[batch.pk])) for batch in batches]
