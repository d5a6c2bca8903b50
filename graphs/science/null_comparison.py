"""Is a text's graph unlike those of a null model?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphs.science.inference import TIE_TOLERANCE, holm, two_sided_permutation_p
from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.metrics import GraphMetrics
from graphs.science.null_draws import NullDraws, draw_null
from graphs.science.null_models import NullSource
from graphs.science.scoring import TextScore

__all__ = ["MetricComparison", "NullComparison", "compare_score_with_null", "compare_with_null"]

#: A metric whose true value is 0 comes out of LAPACK as a few units of rounding.
_ROUNDING = 1e-12

_AVERAGE = "average_edge_betweenness"
_INVERSE = "inverse_average_edge_betweenness"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricComparison:
    """One metric of a text against a null model.

    Attributes
    ----------
    mean, sd : float or None
        Of the draws in which the metric is defined; sd with B − 1, 0 when all agree up to rounding.
    z : float or None
        (observed − mean) / sd; None when sd is 0.
    p : float or None
        Two-sided permutation p.
    p_holm : float or None
        Adjusted over the seven metrics. Edge betweenness and its inverse are one test with one p.
    draws : int
        Number of draws in which the metric is defined.
    reason : str or None
        Why something above is None.
    """

    mean: float | None
    sd: float | None
    z: float | None
    p: float | None
    p_holm: float | None
    draws: int
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NullComparison:
    """A text against a null model.

    Attributes
    ----------
    model : str
        Key of the null model.
    draws, seed : int
        Number of draws B, and the seed that made them.
    metrics : dict of str to MetricComparison
        By metric key, in the order of the registry.
    edges_mean, edges_sd : float
        Number of edges of the draws: where it differs from the text's, part of every z is the edge count.
    connected : int
        How many draws are connected.
    """

    model: str
    draws: int
    seed: int
    metrics: dict[str, MetricComparison]
    edges_mean: float
    edges_sd: float
    connected: int


def compare_score_with_null(score: TextScore, model: str, *, draws: int = 1000, seed: int = 0) -> NullComparison:
    """Draw from a null model of a scored text and compare, in one call. Errors are those of `draw_null`."""
    source = NullSource.of_text(score.words, score.graph, score.settings)
    return compare_with_null(score.metrics, draw_null(source, model, draws=draws, seed=seed))


def compare_with_null(observed: GraphMetrics, drawn: NullDraws) -> NullComparison:
    """Compare observed metrics with draws from a null model.

    Parameters
    ----------
    observed : GraphMetrics
        Of the text.
    drawn : NullDraws
        Of the same text and settings.

    Returns
    -------
    NullComparison
    """
    values = observed.values()
    unadjusted = {
        key: _compare(values[key], observed.undefined.get(key), drawn.values[drawn.defined[:, column], column])
        for column, key in enumerate(METRIC_KEYS)
    }
    # One over x is monotone in x, so the inverse has the same tails; counted once in the family.
    p_values = {key: each.p for key, each in unadjusted.items() if key != _INVERSE}
    adjusted = dict(zip(p_values, holm(list(p_values.values())), strict=True))
    metrics = {}
    for key, each in unadjusted.items():
        defined = each.p is not None
        family_key = _AVERAGE if key == _INVERSE else key
        metrics[key] = MetricComparison(
            mean=each.mean,
            sd=each.sd,
            z=each.z,
            p=p_values[family_key] if defined else None,
            p_holm=adjusted[family_key] if defined else None,
            draws=each.draws,
            reason=each.reason,
        )
    return NullComparison(
        model=drawn.model,
        draws=len(drawn.values),
        seed=drawn.seed,
        metrics=metrics,
        edges_mean=float(drawn.edges.mean()),
        edges_sd=float(drawn.edges.std(ddof=1)) if len(drawn.edges) > 1 else 0.0,
        connected=int(np.count_nonzero(drawn.components == 1)),
    )


def _compare(observed: float | None, undefined: str | None, draws: NDArray[np.float64]) -> MetricComparison:
    """Compare one metric; p_holm is filled in once the whole family is known."""
    count = len(draws)
    mean = float(draws.mean()) if count else None
    sd = _standard_deviation(draws) if count > 1 else None
    z = p = None
    reason: str | None = None
    if observed is None:
        reason = f"undefined for the text: {undefined}"
    elif mean is None:
        reason = "undefined in every draw"
    else:
        p = two_sided_permutation_p(observed, draws, rounding=_ROUNDING)
        if sd is None:
            reason = "a standard deviation needs two draws"
        elif sd == 0:
            reason = "all draws have the same value, so there is no z"
        else:
            z = (observed - mean) / sd
    return MetricComparison(mean=mean, sd=sd, z=z, p=p, p_holm=None, draws=count, reason=reason)


def _standard_deviation(draws: NDArray[np.float64]) -> float:
    """Return the sample standard deviation, and exactly 0 for values that differ by rounding alone."""
    if np.ptp(draws) <= max(TIE_TOLERANCE * np.max(np.abs(draws)), _ROUNDING):
        return 0.0
    return float(draws.std(ddof=1))
