import networkx as nx
import numpy as np
import pytest

from graphs.science import detect_communities
from graphs.science.graph import Graph


def cliques(sizes: list[int]) -> Graph:
    """Complete graphs in a ring, each joined to the next by one edge."""
    edges, starts = [], np.concatenate([[0], np.cumsum(sizes)])
    for start, size in zip(starts.tolist(), sizes, strict=False):
        edges += [(start + a, start + b) for b in range(size) for a in range(b)]
    firsts = starts[:-1].tolist()
    edges += [tuple(sorted((a, b))) for a, b in zip(firsts, [*firsts[1:], firsts[0]], strict=True)]
    return Graph.from_edges(int(starts[-1]), edges)


def test_cliques_are_communities_the_largest_first() -> None:
    found = detect_communities(cliques([4, 6, 5]))
    assert found.labels.tolist() == [2] * 4 + [0] * 6 + [1] * 5
    assert found.count == 3
    assert found.reason is None


def test_modularity_is_that_of_the_definition() -> None:
    graph = cliques([4, 6, 5])
    weighted = Graph(nodes=graph.nodes, edges=graph.edges, weights=np.linspace(1, 3, graph.size))
    for each in (graph, weighted):
        found = detect_communities(each, resolution=0.8)
        adjacency = each.adjacency()
        strength = adjacency.sum(axis=0)
        same = found.labels[:, None] == found.labels[None, :]
        expected = ((adjacency - 0.8 * np.outer(strength, strength) / strength.sum()) * same).sum() / strength.sum()
        assert found.modularity == pytest.approx(expected, rel=1e-12)


def test_the_known_optimum_of_the_karate_club_is_found() -> None:
    karate = nx.karate_club_graph()
    found = detect_communities(Graph.from_edges(34, list(karate.edges)))
    assert found.count == 4
    assert found.modularity == pytest.approx(0.4198, abs=5e-5)


def test_a_seed_gives_one_partition_and_more_runs_none_that_is_worse() -> None:
    random = nx.gnm_random_graph(60, 120, seed=3)
    graph = Graph.from_edges(60, list(random.edges))
    once, again = detect_communities(graph, seed=5), detect_communities(graph, seed=5)
    assert once.labels.tolist() == again.labels.tolist()
    single = detect_communities(graph, seed=5, runs=1)
    assert once.modularity is not None
    assert single.modularity is not None
    assert once.modularity >= single.modularity


def test_without_edges_there_is_no_modularity() -> None:
    found = detect_communities(Graph.from_edges(3, []))
    assert found.labels.tolist() == [0, 1, 2]
    assert (found.count, found.modularity, found.reason) == (3, None, "needs at least one edge")
    assert detect_communities(Graph.from_edges(0, [])).count == 0


def test_isolated_words_are_communities_of_their_own() -> None:
    found = detect_communities(Graph.from_edges(5, [(0, 1), (1, 2), (0, 2)]))
    assert found.labels.tolist() == [0, 0, 0, 1, 2]


def test_at_least_one_run() -> None:
    with pytest.raises(ValueError, match="one run"):
        detect_communities(cliques([3, 3, 3]), runs=0)
