"""Distances by breadth-first search from all nodes at once, the sets of nodes reached as rows of bits."""

import numpy as np

from graphs.science.kernel.bits import ONE, ones
from graphs.science.kernel.compilation import Integers, compiled
from graphs.science.kernel.rows import Rows

__all__ = ["count_distances"]


@compiled
def count_distances(rows: Rows) -> tuple[Integers, Integers]:
    """Return the number of ordered pairs at each distance, and for each node the smallest one of its component."""
    starts, neighbours, _ = rows
    nodes = len(starts) - 1
    pairs, farthest = np.zeros(nodes + 1, np.int64), 0
    component = np.full(nodes, -1)
    # From 128 nodes at a time, in two words: bit by bit, which of them have got to a node after so many hops.
    reached, further = np.zeros((nodes, 2), np.uint64), np.zeros((nodes, 2), np.uint64)
    for source in range(0, nodes, 128):
        reached[:] = np.uint64(0)
        for node in range(source, min(source + 128, nodes)):
            reached[node, (node - source) // 64] = ONE << np.uint64((node - source) % 64)
        hops = 0
        while True:
            gained = np.int64(0)
            for node in range(nodes):
                place = starts[node]
                i, j, k, m = neighbours[place], neighbours[place + 1], neighbours[place + 2], neighbours[place + 3]
                low = reached[node, 0] | reached[i, 0] | reached[j, 0] | reached[k, 0] | reached[m, 0]
                high = reached[node, 1] | reached[i, 1] | reached[j, 1] | reached[k, 1] | reached[m, 1]
                # Most rows are over here; a loop that also had to begin would cost more than it does.
                for more in range(place + 4, starts[node + 1]):
                    i = neighbours[more]
                    low |= reached[i, 0]
                    high |= reached[i, 1]
                further[node, 0], further[node, 1] = low, high
                gained += ones(low ^ reached[node, 0]) + ones(high ^ reached[node, 1])
            if gained == 0:
                break
            hops += 1
            pairs[hops] += gained
            reached, further = further, reached
        farthest = max(farthest, hops)
        for word in range(2):
            for node in range(nodes):
                bits = reached[node, word]
                if component[node] < 0 and bits:
                    component[node] = source + 64 * word + ones((bits & (~bits + ONE)) - ONE)
    return pairs[: farthest + 1].copy(), component
