"""Groups of words that keep to themselves."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphs.science.graph import Graph

__all__ = ["Communities", "detect_communities"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Communities:
    """A partition of a graph's nodes.

    Attributes
    ----------
    labels : ndarray of int64, shape (n,)
        Community of each node, 0 … count − 1, the largest first; equal ones by their first node.
    count : int
        Number of communities.
    modularity : float or None
        Q of the partition, from −1/2 to below 1; None for a graph without edges.
    reason : str or None
        Why there is no modularity.
    """

    labels: NDArray[np.int64]
    count: int
    modularity: float | None
    reason: str | None


def detect_communities(graph: Graph, *, seed: int = 0, runs: int = 10, resolution: float = 1.0) -> Communities:
    r"""Partition a graph by Louvain's method, the best of several runs, and report its modularity.

    .. math:: Q = \frac{1}{2W} \sum_{ij} \left(A_{ij} - \gamma \frac{k_i k_j}{2W}\right) \delta(c_i, c_j)

    with strengths k, total weight W and resolution γ. The partition found depends on the order in which nodes are
    looked at; so several seeded orders are tried and the one of highest modularity is kept. Sparse graphs have high
    modularity even at random: hold it against a null model before reading anything into it.

    Parameters
    ----------
    graph : Graph
        Weights count.
    seed : int
        The same seed gives the same partition.
    runs : int
        Number of orders tried, at least 1.
    resolution : float
        γ; above 1 for more and smaller communities.

    Returns
    -------
    Communities
        Words without any link are communities of their own.

    Notes
    -----
    Uses networkx, imported here on the first call.

    References
    ----------
    V. D. Blondel, J.-L. Guillaume, R. Lambiotte and E. Lefebvre (2008). Fast unfolding of communities in large
    networks. *Journal of Statistical Mechanics* P10008.
    M. E. J. Newman and M. Girvan (2004). Finding and evaluating community structure in networks. *Physical Review E*
    69, 026113.
    """
    if runs < 1:
        raise ValueError("at least one run is needed")
    if graph.size == 0:
        return Communities(
            labels=np.arange(graph.nodes), count=graph.nodes, modularity=None, reason="needs at least one edge"
        )
    import networkx as nx

    network = nx.Graph()
    network.add_nodes_from(range(graph.nodes))
    network.add_weighted_edges_from(
        (*pair, weight) for pair, weight in zip(graph.edges.tolist(), graph.weights.tolist(), strict=True)
    )
    best: list[set[int]] = []
    highest = -np.inf
    for run in range(runs):
        parts = nx.community.louvain_communities(network, seed=seed + run, resolution=resolution)
        modularity = nx.community.modularity(network, parts, resolution=resolution)
        if modularity > highest + 1e-12:
            best, highest = parts, modularity
    labels = np.empty(graph.nodes, dtype=np.int64)
    for label, part in enumerate(sorted(best, key=lambda nodes: (-len(nodes), min(nodes)))):
        labels[list(part)] = label
    return Communities(labels=labels, count=len(best), modularity=float(highest), reason=None)
