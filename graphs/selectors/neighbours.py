"""A generated abstract among the documents retrieved for it, as a graph whose nodes are documents.

Documents have vectors, a generated text has none, and the web process holds no model to make one. So all of them are
compared by the words they are made of: the cosine of their counts of content words, under the settings of the scores.
That says how much a text says in the words of another one, which for a text written from them is the question.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.models import Document, Retrieved
from generation.models import Abstract
from graphs.science.construction import content_words
from graphs.science.neighbourhood import DocumentPlace, place_among
from graphs.science.settings import GraphSettings


@dataclass(frozen=True)
class Neighbour:
    """A retrieved document; `is_linked` where it shares words with the abstract, as much as half of all pairs do."""

    rank: int
    document: Document
    similarity: float
    is_linked: bool


@dataclass(frozen=True)
class Neighbourhood:
    """Where the abstract sits, and its neighbours in the order in which they were retrieved."""

    place: DocumentPlace
    neighbours: list[Neighbour]


def neighbourhood_of(*, abstract: Abstract, settings: GraphSettings) -> Neighbourhood | None:
    """Place an abstract among its retrieved documents; None where nothing was retrieved. One query."""
    rows = Retrieved.objects.filter(retrieval=abstract.run.cell.retrieval_id)
    retrieved = list(rows.select_related("document", "text").order_by("rank"))
    if not retrieved:
        return None
    bodies = [abstract.text.body, *(row.text.body for row in retrieved)]
    similarities = word_similarities([content_words(body, settings) for body in bodies])
    place = place_among(similarities, threshold=_threshold(similarities))
    neighbours = [
        Neighbour(row.rank, row.document, float(similarity), bool(similarity >= place.threshold))
        for row, similarity in zip(retrieved, similarities[0, 1:], strict=True)
    ]
    return Neighbourhood(place, neighbours)


def _threshold(similarities: NDArray[np.float64]) -> float:
    """The median over all pairs or, where half of them share no word, the least that any pair shares."""
    pairs = similarities[np.triu_indices(len(similarities), k=1)]
    median, shared = float(np.median(pairs)), pairs[pairs > 0]
    return median if median > 0 else float(shared.min()) if len(shared) else 1.0


def word_similarities(texts: list[list[str]]) -> NDArray[np.float64]:
    """Cosines of the word counts of all pairs, shape (N, N); 0 for a text without words, with itself too."""
    counts = [Counter(words) for words in texts]
    number = {word: column for column, word in enumerate(sorted(set().union(*counts)))}
    matrix = np.zeros((len(texts), len(number)))
    for row, counted in enumerate(counts):
        for word, times in counted.items():
            matrix[row, number[word]] = times
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    scaled = np.divide(matrix, lengths, out=np.zeros_like(matrix), where=lengths > 0)
    similarities: NDArray[np.float64] = scaled @ scaled.T
    return similarities
