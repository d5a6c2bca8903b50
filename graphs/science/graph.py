"""An undirected weighted graph as plain arrays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Edges", "Graph", "Weights", "WordGraph"]

Edges = NDArray[np.int64]
Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Graph:
    """Nodes 0 … n−1 and the edges among them.

    Attributes
    ----------
    nodes : int
        Number of nodes n.
    edges : ndarray of int64, shape (m, 2)
        One row an edge, smaller node first, each pair at most once. A row (i, i) is a self-loop.
    weights : ndarray of float64, shape (m,)
        Positive entries of the adjacency matrix; all 1 in the binary convention.
    """

    nodes: int
    edges: Edges
    weights: Weights

    @classmethod
    def from_edges(
        cls, nodes: int, edges: Iterable[tuple[int, int]], weights: Sequence[float] | None = None
    ) -> "Graph":
        """Build a graph from pairs of nodes, in any order; weights default to 1.

        Raises
        ------
        ValueError
            If an edge leaves the range 0 … n−1 or is given twice, or a weight is not positive and finite.
        """
        pairs = np.sort(np.array(list(edges), dtype=np.int64).reshape(-1, 2), axis=1)
        values = np.ones(len(pairs)) if weights is None else np.asarray(weights, dtype=np.float64)
        if pairs.size and (pairs.min() < 0 or pairs.max() >= nodes):
            raise ValueError(f"an edge names a node outside 0 … {nodes - 1}")
        if len(np.unique(pairs, axis=0)) != len(pairs):
            raise ValueError("an edge is given twice")
        if values.shape != (len(pairs),) or not np.all((values > 0) & np.isfinite(values)):
            raise ValueError("every edge needs one positive, finite weight")
        return cls(nodes=nodes, edges=pairs, weights=values)

    @property
    def size(self) -> int:
        """Number of edges m, self-loops included."""
        return len(self.edges)

    def adjacency(self) -> NDArray[np.float64]:
        """Return the adjacency matrix A, shape (n, n); a self-loop stands on the diagonal once, as in networkx."""
        matrix = np.zeros((self.nodes, self.nodes))
        first, second = self.edges.T
        matrix[first, second] = self.weights
        matrix[second, first] = self.weights
        return matrix


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WordGraph(Graph):
    """A co-occurrence graph whose nodes are words.

    Attributes
    ----------
    words : tuple of str
        The word of each node, in order of first appearance; length n.
    counts : ndarray of int64, shape (m,)
        How often the two words of each edge met, whatever the weighting.
    """

    words: tuple[str, ...]
    counts: NDArray[np.int64]
