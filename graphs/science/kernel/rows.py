"""The adjacency matrix in compressed rows."""

import numpy as np

from graphs.science.kernel.compilation import Floats, Integers, compiled

__all__ = ["Rows", "adjacency_rows"]

Rows = tuple[Integers, Integers, Floats]


@compiled
def adjacency_rows(nodes: int, edges: Integers, weights: Floats) -> Rows:
    """Return A in compressed rows: where each row starts, the neighbours, the entries; a self-loop is its own once.

    Every row is filled up to a multiple of four entries, at least four, with zeros on the diagonal.
    """
    degree = np.zeros(nodes, np.int64)
    for a, b in edges:
        degree[a] += 1
        if a != b:
            degree[b] += 1
    starts = np.zeros(nodes + 1, np.int64)
    for node in range(nodes):
        starts[node + 1] = starts[node] + 4 * max(1, (degree[node] + 3) // 4)
    ends = starts[:-1].copy()
    neighbours, entries = np.empty(starts[nodes], np.uint32), np.zeros(starts[nodes])
    for edge in range(len(edges)):
        a, b = edges[edge, 0], edges[edge, 1]
        neighbours[ends[a]], entries[ends[a]] = b, weights[edge]
        ends[a] += 1
        if a != b:
            neighbours[ends[b]], entries[ends[b]] = a, weights[edge]
            ends[b] += 1
    for node in range(nodes):
        neighbours[ends[node] : starts[node + 1]] = node
    return starts, neighbours, entries
