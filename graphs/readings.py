"""Metrics as people read them: the figure, what it means, and why there is none."""

from dataclasses import dataclass

from graphs.science.metric_registry import METRICS, Metric
from graphs.science.metrics import GraphMetrics
from graphs.science.profile import Profile

__all__ = ["Reading", "read_metrics"]


@dataclass(frozen=True)
class Reading:
    """One metric of one graph and, where the text was profiled, the mean of its references and D_j."""

    metric: Metric
    value: float | None
    reason: str
    average: float | None = None
    difference: float | None = None
    difference_reason: str = ""


def read_metrics(metrics: GraphMetrics, profile: Profile | None = None) -> list[Reading]:
    """Read all metrics, in the registry's order."""
    values = metrics.values()
    return [
        Reading(
            metric=each,
            value=values[each.key],
            reason=metrics.undefined.get(each.key, ""),
            average=profile.reference_mean[each.key] if profile else None,
            difference=profile.differences[each.key] if profile else None,
            difference_reason=profile.undefined.get(each.key, "") if profile else "",
        )
        for each in METRICS
    ]
