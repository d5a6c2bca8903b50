"""Null model: the same words in another order."""

from numpy.random import Generator

from graphs.science.construction import graph_of_sequence
from graphs.science.graph import Graph
from graphs.science.null_models.source import NullModel, NullSource

__all__ = ["WORD_SHUFFLE"]


def draw_word_shuffle(source: NullSource, random: Generator) -> Graph:
    """Permute the content words uniformly and slide the same window over them.

    Keeps n and how often each word occurs. The number of edges changes, usually upwards, since repeated phrases are
    torn apart: part of any difference is the edge count, so report m beside it.
    """
    return graph_of_sequence(random.permutation(source.sequence), source.graph.nodes, source.settings)


WORD_SHUFFLE = NullModel(
    key="shuffle",
    label="Word shuffle",
    explanation="The same words in random order. A difference shows that the order of the words matters, not only "
    "which words occur and how often.",
    stream=1,
    draw=draw_word_shuffle,
)
