"""Metrics that rest on shortest paths."""

from itertools import count
from operator import truediv

from graphs.science.distances import DistanceDistribution
from graphs.science.undefined import Undefined

__all__ = ["average_edge_betweenness", "global_efficiency", "inverse_average_edge_betweenness"]


def global_efficiency(distances: DistanceDistribution) -> float | Undefined:
    r"""Mean inverse distance over ordered pairs.

    .. math:: E_G = \frac{1}{n(n-1)} \sum_{s \neq t} \frac{1}{d(s, t)}

    An unreachable pair counts 0. Range 0 (no edges) to 1 (complete graph). Undefined for fewer than two nodes.

    References
    ----------
    V. Latora and M. Marchiori (2001). Efficient behavior of small-world networks. *Physical Review Letters* 87, 198701.
    """
    n = distances.nodes
    if n < 2:
        return Undefined("needs at least two nodes")
    # A handful of distances: plain numbers are several times as fast as arrays.
    pairs: list[int] = distances.pairs.tolist()
    total: float = sum(map(truediv, pairs[1:], count(1)))
    return total / (n * (n - 1))


def average_edge_betweenness(distances: DistanceDistribution, edges: int) -> float | Undefined:
    r"""Mean over edges of the fraction of shortest paths that cross the edge.

    .. math:: \bar b = \frac{1}{m} \sum_e \frac{2}{n(n-1)} \sum_{s < t} \frac{\sigma_{st}(e)}{\sigma_{st}}
                     = \frac{2}{m\, n(n-1)} \sum_{s < t} d(s, t)

    The second form is exact and needs no count of paths: the σ-fractions of the edges between s and t add up to the
    number of edges on a shortest path, d(s, t). Pairs that cannot reach each other are left out of the sum, as in
    networkx. A self-loop is an edge that no shortest path crosses. Undefined without edges and below two nodes.

    Parameters
    ----------
    distances : DistanceDistribution
        Of the graph.
    edges : int
        Number of edges m, self-loops included.

    References
    ----------
    M. Girvan and M. E. J. Newman (2002). Community structure in social and biological networks. *PNAS* 99, 7821-7826.
    """
    n = distances.nodes
    if n < 2:
        return Undefined("needs at least two nodes")
    if edges == 0:
        return Undefined("needs at least one edge")
    return distances.total / (edges * n * (n - 1) / 2)


def inverse_average_edge_betweenness(distances: DistanceDistribution, edges: int) -> float | Undefined:
    """Return 1 over the average edge betweenness; at least 1.

    Undefined where that is undefined or 0. It can rise when a graph falls apart, because pairs without a path no
    longer load any edge: read it beside the number of components.
    """
    return inverted(average_edge_betweenness(distances, edges))


def inverted(average: float | Undefined) -> float | Undefined:
    """Return what `inverse_average_edge_betweenness` does, from the average."""
    if isinstance(average, Undefined):
        return average
    if average == 0:
        return Undefined("no shortest path crosses an edge")
    return 1.0 / average
