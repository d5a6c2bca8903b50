"""A generated text's graph against those of the texts retrieved for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.metrics import GraphMetrics
from graphs.science.normalisation import NormalisationRange
from graphs.science.radar import OrderSensitivity, order_free_area, order_sensitivity, radar_area
from graphs.science.undefined import Undefined

__all__ = ["Profile", "RadarAreas", "compute_profile", "mean_metrics"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RadarAreas:
    """Area of the generated text's radar and of the mean reference's, by one definition of area.

    Attributes
    ----------
    new, average : float
        ``area_new`` and ``area_avg`` of the paper.
    """

    new: float
    average: float

    @property
    def difference(self) -> float:
        """``area_new − area_avg``; above 0 the paper keeps the text."""
        return self.new - self.average


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How a text's graph differs from a reference set.

    Attributes
    ----------
    reference_size : int
        Number N of reference graphs.
    reference_mean : dict of str to float or None
        Mean of each metric over the N graphs.
    differences : dict of str to float or None
        D_j of each metric: the text's value minus the reference mean.
    undefined : dict of str to str
        Why an entry of ``differences`` is None.
    normalisation : NormalisationRange
        Range the radar was drawn with.
    radar_new, radar_average : tuple of float, or None
        Normalised values on the seven axes, in the paper's order.
    order_free, paper_order : RadarAreas or None
        The headline area, and the area in the paper's order of axes.
    order_sensitivity : OrderSensitivity or None
        What the other orders would have said.
    areas_undefined : str or None
        Why there is no radar.
    """

    reference_size: int
    reference_mean: dict[str, float | None]
    differences: dict[str, float | None]
    undefined: dict[str, str]
    normalisation: NormalisationRange
    radar_new: tuple[float, ...] | None
    radar_average: tuple[float, ...] | None
    order_free: RadarAreas | None
    paper_order: RadarAreas | None
    order_sensitivity: OrderSensitivity | None
    areas_undefined: str | None


def compute_profile(
    new: GraphMetrics, references: Sequence[GraphMetrics], normalisation: NormalisationRange | None = None
) -> Profile:
    r"""Compare a text's metrics with those of its reference set.

    .. math:: D_j = M_{P,j} - \frac{1}{N} \sum_{i=1}^{N} M_{R_i,j}

    Parameters
    ----------
    new : GraphMetrics
        Of the generated text P.
    references : sequence of GraphMetrics, length N ≥ 1
        Of the retrieved texts R, computed with the same settings.
    normalisation : NormalisationRange, optional
        A frozen range over a named corpus. By default min–max over the N + 1 graphs of this comparison.

    Returns
    -------
    Profile
        A metric that is undefined in any of the graphs has no difference, and then there are no areas either.

    Raises
    ------
    ValueError
        If there are no references.
    """
    mean = mean_metrics(references)
    normalisation = normalisation or NormalisationRange.over("run", [new, *references])
    values = new.values()
    differences: dict[str, float | None] = {}
    undefined: dict[str, str] = {}
    for key in METRIC_KEYS:
        value, average = values[key], mean[key]
        differences[key] = None if value is None or isinstance(average, Undefined) else value - average
        if value is None:
            undefined[key] = f"undefined for the text: {new.undefined[key]}"
        elif isinstance(average, Undefined):
            undefined[key] = average.reason
    reference_mean = {key: None if isinstance(each, Undefined) else each for key, each in mean.items()}
    radar_new, radar_average = normalisation.normalise(values), normalisation.normalise(reference_mean)
    missing = next((radar.reason for radar in (radar_new, radar_average) if isinstance(radar, Undefined)), None)
    drawn = None
    if not isinstance(radar_new, Undefined) and not isinstance(radar_average, Undefined):
        drawn = radar_new, radar_average
    return Profile(
        reference_size=len(references),
        reference_mean=reference_mean,
        differences=differences,
        undefined=undefined,
        normalisation=normalisation,
        radar_new=drawn and drawn[0],
        radar_average=drawn and drawn[1],
        order_free=drawn and RadarAreas(new=order_free_area(drawn[0]), average=order_free_area(drawn[1])),
        paper_order=drawn and RadarAreas(new=radar_area(drawn[0]), average=radar_area(drawn[1])),
        order_sensitivity=drawn and order_sensitivity(*drawn),
        areas_undefined=missing,
    )


def mean_metrics(metrics: Sequence[GraphMetrics]) -> dict[str, float | Undefined]:
    """Return the mean of each metric over a set of graphs, undefined where one of them has no value.

    Raises
    ------
    ValueError
        If the set is empty.
    """
    if not metrics:
        raise ValueError("a reference set needs at least one graph")
    means: dict[str, float | Undefined] = {}
    for key in METRIC_KEYS:
        values = [graph.values()[key] for graph in metrics]
        defined = [value for value in values if value is not None]
        if len(defined) < len(values):
            missing = len(values) - len(defined)
            means[key] = Undefined(f"undefined in {missing} of {len(values)} reference graphs")
        else:
            means[key] = sum(defined) / len(defined)
    return means
