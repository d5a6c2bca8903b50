"""How many pairs of nodes lie at each distance, by bit-parallel breadth-first search."""

from dataclasses import dataclass
from itertools import count
from operator import mul

import numpy as np
from numpy.typing import NDArray

from graphs.science.graph import Graph

__all__ = ["DistanceDistribution", "distance_distribution"]

_WORD = 64


@dataclass(frozen=True, slots=True, eq=False)
class DistanceDistribution:
    """Distances in hops over all pairs of distinct nodes.

    Attributes
    ----------
    nodes : int
        Number of nodes n.
    pairs : ndarray of int64, shape (diameter + 1,)
        ``pairs[d]`` ordered pairs lie at distance d; ``pairs[0]`` is 0. Unreachable pairs are not in it.
    components : int
        Number of connected components.
    """

    nodes: int
    pairs: NDArray[np.int64]
    components: int

    @property
    def total(self) -> int:
        """Sum of d(s, t) over unordered reachable pairs."""
        pairs: list[int] = self.pairs.tolist()
        total: int = sum(map(mul, pairs, count()))
        return total // 2

    @property
    def diameter(self) -> int:
        """Largest finite distance."""
        return len(self.pairs) - 1


def distance_distribution(graph: Graph) -> DistanceDistribution:
    """Count pairs by distance, weights ignored.

    Every node carries the set of nodes within d hops of it as a row of bits. One step ORs each row with the rows of
    its neighbours, 64 nodes an instruction, and the set bits gained are the pairs at distance d + 1. Only counts are
    kept, no n × n matrix of distances: efficiency and mean edge betweenness need no more.

    Parameters
    ----------
    graph : Graph
        Any graph; self-loops do not matter.

    Returns
    -------
    DistanceDistribution

    Notes
    -----
    Time O(diameter · (m + n) · n / 64), memory O((m + n) · n / 64).
    """
    n = graph.nodes
    if n == 0:
        return DistanceDistribution(0, np.zeros(1, dtype=np.int64), 0)
    neighbours, starts = _closed_neighbourhoods(graph)
    within = _packed_bits(np.eye(n, dtype=bool))
    reached = n
    pairs = [0]
    while True:
        within = np.bitwise_or.reduceat(within[neighbours], starts, axis=0)
        total = int(np.bitwise_count(within).sum(dtype=np.int64))
        if total == reached:
            break
        pairs.append(total - reached)
        reached = total
    return DistanceDistribution(n, np.array(pairs, dtype=np.int64), _count_components(within))


def _closed_neighbourhoods(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each node's neighbours and itself, concatenated by node, and where each node's part starts."""
    # The node itself keeps every part non-empty, which reduceat needs.
    own = np.arange(graph.nodes)
    first, second = graph.edges.T
    sources = np.concatenate([own, first, second])
    targets = np.concatenate([own, second, first])
    order = np.argsort(sources, kind="stable")
    return targets[order], np.searchsorted(sources[order], own)


def _packed_bits(rows: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack each row of booleans into whole 64-bit words."""
    width = -(-rows.shape[1] // _WORD) * (_WORD // 8)
    packed = np.zeros((rows.shape[0], width), dtype=np.uint8)
    bits = np.packbits(rows, axis=1)
    packed[:, : bits.shape[1]] = bits
    return packed.view(np.uint64)


def _count_components(within: NDArray[np.uint64]) -> int:
    """Count the nodes that reach no node of a smaller number: one in each component."""
    n = within.shape[0]
    smaller = _packed_bits(np.tri(n, k=-1, dtype=bool))
    return int(np.count_nonzero(~np.any(within & smaller, axis=1)))
