import networkx as nx
import numpy as np
import pytest

from graphs.science import place_among
from graphs.science.neighbourhood import document_graph


def unit_vectors(count: int, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, 6)) + 1
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(5))
def test_values_are_those_of_networkx_and_of_the_vectors(seed: int) -> None:
    vectors = unit_vectors(15, seed)
    similarities = vectors @ vectors.T
    document = int(np.argsort(similarities.sum(axis=0))[10])
    place = place_among(similarities, document=document)
    pairs = similarities[np.triu_indices(15, k=1)]
    assert place.threshold == np.median(pairs)
    network = nx.Graph([(a, b) for b in range(15) for a in range(b) if similarities[a, b] >= place.threshold])
    network.add_nodes_from(range(15))
    assert place.degree == network.degree[document]
    assert place.degree_share == pytest.approx(network.degree[document] / 14)
    assert place.betweenness == pytest.approx(nx.betweenness_centrality(network)[document])
    assert place.clustering == pytest.approx(nx.clustering(network, document))
    others = np.delete(vectors, document, axis=0)
    centroid = others.mean(axis=0) / np.linalg.norm(others.mean(axis=0))
    assert place.centroid_distance == pytest.approx(1 - vectors[document] @ centroid)
    assert place.mean_centroid_distance == pytest.approx(np.mean(1 - others @ centroid))
    assert place.undefined == {}


def test_a_bridge_between_two_groups() -> None:
    similarities = np.eye(5)
    for a, b in ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (3, 4)):
        similarities[a, b] = similarities[b, a] = 0.9
    place = place_among(similarities, threshold=0.5)
    assert place.degree == 4
    assert place.betweenness == pytest.approx(4 / 6)
    assert place.clustering == pytest.approx(2 / 6)


def test_the_threshold_is_reached_by_equality_and_excludes_what_is_below() -> None:
    similarities = np.array([[1, 0.5, 0.49], [0.5, 1, 0.2], [0.49, 0.2, 1]])
    assert document_graph(similarities, 0.5).edges.tolist() == [[0, 1]]


def test_what_is_undefined_has_its_reason() -> None:
    alone = place_among([[1.0]])
    assert (alone.degree, alone.degree_share, alone.betweenness, alone.centroid_distance) == (0, None, None, None)
    assert alone.undefined.keys() == {
        *("degree_share", "betweenness", "clustering", "centroid_distance", "mean_centroid_distance"),
    }
    opposite = place_among([[1, 0, 0], [0, 1, -1], [0, -1, 1]], threshold=0.5)
    assert opposite.centroid_distance is None
    assert "centroid" in opposite.undefined["centroid_distance"]
    assert opposite.clustering is None


@pytest.mark.parametrize(
    ("similarities", "document", "message"),
    [
        ([[1, 0.2]], 0, "square"),
        ([[1, 0.2], [0.3, 1]], 0, "symmetric"),
        ([[1, np.nan], [np.nan, 1]], 0, "finite"),
        ([[1, 0.2], [0.2, 1]], 2, "no document 2 among 2"),
    ],
)
def test_bad_input_is_refused(similarities: list[list[float]], document: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        place_among(similarities, document)
