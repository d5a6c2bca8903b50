"""Null model: every word keeps its number of neighbours."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphs.science import engine
from graphs.science.graph import Graph
from graphs.science.null_models.source import NullModel, NullSource

__all__ = ["EDGE_SWAP", "STEPS_PER_EDGE"]

#: Proposals an edge: each edge is proposed about twenty times over a draw.
STEPS_PER_EDGE = 10


def draw_edge_swap(source: NullSource, random: Generator) -> Graph:
    """Rewire the graph by random double-edge swaps.

    A step picks two edges a–b and c–d and an orientation at random and proposes a–d and c–b. A proposal that would
    make a self-loop or a double edge is rejected, and *counts as a step*: only then is the chain's stationary
    distribution uniform over the simple graphs with these degrees. Each edge carries its weight along, so that
    degrees and the multiset of weights are kept; strengths are not.

    References
    ----------
    B. K. Fosdick, D. B. Larremore, J. Nishimura and J. Ugander (2018). Configuring random graph models with fixed
    degree sequences. *SIAM Review* 60(2), 315-355.
    """
    edges, weights = source.simple_part()
    m = len(edges)
    if m < 2:
        return source.graph
    steps = STEPS_PER_EDGE * m
    firsts = random.integers(m, size=steps)
    # The second edge is another one: an offset of 1 … m−1 from the first, around the list.
    offsets = random.integers(1, m, size=steps)
    turns = random.integers(2, size=steps)
    kernel = engine.loaded_kernel()
    if kernel is not None:
        ends = edges.copy()
        kernel.swap_edges(source.graph.nodes, ends, firsts, offsets, turns)
    else:
        ends = swap_edges(edges, firsts, offsets, turns)
    return source.with_loops(ends, weights)


def swap_edges(
    edges: NDArray[np.int64], firsts: NDArray[np.int64], offsets: NDArray[np.int64], turns: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the edges after all proposals, without the kernel."""
    ends: list[list[int]] = edges.tolist()
    present = {(a, b) for a, b in ends}
    for first, offset, turn in zip(firsts.tolist(), offsets.tolist(), turns.tolist(), strict=True):
        second = (first + offset) % len(ends)
        a, b = ends[first]
        c, d = ends[second]
        if turn:
            c, d = d, c
        one = (a, d) if a < d else (d, a)
        other = (c, b) if c < b else (b, c)
        if a == d or c == b or one in present or other in present:
            continue
        present.remove((a, b))
        present.remove((d, c) if turn else (c, d))
        present.add(one)
        present.add(other)
        ends[first] = list(one)
        ends[second] = list(other)
    return np.array(ends, dtype=np.int64)


EDGE_SWAP = NullModel(
    key="swap",
    label="Degree-preserving edge swap",
    explanation="Every word keeps its number of neighbours, but who they are is random. A difference shows that the "
    "pattern of links matters, not only how many links each word has.",
    stream=2,
    draw=draw_edge_swap,
)
