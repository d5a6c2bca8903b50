"""Communities of a drawn graph: a colour each, and the words that speak for them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphs.science.communities import detect_communities
from graphs.science.graph import WordGraph

__all__ = ["Group", "Grouping", "group_words"]

#: Colours that can still be told apart; the smallest communities share the last one.
COLOURS = 6
LEADING = 4
RUNS = 3


@dataclass(frozen=True)
class Group:
    """Words that meet each other more than the rest; `leading` are the best connected of them."""

    number: int
    colour: int
    size: int
    leading: tuple[str, ...]


@dataclass(frozen=True)
class Grouping:
    """The communities of a graph, the largest first, and the community of each node."""

    groups: tuple[Group, ...]
    modularity: float | None
    labels: NDArray[np.int64]

    def group_of(self, node: int) -> Group:
        return self.groups[int(self.labels[node])]


def group_words(graph: WordGraph, degrees: Sequence[int] | NDArray[np.int64]) -> Grouping:
    """Find the communities of a whole graph, always the same ones."""
    found = detect_communities(graph, runs=RUNS)
    groups = []
    for label in range(found.count):
        nodes = [int(node) for node in np.flatnonzero(found.labels == label)]
        leading = sorted(nodes, key=lambda node: (-int(degrees[node]), node))[:LEADING]
        words = tuple(graph.words[node] for node in leading)
        groups.append(Group(label + 1, min(label, COLOURS), len(nodes), words))
    return Grouping(tuple(groups), found.modularity, found.labels)
