from collections import Counter
from math import log

import numpy as np
import pytest

from graphs.science.association import npmi, ppmi
from graphs.science.construction import build_graph
from graphs.science.settings import GraphSettings, Weighting

WORDS = ["river", "sand", "river", "silt", "dam", "sand", "river", "gravel", "dam", "silt", "dam", "river"]


def information(words: list[str], window: int) -> dict[frozenset[str], tuple[float, float]]:
    """Return PMI and joint probability of each pair, from the matrix of ordered meetings."""
    meetings = Counter[tuple[str, str]]()
    for position, word in enumerate(words):
        for other in words[position + 1 : position + window]:
            if word != other:
                meetings[word, other] += 1
                meetings[other, word] += 1
    total = meetings.total()
    share = {word: sum(count for pair, count in meetings.items() if pair[0] == word) / total for word in set(words)}
    return {
        frozenset(pair): (log(count / total / (share[pair[0]] * share[pair[1]])), count / total)
        for pair, count in meetings.items()
    }


@pytest.mark.parametrize("weighting", ["ppmi", "npmi"])
def test_weights_are_those_of_the_matrix_of_meetings(weighting: Weighting) -> None:
    expected = {
        pair: value if weighting == "ppmi" else value / -log(joint)
        for pair, (value, joint) in information(WORDS, 3).items()
        if value > 0
    }
    graph = build_graph(WORDS, GraphSettings(weighting=weighting))
    actual = {
        frozenset((graph.words[first], graph.words[second])): weight
        for (first, second), weight in zip(graph.edges, graph.weights, strict=True)
    }
    assert actual == pytest.approx(expected)
    assert 0 < len(expected) < len(information(WORDS, 3))


def test_words_that_meet_each_other_only_are_fully_associated() -> None:
    edges, counts = np.array([[0, 1], [2, 3]]), np.array([4, 7])
    assert npmi(4, edges, counts) == pytest.approx([1.0, 1.0])
    assert ppmi(4, edges, counts) == pytest.approx([log(22 / 4), log(22 / 7)])


def test_a_word_that_meets_itself_only_carries_no_information() -> None:
    edges, counts = np.array([[0, 0]]), np.array([3])
    assert ppmi(1, edges, counts).tolist() == [0.0]
    assert npmi(1, edges, counts).tolist() == [0.0]


def test_no_edges_no_weights() -> None:
    edges, counts = np.zeros((0, 2), dtype=np.int64), np.zeros(0, dtype=np.int64)
    assert ppmi(3, edges, counts).shape == npmi(3, edges, counts).shape == (0,)
