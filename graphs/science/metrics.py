"""All metrics of one graph."""

from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from graphs.science import engine
from graphs.science.graph import Graph
from graphs.science.kernel_metrics import metrics_by_kernel
from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.numpy_metrics import metrics_by_numpy
from graphs.science.undefined import Undefined

__all__ = ["GraphMetrics", "compute_metrics", "metrics_with"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphMetrics:
    """The seven metrics of a graph, and the one of them that is shown both ways up.

    A metric is None exactly when its key is in ``undefined``.

    Attributes
    ----------
    nodes, edges, components : int
        Size of the graph; ``edges`` counts self-loops.
    global_efficiency, average_edge_betweenness, inverse_average_edge_betweenness, spectral_radius, spectral_gap, \
natural_connectivity, algebraic_connectivity, effective_conductance : float or None
        As defined in the module of each.
    undefined : dict of str to str
        Why a metric is None.
    cautions : dict of str to str
        What to keep in mind when reading a metric that is defined.
    """

    nodes: int
    edges: int
    components: int
    global_efficiency: float | None
    average_edge_betweenness: float | None
    inverse_average_edge_betweenness: float | None
    spectral_radius: float | None
    spectral_gap: float | None
    natural_connectivity: float | None
    algebraic_connectivity: float | None
    effective_conductance: float | None
    undefined: dict[str, str] = field(default_factory=dict)
    cautions: dict[str, str] = field(default_factory=dict)

    def values(self) -> dict[str, float | None]:
        """Return the metrics by key, in the order of the registry."""
        return {key: getattr(self, key) for key in METRIC_KEYS}


def compute_metrics(graph: Graph) -> GraphMetrics:
    """Compute every metric of a graph.

    Path metrics count hops and ignore weights; spectral metrics use the weights as they stand in the graph, so that
    its weighting decides between the binary and the weighted convention. `graphs.science.engine` decides whether the
    compiled kernel or NumPy computes them.

    Parameters
    ----------
    graph : Graph
        Any undirected graph, also empty or disconnected.

    Returns
    -------
    GraphMetrics
        Of an empty graph all are undefined; of a single node all but spectral radius and natural connectivity; of
        more nodes without edges only edge betweenness and its inverse, the rest are 0.
    """
    return metrics_with(engine.kernel(graph.nodes), graph)


def metrics_with(kernel: ModuleType | None, graph: Graph) -> GraphMetrics:
    """Compute every metric of a graph with the kernel, where it suits the graph, or with NumPy."""
    if kernel is not None and engine.suits(graph):
        components, results = metrics_by_kernel(graph, kernel)
    else:
        components, results = metrics_by_numpy(graph)
    undefined = {key: value.reason for key, value in results.items() if isinstance(value, Undefined)}
    values: dict[str, Any] = results | dict.fromkeys(undefined)
    return GraphMetrics(
        nodes=graph.nodes,
        edges=graph.size,
        components=components,
        **values,
        undefined=undefined,
        cautions=_cautions(values, components),
    )


def _cautions(values: dict[str, float | None], components: int) -> dict[str, str]:
    if components < 2:
        return {}
    betweenness = ("average_edge_betweenness", "inverse_average_edge_betweenness")
    reason = f"the graph has {components} components and only pairs with a path are counted"
    return {key: reason for key in betweenness if values[key] is not None}
