"""Scores and comparisons as plain data, in the shape that the command line and the interface promise."""

from typing import Any

from graphs.science.null_comparison import NullComparison
from graphs.science.scoring import TextScore

__all__ = ["comparison_record", "score_record"]


def score_record(score: TextScore) -> dict[str, Any]:
    """Return sizes, metrics and settings of a score; undefined metrics are None and have a reason."""
    metrics = score.metrics
    return {
        "tokens": len(score.words),
        "nodes": metrics.nodes,
        "edges": metrics.edges,
        "components": metrics.components,
        "metrics": metrics.values(),
        "undefined": dict(metrics.undefined),
        "cautions": dict(metrics.cautions),
        "settings": score.settings.as_dict() | {"sha256": score.settings.digest},
    }


def comparison_record(comparison: NullComparison) -> dict[str, dict[str, Any]]:
    """Return each metric's place among the draws, by metric key."""
    return {
        key: {
            "mean": each.mean,
            "sd": each.sd,
            "z": each.z,
            "p": each.p,
            "p_holm": each.p_holm,
            "draws": each.draws,
            "reason": each.reason,
        }
        for key, each in comparison.metrics.items()
    }
