"""Null model: as many words and links, placed anywhere."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphs.science.graph import Graph
from graphs.science.null_models.source import NullModel, NullSource

__all__ = ["ERDOS_RENYI"]


def draw_erdos_renyi(source: NullSource, random: Generator) -> Graph:
    """Draw G(n, m): m of the n(n−1)/2 pairs of nodes, every choice equally likely.

    Often disconnected at the density of a text, so report in how many draws. The observed weights are dealt to the
    new edges at random.

    References
    ----------
    P. Erdős and A. Rényi (1959). On random graphs I. *Publicationes Mathematicae* 6, 290-297.
    """
    edges, weights = source.simple_part()
    n = source.graph.nodes
    pairs = random.choice(n * (n - 1) // 2, size=len(edges), replace=False) if len(edges) else np.zeros(0, np.int64)
    return source.with_loops(_pairs_of_nodes(pairs), weights)


def _pairs_of_nodes(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Turn the number k = j(j−1)/2 + i of a pair into its nodes i < j."""
    larger = ((1 + np.sqrt(1 + 8 * numbers.astype(np.float64))) / 2).astype(np.int64)
    # The square root may round across a whole number: correct by integer arithmetic.
    larger -= larger * (larger - 1) // 2 > numbers
    larger += (larger + 1) * larger // 2 <= numbers
    return np.column_stack([numbers - larger * (larger - 1) // 2, larger])


ERDOS_RENYI = NullModel(
    key="er",
    label="Erdős–Rényi graph",
    explanation="As many words and as many links, but the links join any words at random. A difference shows that the "
    "text has structure at all.",
    stream=3,
    draw=draw_erdos_renyi,
)
