import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.science.construction import build_graph, content_words
from graphs.science.graph import Graph, WordGraph
from graphs.science.settings import WEIGHTINGS, GraphSettings, Weighting

pytestmark = pytest.mark.usefixtures("either_engine")

WORDS = st.lists(st.sampled_from(["river", "sand", "silt", "gravel", "dam", "flood"]), max_size=25)


def by_words(graph: WordGraph) -> dict[tuple[str, str], int]:
    return {
        (graph.words[first], graph.words[second]): int(count)
        for (first, second), count in zip(graph.edges, graph.counts, strict=True)
    }


def test_each_word_is_joined_to_the_two_that_follow() -> None:
    graph = build_graph(["river", "sand", "silt", "gravel"], GraphSettings())
    assert by_words(graph) == {
        ("river", "sand"): 1,
        ("river", "silt"): 1,
        ("sand", "silt"): 1,
        ("sand", "gravel"): 1,
        ("silt", "gravel"): 1,
    }


@pytest.mark.parametrize(("window", "edges"), [(2, 3), (3, 5), (4, 6), (10, 6)])
def test_the_window_decides_how_far_a_word_reaches(window: int, edges: int) -> None:
    assert build_graph(["river", "sand", "silt", "gravel"], GraphSettings(window=window)).size == edges


def test_repeated_meetings_are_counted_in_either_order() -> None:
    graph = build_graph(["river", "sand", "river", "sand"], GraphSettings(window=2, weighting="count"))
    assert by_words(graph) == {("river", "sand"): 3}
    assert graph.weights.tolist() == [3.0]


def test_a_word_that_meets_itself_makes_no_edge() -> None:
    assert by_words(build_graph(["step", "step", "on"], GraphSettings())) == {("step", "on"): 2}


def test_self_loops_are_an_option() -> None:
    graph = build_graph(["step", "step", "on"], GraphSettings(self_loops=True))
    assert by_words(graph) == {("step", "step"): 1, ("step", "on"): 2}
    assert graph.adjacency().tolist() == [[1.0, 1.0], [1.0, 0.0]]


def test_nodes_stand_in_order_of_appearance() -> None:
    assert build_graph(["silt", "river", "silt", "dam"], GraphSettings()).words == ("silt", "river", "dam")


@pytest.mark.parametrize(("words", "nodes"), [([], 0), (["river"], 1), (["river", "river"], 1)])
def test_texts_too_short_for_an_edge(words: list[str], nodes: int) -> None:
    graph = build_graph(words, GraphSettings())
    assert (graph.nodes, graph.size) == (nodes, 0)
    assert graph.adjacency().shape == (nodes, nodes)


def test_stop_words_and_short_tokens_are_left_out() -> None:
    assert content_words("We saw an ox by the river", GraphSettings(minimum_token_length=3)) == ["saw", "river"]


@given(WORDS, st.integers(2, 10), st.booleans())
def test_counts_are_those_of_a_plain_loop(words: list[str], window: int, self_loops: bool) -> None:
    expected = nx.Graph()
    expected.add_nodes_from(words)
    for position, word in enumerate(words):
        for other in words[position + 1 : position + window]:
            if word != other or self_loops:
                weight = expected.get_edge_data(word, other, {"weight": 0})["weight"]
                expected.add_edge(word, other, weight=weight + 1)
    graph = build_graph(words, GraphSettings(window=window, self_loops=self_loops, weighting="count"))
    assert {frozenset(pair): count for pair, count in by_words(graph).items()} == {
        frozenset(pair): count for *pair, count in expected.edges(data="weight")
    }
    assert set(graph.words) == set(expected)


@given(WORDS, st.sampled_from(WEIGHTINGS), st.booleans())
def test_weights_are_positive_and_pairs_are_sorted(words: list[str], weighting: Weighting, loops: bool) -> None:
    graph = build_graph(words, GraphSettings(weighting=weighting, self_loops=loops))
    assert (graph.weights > 0).all()
    assert (graph.edges[:, 0] <= graph.edges[:, 1]).all()
    assert graph.nodes == len(set(words))
    rebuilt = Graph.from_edges(graph.nodes, map(tuple, graph.edges.tolist()), graph.weights.tolist())
    assert rebuilt.adjacency().tolist() == graph.adjacency().tolist()


def test_binary_edges_weigh_one() -> None:
    assert set(build_graph(["river", "sand", "river", "sand"], GraphSettings()).weights) == {1.0}


@pytest.mark.parametrize(
    ("edges", "weights"),
    [([(0, 2)], None), ([(-1, 0)], None), ([(0, 1), (1, 0)], None), ([(0, 1)], [0.0]), ([(0, 1)], [1.0, 2.0])],
)
def test_edges_that_make_no_graph_are_refused(edges: list[tuple[int, int]], weights: list[float] | None) -> None:
    with pytest.raises(ValueError, match="edge"):
        Graph.from_edges(2, edges, weights)
