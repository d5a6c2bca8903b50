"""From words in order to a co-occurrence graph."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphs.science import engine
from graphs.science.association import npmi, ppmi
from graphs.science.graph import Graph, WordGraph
from graphs.science.lemmatisation import lemmatise
from graphs.science.settings import GraphSettings
from graphs.science.tokenisation import tokenise

__all__ = ["build_graph", "content_words", "cooccurrences", "graph_of_sequence", "weigh"]

#: Weightings under which a weight can be 0 and its edge is dropped.
_CAN_DROP = ("ppmi", "npmi")


def content_words(text: str, settings: GraphSettings) -> list[str]:
    """Return the tokens of a text that are long enough and no stop words, in order of appearance.

    Under ``settings.lemmatise`` those that are left lose their plural.
    """
    stopwords = settings.stopwords.words
    shortest = settings.minimum_token_length
    words = [token for token in tokenise(text) if token not in stopwords and len(token) >= shortest]
    return [lemmatise(word) for word in words] if settings.lemmatise else words


def build_graph(words: Sequence[str], settings: GraphSettings) -> WordGraph:
    """Join the words that meet inside a sliding window.

    Each word is joined to the ``settings.window - 1`` words that follow it. A repeated meeting raises the edge's
    count; a word that meets itself makes no edge unless ``settings.self_loops``.

    Parameters
    ----------
    words : sequence of str
        Content words in order, length at least 0.
    settings : GraphSettings
        Window, weighting and self-loops are used here.

    Returns
    -------
    WordGraph
        Nodes in order of first appearance, edges sorted by node. Under PPMI and NPMI an edge whose weight is not
        positive is dropped while its words stay, so that only there a graph of one text can fall apart.
    """
    index: dict[str, int] = {}
    numbers = [index.setdefault(word, len(index)) for word in words]
    sequence = np.fromiter(numbers, np.int64, len(numbers))
    edges, counts = cooccurrences(sequence, len(index), settings)
    weights = weigh(len(index), edges, counts, settings)
    if settings.weighting in _CAN_DROP:
        kept = weights > 0
        edges, weights, counts = edges[kept], weights[kept], counts[kept]
    return WordGraph(nodes=len(index), edges=edges, weights=weights, words=tuple(index), counts=counts)


def cooccurrences(
    sequence: NDArray[np.int64], nodes: int, settings: GraphSettings
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count how often two nodes of a sequence meet inside the window.

    Parameters
    ----------
    sequence : ndarray of int64, shape (t,)
        Node numbers in reading order, each in 0 … nodes−1.
    nodes : int
        Number of nodes.
    settings : GraphSettings
        Window and self-loops are used.

    Returns
    -------
    edges : ndarray of int64, shape (m, 2)
        Distinct pairs, smaller node first, sorted.
    counts : ndarray of int64, shape (m,)
        Number of meetings of each pair, at least 1.
    """
    compiled = engine.loaded_kernel()
    if compiled is not None:
        pairs: tuple[NDArray[np.int64], NDArray[np.int64]] = compiled.count_pairs(
            sequence, nodes, settings.window, settings.self_loops
        )
        return pairs
    return cooccurrences_by_numpy(sequence, nodes, settings)


def cooccurrences_by_numpy(
    sequence: NDArray[np.int64], nodes: int, settings: GraphSettings
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Do what `cooccurrences` does without the kernel."""
    steps = range(1, settings.window)
    left = np.concatenate([sequence[:-step] for step in steps])
    right = np.concatenate([sequence[step:] for step in steps])
    keys = np.minimum(left, right) * nodes + np.maximum(left, right)
    if not settings.self_loops:
        keys = keys[left != right]
    pairs, counts = np.unique(keys, return_counts=True)
    return np.column_stack(np.divmod(pairs, max(nodes, 1))), counts.astype(np.int64)


def weigh(
    nodes: int, edges: NDArray[np.int64], counts: NDArray[np.int64], settings: GraphSettings
) -> NDArray[np.float64]:
    """Return the weight of each edge under ``settings.weighting``; 0 means that the edge is to be dropped."""
    match settings.weighting:
        case "count":
            return counts.astype(np.float64)
        case "ppmi":
            return ppmi(nodes, edges, counts)
        case "npmi":
            return npmi(nodes, edges, counts)
        case _:
            return np.ones(len(edges))


def graph_of_sequence(sequence: NDArray[np.int64], nodes: int, settings: GraphSettings) -> Graph:
    """Build the graph of a sequence of node numbers, without words: what `build_graph` does, for null models."""
    edges, counts = cooccurrences(sequence, nodes, settings)
    weights = weigh(nodes, edges, counts, settings)
    if settings.weighting in _CAN_DROP:
        edges, weights = edges[weights > 0], weights[weights > 0]
    return Graph(nodes=nodes, edges=edges, weights=weights)
