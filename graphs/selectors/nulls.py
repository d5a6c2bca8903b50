"""A text against null models, in one query."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, Q, Sum
from django.utils.translation import gettext

from graphs.models import NullComparison, ScoreSettings
from graphs.science.metric_registry import METRICS, Metric
from graphs.science.null_models import NULL_MODELS, NullModel
from leases.models import State


@dataclass(frozen=True)
class NullReading:
    """One metric of the text among the draws; `counts` are the draws in equal bins from `low` to `high`."""

    metric: Metric
    observed: float | None
    mean: float | None
    sd: float | None
    z: float | None
    p: float | None
    p_holm: float | None
    reason: str
    low: float = 0.0
    high: float = 0.0
    counts: tuple[int, ...] = ()


@dataclass(frozen=True)
class NullStanding:
    """The newest comparison with one null model: how far it is and, once it is finished, what came out."""

    null_model: NullModel
    comparison: NullComparison
    drawn: int
    is_active: bool
    error: str
    readings: list[NullReading]

    @property
    def is_finished(self) -> bool:
        return self.comparison.finished_at is not None

    @property
    def disconnected(self) -> int:
        return self.comparison.draws - (self.comparison.connected or 0)

    @property
    def unlike(self) -> list[NullReading]:
        """Metrics in which the text stands out at 5 %, corrected for their number; betweenness once."""
        once = [each for each in self.readings if each.metric.key != "average_edge_betweenness"]
        return [each for each in once if each.p_holm is not None and each.p_holm <= 0.05]


def null_standings(*, text_id: int, settings: ScoreSettings | None) -> list[NullStanding]:
    """The newest comparison of a text with each null model, in the order of the registry."""
    done = Q(chunks__state=State.DONE)
    comparisons = (
        NullComparison.objects.filter(text=text_id, settings=settings)
        .order_by("pk")
        .annotate(
            drawn=Sum(F("chunks__stop") - F("chunks__start"), filter=done, default=0),
            active=Count("chunks", filter=Q(chunks__state__in=[State.QUEUED, State.RUNNING])),
            cancelled=Count("chunks", filter=Q(chunks__state=State.CANCELLED)),
            error=Max("chunks__error", filter=Q(chunks__state=State.FAILED)),
        )
    )
    newest = {comparison.null_model: comparison for comparison in comparisons}
    return [_standing(model, newest[key]) for key, model in NULL_MODELS.items() if key in newest]


def _standing(model: NullModel, row: NullComparison) -> NullStanding:
    counted = vars(row)
    error = counted["error"] or (gettext("it was cancelled") if counted["cancelled"] else "")
    return NullStanding(
        null_model=model,
        comparison=row,
        drawn=counted["drawn"],
        is_active=counted["active"] > 0,
        error=error,
        readings=[_reading(metric, row.metrics, row.distributions or {}) for metric in METRICS] if row.metrics else [],
    )


def _reading(metric: Metric, metrics: dict[str, Any], distributions: dict[str, Any]) -> NullReading:
    figures, bins = metrics[metric.key], distributions[metric.key] or {}
    return NullReading(
        metric=metric,
        **{name: figures[name] for name in ("observed", "mean", "sd", "z", "p", "p_holm")},
        reason=figures["reason"] or "",
        low=bins.get("low", 0.0),
        high=bins.get("high", 0.0),
        counts=tuple(bins.get("counts", ())),
    )
