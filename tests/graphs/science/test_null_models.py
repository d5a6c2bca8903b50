from collections import Counter

import networkx as nx
import numpy as np
import pytest
from scipy.stats import chisquare

from graphs.science.graph import Graph
from graphs.science.null_models import NULL_MODELS, NullSource
from graphs.science.null_models.erdos_renyi import _pairs_of_nodes
from graphs.science.scoring import TextScore, score_text
from graphs.science.settings import GraphSettings

pytestmark = pytest.mark.usefixtures("either_engine")

TEXT = (
    "Tailings dams settle slowly. We measured how fine particles settle in tailings ponds step by step, and found that "
    "fine particles, unlike coarse particles, keep tailings soft; dams on soft tailings move when ponds rise."
)
GRAPH_MODELS = [key for key in NULL_MODELS if key != "shuffle"]


def source_of(score: TextScore) -> NullSource:
    return NullSource.of_text(score.words, score.graph, score.settings)


def source_of_graph(nodes: int, edges: list[tuple[int, int]]) -> NullSource:
    graph = Graph.from_edges(nodes, edges)
    return NullSource(sequence=np.zeros(0, dtype=np.int64), graph=graph, settings=GraphSettings())


def draw(source: NullSource, model: str, seed: int) -> Graph:
    return NULL_MODELS[model].draw(source, np.random.default_rng(seed))


def degrees(graph: Graph) -> list[int]:
    simple = graph.edges[graph.edges[:, 0] != graph.edges[:, 1]]
    return np.bincount(simple.ravel(), minlength=graph.nodes).tolist()


def shapes(source: NullSource, model: str, draws: int) -> Counter[tuple[tuple[int, int], ...]]:
    return Counter(tuple(sorted(map(tuple, draw(source, model, seed).edges.tolist()))) for seed in range(draws))


@pytest.mark.parametrize("model", NULL_MODELS)
@pytest.mark.parametrize("settings", [GraphSettings(), GraphSettings(weighting="count", self_loops=True)])
def test_a_draw_is_a_graph_on_the_same_words(model: str, settings: GraphSettings) -> None:
    score = score_text(TEXT, settings)
    for seed in range(20):
        drawn = draw(source_of(score), model, seed)
        assert drawn.nodes == score.graph.nodes
        Graph.from_edges(drawn.nodes, map(tuple, drawn.edges.tolist()), drawn.weights.tolist())
        assert (drawn.edges[:, 0] <= drawn.edges[:, 1]).all()
        if not settings.self_loops:
            assert (drawn.edges[:, 0] < drawn.edges[:, 1]).all()


@pytest.mark.parametrize("model", NULL_MODELS)
def test_a_draw_differs_from_the_text_and_leaves_it_alone(model: str) -> None:
    score = score_text(TEXT)
    before = score.graph.adjacency()
    assert not np.array_equal(draw(source_of(score), model, 1).adjacency(), before)
    assert np.array_equal(score.graph.adjacency(), before)


@pytest.mark.parametrize("model", GRAPH_MODELS)
def test_self_loops_stay_where_they_are(model: str) -> None:
    score = score_text(TEXT, GraphSettings(self_loops=True, weighting="count"))
    loops = np.diag(score.graph.adjacency())
    assert loops.any()
    assert np.diag(draw(source_of(score), model, 3).adjacency()).tolist() == loops.tolist()


def test_a_shuffle_keeps_the_words() -> None:
    score = score_text(TEXT, GraphSettings(weighting="count"))
    weights = {draw(source_of(score), "shuffle", seed).weights.sum() for seed in range(10)}
    # Every window position makes one meeting, less those of a word with itself.
    assert max(weights) <= 2 * len(score.words) - 3
    assert len(weights) > 1


def test_swaps_keep_every_degree_and_the_weights() -> None:
    score = score_text(TEXT, GraphSettings(weighting="count"))
    for seed in range(20):
        drawn = draw(source_of(score), "swap", seed)
        assert degrees(drawn) == degrees(score.graph)
        assert sorted(drawn.weights) == sorted(score.graph.weights)


def test_erdos_renyi_keeps_the_number_of_edges_and_the_weights() -> None:
    score = score_text(TEXT, GraphSettings(weighting="count"))
    drawn = draw(source_of(score), "er", 0)
    assert drawn.size == score.graph.size
    assert sorted(drawn.weights) == sorted(score.graph.weights)


def test_the_configuration_model_never_raises_a_degree() -> None:
    score = score_text(TEXT)
    kept = [draw(source_of(score), "configuration", seed) for seed in range(50)]
    for drawn in kept:
        assert all(new <= old for new, old in zip(degrees(drawn), degrees(score.graph), strict=True))
    assert 0.8 * score.graph.size < np.mean([drawn.size for drawn in kept]) < score.graph.size


def test_swaps_are_uniform_over_graphs_with_the_same_degrees() -> None:
    """A hexagon has 70 labelled rewirings: 60 hexagons and 10 pairs of triangles."""
    counts = shapes(source_of_graph(6, [(i, (i + 1) % 6) for i in range(6)]), "swap", 7000)
    assert len(counts) == 70
    assert chisquare(list(counts.values())).pvalue > 1e-3


def test_swaps_are_uniform_where_degrees_differ() -> None:
    """Counting rejected proposals as steps matters where graphs differ in how many swaps they allow."""
    edges = [(0, 1), (0, 2), (0, 3), (1, 2), (3, 4), (4, 5)]
    wanted = degrees(Graph.from_edges(6, edges))
    pairs = [(a, b) for a in range(6) for b in range(a + 1, 6)]
    expected = sum(
        degrees(Graph.from_edges(6, [pair for bit, pair in enumerate(pairs) if number >> bit & 1])) == wanted
        for number in range(1 << 15)
        if number.bit_count() == len(edges)
    )
    counts = shapes(source_of_graph(6, edges), "swap", 6000)
    assert len(counts) == expected
    assert chisquare(list(counts.values())).pvalue > 1e-3


def test_erdos_renyi_is_uniform() -> None:
    counts = shapes(source_of_graph(4, [(0, 1), (1, 2), (2, 3)]), "er", 4000)
    assert len(counts) == 20
    assert chisquare(list(counts.values())).pvalue > 1e-3


def test_shuffles_are_uniform() -> None:
    score = score_text("river sand silt dam", GraphSettings(window=2))
    counts = shapes(source_of(score), "shuffle", 4800)
    assert len(counts) == 12
    assert chisquare(list(counts.values())).pvalue > 1e-3


def test_half_edges_are_paired_uniformly() -> None:
    """Two edges have three pairings of their four half-edges."""
    counts = shapes(source_of_graph(4, [(0, 1), (2, 3)]), "configuration", 3000)
    assert len(counts) == 3
    assert chisquare(list(counts.values())).pvalue > 1e-3


@pytest.mark.parametrize("n", [2, 3, 50, 3000])
def test_numbers_of_pairs_cover_all_pairs(n: int) -> None:
    last = n * (n - 1) // 2
    numbers = np.arange(last) if n <= 50 else np.concatenate([np.arange(1000), np.arange(last - 6000, last)])
    pairs = _pairs_of_nodes(numbers)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert pairs.min() == 0
    assert pairs.max() == n - 1
    assert (pairs[:, 1] * (pairs[:, 1] - 1) // 2 + pairs[:, 0]).tolist() == numbers.tolist()


@pytest.mark.parametrize("model", NULL_MODELS)
@pytest.mark.parametrize("text", ["", "river", "river sand"])
def test_texts_without_anything_to_rewire(model: str, text: str) -> None:
    score = score_text(text)
    drawn = draw(source_of(score), model, 0)
    assert (drawn.nodes, drawn.size <= score.graph.size) == (score.graph.nodes, True)


def test_a_star_cannot_be_rewired() -> None:
    star = list(nx.star_graph(6).edges)
    assert shapes(source_of_graph(7, star), "swap", 20) == {tuple(sorted(star)): 20}


def test_streams_are_never_shared() -> None:
    assert len({model.stream for model in NULL_MODELS.values()}) == len(NULL_MODELS)
    assert {key: model.key for key, model in NULL_MODELS.items()} == {key: key for key in NULL_MODELS}
