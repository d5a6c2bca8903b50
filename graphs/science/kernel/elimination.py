"""In which order nodes are eliminated, and which links that takes: found once for all that is factored.

A text mostly goes on to words that it has not used before. So one node after another can be eliminated, those with the
fewest neighbours first, and few links are added on the way: factors stay sparse, and so does what is needed of an
inverse, the entries where factors have one.
"""

from typing import Any

import numpy as np

from graphs.science.kernel.bits import ONE, list_bits, ones
from graphs.science.kernel.compilation import Floats, Integers, compiled
from graphs.science.kernel.rows import Rows

__all__ = ["Elimination", "eliminate", "work_of"]

Elimination = tuple[Integers, Integers, Integers]


@compiled
def eliminate(rows: Rows) -> tuple[Elimination, Floats]:
    """Find an order to eliminate the nodes in, those with the fewest neighbours first, and where entries of A go.

    Eliminating a node links its neighbours with one another. Every link, old or new, has a place of its own for
    whatever is computed along it, and so has every node, behind all links. Nodes are numbered by their turn.

    Returns
    -------
    elimination : tuple
        Where the links of each node to later ones start, (n + 1,); the later node of each, (f,); and the place of each
        pair of nodes, (n, n), filled in only where they are linked.
    matrix : ndarray of float64, shape (f + n,)
        Entries of A at their places.
    """
    starts, neighbours, entries = rows
    nodes = len(starts) - 1
    width = (nodes + 63) // 64
    linked = np.zeros((nodes, width), np.uint64)
    degree = np.zeros(nodes, np.int64)
    for node in range(nodes):
        for place in range(starts[node], starts[node + 1]):
            other = neighbours[place]
            if other != node:
                linked[node, other // 64] |= ONE << np.uint64(other % 64)
                degree[node] += 1
    turns, first, near = np.empty(nodes, np.int64), np.zeros(nodes + 1, np.int64), np.empty(nodes, np.int64)
    # Room for a complete graph, of which a sparse one never touches most.
    later: Any = np.empty(nodes * (nodes - 1) // 2, np.uint32)
    for turn in range(nodes):
        # The first of those with the fewest, without a branch.
        smallest: Any = np.int64(nodes) << 32
        for candidate in range(nodes):
            smallest = min(smallest, degree[candidate] << 32 | candidate)
        node, fewest = smallest & 0xFFFFFFFF, smallest >> 32
        turns[node] = turn
        first[turn + 1] = first[turn] + fewest
        list_bits(linked[node], near)
        for a in range(fewest):
            end = near[a]
            later[first[turn] + a] = end
            count = np.int64(0)
            for word in range(width):
                linked[end, word] |= linked[node, word]
            linked[end, end // 64] &= ~(ONE << np.uint64(end % 64))
            linked[end, node // 64] &= ~(ONE << np.uint64(node % 64))
            for word in range(width):
                count += ones(linked[end, word])
            degree[end] = count
        degree[node] = nodes + 1
    links = first[nodes]
    places: Any = np.empty((nodes, nodes), np.uint32)
    for turn in range(nodes):
        places[turn, turn] = links + turn
        for link in range(first[turn], first[turn + 1]):
            end = turns[later[link]]
            later[link] = end
            places[turn, end] = link
            places[end, turn] = link
    matrix: Floats = np.zeros(links + nodes)
    for node in range(nodes):
        turn = turns[node]
        for place in range(starts[node], starts[node + 1]):
            end = turns[neighbours[place]]
            if end >= turn:
                matrix[places[turn, end]] += entries[place]
    return (first, later, places), matrix


@compiled
def work_of(first: Integers) -> int:
    """Return the number of multiplications that an elimination takes, for every entry once on each side."""
    work = 0
    for turn in range(len(first) - 1):
        count = first[turn + 1] - first[turn]
        work += count * count
    return work
