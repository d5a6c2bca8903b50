"""Which words of a sequence meet, and how often."""

import numpy as np

from graphs.science.kernel.compilation import Integers, compiled

__all__ = ["count_pairs"]


@compiled
def count_pairs(sequence: Integers, nodes: int, window: int, self_loops: bool) -> tuple[Integers, Integers]:
    """Return the distinct pairs of nodes that meet inside the window, sorted, (m, 2), and how often, (m,)."""
    length = len(sequence)
    most = length * (window - 1)
    first, second = np.empty(most, np.int64), np.empty(most, np.int64)
    total = 0
    for place in range(length):
        for other in range(place + 1, min(place + window, length)):
            a, b = sequence[place], sequence[other]
            if a != b or self_loops:
                first[total], second[total] = min(a, b), max(a, b)
                total += 1
    # Two stable counting sorts, the less significant node first.
    order = _sorted_order(first[:total], _sorted_order(second[:total], np.arange(total), nodes), nodes)
    edges, counts = np.empty((total, 2), np.int64), np.zeros(total, np.int64)
    size = 0
    for pair in order:
        a, b = first[pair], second[pair]
        if size == 0 or edges[size - 1, 0] != a or edges[size - 1, 1] != b:
            edges[size, 0], edges[size, 1] = a, b
            size += 1
        counts[size - 1] += 1
    return edges[:size].copy(), counts[:size].copy()


@compiled
def _sorted_order(keys: Integers, order: Integers, largest: int) -> Integers:
    """Sort an order of items by their keys, 0 … largest − 1, keeping ties as they are."""
    starts = np.zeros(largest + 1, np.int64)
    for key in keys:
        starts[key + 1] += 1
    for key in range(largest):
        starts[key + 1] += starts[key]
    result = np.empty_like(order)
    for item in order:
        result[starts[keys[item]]] = item
        starts[keys[item]] += 1
    return result
