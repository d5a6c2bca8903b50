"""Null model: the erased configuration model."""

import numpy as np
from numpy.random import Generator

from graphs.science.graph import Graph
from graphs.science.null_models.source import NullModel, NullSource

__all__ = ["CONFIGURATION"]


def draw_configuration(source: NullSource, random: Generator) -> Graph:
    """Pair the half-edges of all words at random, then erase self-loops and surplus parallel edges.

    Keeps degrees approximately: erasing lowers m and mostly the hubs' degrees, so report m. The observed weights are
    dealt to the pairs at random before erasing.

    References
    ----------
    T. Britton, M. Deijfen and A. Martin-Löf (2006). Generating simple random graphs with prescribed degree
    distribution. *Journal of Statistical Physics* 124, 1377-1397.
    """
    edges, weights = source.simple_part()
    halves = random.permutation(edges.ravel()).reshape(-1, 2)
    dealt = random.permutation(weights)
    halves.sort(axis=1)
    proper = halves[:, 0] != halves[:, 1]
    n = max(source.graph.nodes, 1)
    pairs, first_places = np.unique(halves[proper, 0] * n + halves[proper, 1], return_index=True)
    return source.with_loops(np.column_stack(np.divmod(pairs, n)), dealt[proper][first_places])


CONFIGURATION = NullModel(
    key="configuration",
    label="Erased configuration model",
    explanation="Words are joined at random in proportion to their number of neighbours; links of a word to itself "
    "and double links are erased. Like the edge swap, but slightly sparser.",
    stream=4,
    draw=draw_configuration,
)
