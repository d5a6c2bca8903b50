"""From a text to its graph and metrics in one call."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphs.science.construction import build_graph, content_words
from graphs.science.graph import WordGraph
from graphs.science.metrics import GraphMetrics, compute_metrics
from graphs.science.settings import GraphSettings

__all__ = ["TextScore", "score_text", "score_words"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextScore:
    """A scored text.

    Attributes
    ----------
    words : tuple of str
        Content words in reading order, repeats included: what the graph was built from.
    graph : WordGraph
        Their co-occurrence graph.
    metrics : GraphMetrics
        Its metrics.
    settings : GraphSettings
        How it was built.
    """

    words: tuple[str, ...]
    graph: WordGraph
    metrics: GraphMetrics
    settings: GraphSettings


def score_text(text: str, settings: GraphSettings | None = None) -> TextScore:
    """Tokenise a text, build its co-occurrence graph and compute its metrics.

    Parameters
    ----------
    text : str
        Running text, possibly empty.
    settings : GraphSettings, optional
        Window of three, NLTK's 179 English stop words and binary edges unless given.

    Examples
    --------
    >>> score = score_text("Slow rivers carry sand. Slow rivers carry silt.")
    >>> score.graph.words
    ('slow', 'rivers', 'carry', 'sand', 'silt')
    >>> score.metrics.global_efficiency
    0.9
    """
    settings = settings or GraphSettings()
    return score_words(content_words(text, settings), settings)


def score_words(words: Sequence[str], settings: GraphSettings) -> TextScore:
    """Do the same for content words that are there already."""
    graph = build_graph(words, settings)
    return TextScore(words=tuple(words), graph=graph, metrics=compute_metrics(graph), settings=settings)
