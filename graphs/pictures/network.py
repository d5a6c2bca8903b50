"""A co-occurrence graph drawn: words as circles, meetings as lines."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphs.pictures.groups import Group, group_words
from graphs.pictures.labels import Label, place_labels
from graphs.pictures.layout import stress_layout
from graphs.science.construction import build_graph, content_words
from graphs.science.graph import Graph, WordGraph
from graphs.science.settings import GraphSettings

__all__ = ["Link", "Network", "Node", "draw_network", "draw_text"]

WIDTH = 960
MARGIN = 56.0
#: Height over width is kept between these, whatever the shape of the cloud.
FLATTEST, TALLEST = 0.45, 0.72
FONT_SIZE = 15.0
MOST_WORDS = 120
STRONGEST = 5.0


@dataclass(frozen=True)
class Node:
    """A word; `degree` is the number of different words it meets, `group` the community it belongs to."""

    word: str
    degree: int
    group: Group
    x: float
    y: float
    radius: float
    label: Label | None


@dataclass(frozen=True)
class Link:
    """Two words that met `count` times; the line is as thick as that."""

    first: Node
    second: Node
    count: int
    width: float


@dataclass(frozen=True)
class Network:
    """The drawn part of a graph of `words` words: all of it, or its best-connected words.

    The communities are those of the whole graph, the largest first; without links there is no modularity.
    """

    width: int
    height: int
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    words: int
    groups: tuple[Group, ...]
    modularity: float | None
    font_size: float

    @property
    def is_partial(self) -> bool:
        return len(self.nodes) < self.words

    @property
    def unlabelled(self) -> int:
        return sum(node.label is None for node in self.nodes)

    @property
    def by_degree(self) -> list[Node]:
        """The words, best connected first."""
        return sorted(self.nodes, key=lambda node: (-node.degree, node.word))


def draw_text(body: str, settings: GraphSettings, *, font_size: float = FONT_SIZE) -> Network | None:
    """Draw the graph that a text is scored by under these settings."""
    return draw_network(build_graph(content_words(body, settings), settings), font_size=font_size)


def draw_network(graph: WordGraph, *, font_size: float = FONT_SIZE) -> Network | None:
    """Lay out a co-occurrence graph, always the same way; None for a graph without words.

    A picture that is shown small needs a larger font, and then has room for fewer labels.

    Beyond `MOST_WORDS` words only the best connected are drawn: more could not be told apart.
    """
    if not graph.nodes:
        return None
    degrees = _degrees(graph)
    drawn = _best_connected(degrees)
    part, counts = _induced(graph, drawn)
    places, height = _fit(stress_layout(part))
    circles = [
        (round(float(x), 1), round(float(y), 1), round(2.5 + 1.1 * math.sqrt(degrees[node]), 1))
        for (x, y), node in zip(places, drawn, strict=True)
    ]
    words = [graph.words[node] for node in drawn]
    order = sorted(range(len(drawn)), key=lambda node: (-degrees[drawn[node]], node))
    labels = place_labels(words, circles, order=order, size=font_size, frame=(WIDTH, height))
    grouping = group_words(graph, degrees)
    nodes = tuple(
        Node(word, int(degrees[drawn[number]]), grouping.group_of(drawn[number]), *circles[number], labels.get(number))
        for number, word in enumerate(words)
    )
    links = tuple(
        Link(nodes[first], nodes[second], int(count), round(min(1 + 1.2 * (int(count) - 1), STRONGEST), 1))
        for (first, second), count in zip(part.edges.tolist(), counts, strict=True)
        if first != second
    )
    return Network(
        width=WIDTH,
        height=height,
        nodes=nodes,
        links=links,
        words=graph.nodes,
        groups=grouping.groups,
        modularity=grouping.modularity,
        font_size=font_size,
    )


def _degrees(graph: WordGraph) -> NDArray[np.int64]:
    apart = graph.edges[graph.edges[:, 0] != graph.edges[:, 1]]
    return np.bincount(apart.ravel(), minlength=graph.nodes)


def _best_connected(degrees: NDArray[np.int64]) -> list[int]:
    chosen = np.argsort(-degrees, kind="stable")[:MOST_WORDS]
    return sorted(int(node) for node in chosen)


def _induced(graph: WordGraph, drawn: Sequence[int]) -> tuple[Graph, NDArray[np.int64]]:
    """The graph among the drawn words, renumbered, and how often each of its pairs met."""
    number = np.full(graph.nodes, -1)
    number[list(drawn)] = np.arange(len(drawn))
    edges = number[graph.edges]
    kept = np.all(edges >= 0, axis=1)
    return Graph(nodes=len(drawn), edges=edges[kept], weights=np.ones(int(kept.sum()))), graph.counts[kept]


def _fit(places: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Stretch the cloud into the frame, each direction by its own factor within reason; places and height."""
    low, high = places.min(axis=0), places.max(axis=0)
    extent = np.maximum(high - low, 1e-9)
    ratio = min(max(float(extent[1] / extent[0]), FLATTEST), TALLEST)
    height = round(WIDTH * ratio)
    room = np.array([WIDTH - 2 * MARGIN, height - 2 * MARGIN])
    scale = np.where(high - low > 1e-6, room / extent, 0.0)
    # A cloud that is nearly a line is not blown up across its length.
    scale = np.minimum(scale, 3 * scale[scale > 0].min() if np.any(scale > 0) else 0.0)
    fitted: NDArray[np.float64] = (places - (low + high) / 2) * scale + np.array([WIDTH, height]) / 2
    return fitted, height
