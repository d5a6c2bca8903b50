"""Double-edge swaps for the null model of the same degrees."""

import numpy as np

from graphs.science.kernel.bits import ONE
from graphs.science.kernel.compilation import Integers, compiled

__all__ = ["swap_edges"]


@compiled
def swap_edges(nodes: int, ends: Integers, firsts: Integers, offsets: Integers, turns: Integers) -> None:
    """Carry out the proposals of `graphs.science.null_models.edge_swap` on ``ends``, (m, 2), in place."""
    edges = len(ends)
    present = np.zeros((nodes, (nodes + 63) // 64), np.uint64)
    for a, b in ends:
        present[a, b // 64] |= ONE << np.uint64(b % 64)
    for step in range(len(firsts)):
        first = firsts[step]
        second = (first + offsets[step]) % edges
        a, b = ends[first]
        c, d = ends[second]
        if turns[step]:
            c, d = d, c
        low, high = min(a, d), max(a, d)
        lower, higher = min(c, b), max(c, b)
        if low == high or lower == higher:
            continue
        if (present[low, high // 64] >> np.uint64(high % 64)) & ONE:
            continue
        if (present[lower, higher // 64] >> np.uint64(higher % 64)) & ONE:
            continue
        present[a, b // 64] ^= ONE << np.uint64(b % 64)
        present[min(c, d), max(c, d) // 64] ^= ONE << np.uint64(max(c, d) % 64)
        present[low, high // 64] |= ONE << np.uint64(high % 64)
        present[lower, higher // 64] |= ONE << np.uint64(higher % 64)
        ends[first, 0], ends[first, 1] = low, high
        ends[second, 0], ends[second, 1] = lower, higher
