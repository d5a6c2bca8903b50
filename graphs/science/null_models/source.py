"""What a null model draws from."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from graphs.science.graph import Graph, WordGraph
from graphs.science.settings import GraphSettings

__all__ = ["NullModel", "NullSource"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NullSource:
    """An observed text, as the null models see it.

    Attributes
    ----------
    sequence : ndarray of int64, shape (t,)
        The text's content words as node numbers, in reading order.
    graph : Graph
        The graph built from them.
    settings : GraphSettings
        How it was built.
    """

    sequence: NDArray[np.int64]
    graph: Graph
    settings: GraphSettings

    @classmethod
    def of_text(cls, words: tuple[str, ...], graph: WordGraph, settings: GraphSettings) -> "NullSource":
        """Describe a text by its content words and the graph built from them."""
        number = {word: node for node, word in enumerate(graph.words)}
        sequence = np.array([number[word] for word in words], dtype=np.int64)
        return cls(sequence=sequence, graph=graph, settings=settings)

    def simple_part(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the edges that are no self-loops and their weights: what the graph models rewire."""
        simple = self.graph.edges[:, 0] != self.graph.edges[:, 1]
        return self.graph.edges[simple], self.graph.weights[simple]

    def with_loops(self, edges: NDArray[np.int64], weights: NDArray[np.float64]) -> Graph:
        """Return a graph of these edges and the observed self-loops, which every graph model leaves in place."""
        loops = self.graph.edges[:, 0] == self.graph.edges[:, 1]
        return Graph(
            nodes=self.graph.nodes,
            edges=np.concatenate([edges, self.graph.edges[loops]]),
            weights=np.concatenate([weights, self.graph.weights[loops]]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NullModel:
    """A way to draw a random graph that shares something with an observed text.

    Attributes
    ----------
    key, label : str
        Stable name, and name for people.
    explanation : str
        What it keeps, what it breaks and so what a difference means, in plain words.
    stream : int
        Number of its random stream; never reuse one.
    draw : callable
        Takes a source and a random generator, returns one graph on the same nodes.
    """

    key: str
    label: str
    explanation: str
    stream: int
    draw: Callable[[NullSource, Generator], Graph]
