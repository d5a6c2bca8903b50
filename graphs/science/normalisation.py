"""From metrics on their own scales to the radar's 0 … 1."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graphs.science.metric_registry import RADAR_AXES
from graphs.science.metrics import GraphMetrics
from graphs.science.undefined import Undefined

__all__ = ["MetricRange", "NormalisationRange"]

#: A range narrower than this, relative to its ends, holds values that differ by rounding alone.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class MetricRange:
    """Smallest and largest value of one metric over a set of graphs."""

    smallest: float
    largest: float

    @property
    def is_point(self) -> bool:
        """Whether all graphs have the same value, so that there is nothing to normalise by."""
        return self.largest - self.smallest <= _ROUNDING * max(abs(self.smallest), abs(self.largest), 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalisationRange:
    r"""Min–max normalisation of the seven radar axes, :math:`v = (M - \min) / (\max - \min)`.

    Attributes
    ----------
    name : str
        Where it comes from: ``run`` for the graphs of the comparison itself, or the name of a frozen reference corpus.
    graphs : int
        Number of graphs that it was taken over.
    axes : mapping of str to MetricRange or Undefined
        Range of each axis; undefined when the metric is undefined in one of the graphs.
    """

    name: str
    graphs: int
    axes: Mapping[str, MetricRange | Undefined]

    @classmethod
    def over(cls, name: str, metrics: Iterable[GraphMetrics]) -> "NormalisationRange":
        """Take the range over a set of graphs; freeze one over a named corpus to make runs comparable.

        Raises
        ------
        ValueError
            If there are no graphs.
        """
        graphs = list(metrics)
        if not graphs:
            raise ValueError("a normalisation range needs at least one graph")
        return cls(name=name, graphs=len(graphs), axes={axis: _range(axis, graphs) for axis in RADAR_AXES})

    def normalise(self, values: Mapping[str, float | None]) -> tuple[float, ...] | Undefined:
        """Place metrics on the radar's axes, in its order; values outside the range are clipped to 0 or 1.

        Returns
        -------
        tuple of float, or Undefined
            Undefined as a whole when one axis is: a polygon with a missing corner has no area.
        """
        places = []
        for axis in RADAR_AXES:
            extent, value = self.axes[axis], values[axis]
            if isinstance(extent, Undefined):
                return extent
            if value is None:
                return Undefined(f"{axis} is undefined")
            if extent.is_point:
                return Undefined(f"{axis} has the same value in all {self.graphs} graphs of the range {self.name!r}")
            share = (value - extent.smallest) / (extent.largest - extent.smallest)
            places.append(min(1.0, max(0.0, share)))
        return tuple(places)


def _range(axis: str, graphs: list[GraphMetrics]) -> MetricRange | Undefined:
    values = [graph.values()[axis] for graph in graphs]
    defined = [value for value in values if value is not None]
    if len(defined) < len(values):
        return Undefined(f"{axis} is undefined in {len(values) - len(defined)} of {len(values)} graphs")
    return MetricRange(min(defined), max(defined))
