"""Pictures: the same graph is drawn the same way, near words stand near, and no label covers anything."""

import itertools
import math

import networkx as nx
import numpy as np
import pytest

from graphs.pictures import draw_curve, draw_histogram, draw_network, draw_radar, draw_text
from graphs.pictures.labels import CHARACTER, LINE, place_labels
from graphs.pictures.layout import hop_distances, stress_layout
from graphs.pictures.network import FONT_SIZE, MOST_WORDS
from graphs.pictures.radar import CENTRE, RADIUS
from graphs.science.graph import Graph
from graphs.science.metric_registry import RADAR_AXES, metric
from graphs.science.profile import compute_profile
from graphs.science.scoring import score_text
from graphs.science.settings import GraphSettings
from tests.graphs.texts import sentences

SETTINGS = GraphSettings()


def stress(graph: Graph, places: np.ndarray) -> float:
    wanted = hop_distances(graph)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    pairs = np.triu_indices(graph.nodes, 1)
    return float(np.sum(((apart - wanted)[pairs] / wanted[pairs]) ** 2))


def path(nodes: int) -> Graph:
    return Graph.from_edges(nodes, itertools.pairwise(range(nodes)))


@pytest.mark.parametrize("seed", range(5))
def test_hop_distances_are_those_of_networkx(seed: int) -> None:
    edges = nx.gnm_random_graph(12, 20, seed=seed).edges
    graph = Graph.from_edges(12, edges)
    expected = dict(nx.all_pairs_shortest_path_length(nx.Graph([*edges, *((n, n) for n in range(12))])))
    furthest = max(max(row.values()) for row in expected.values())
    for one, other in itertools.permutations(range(12), 2):
        assert hop_distances(graph)[one, other] == expected[one].get(other, furthest + 1)


def test_a_path_is_drawn_as_a_straight_line() -> None:
    places = stress_layout(path(6))
    assert np.ptp(places[:, 0]) == pytest.approx(5, abs=0.05)
    assert np.ptp(places[:, 1]) < 0.1


def test_a_square_is_drawn_as_a_square() -> None:
    places = stress_layout(Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)]))
    sides = [np.linalg.norm(places[i] - places[(i + 1) % 4]) for i in range(4)]
    diagonals = [np.linalg.norm(places[i] - places[i + 2]) for i in range(2)]
    assert max(sides) / min(sides) == pytest.approx(1, abs=0.02)
    assert diagonals[0] / sides[0] == pytest.approx(math.sqrt(2), abs=0.03)


@pytest.mark.parametrize("seed", range(4))
def test_the_layout_is_about_as_good_as_kamada_and_kawai(seed: int) -> None:
    graph = score_text(sentences(words=60, seed=seed)).graph
    reference = nx.Graph(graph.edges.tolist())
    places = nx.kamada_kawai_layout(reference, scale=1)
    other = np.array([places[node] for node in range(graph.nodes)])
    # Kamada and Kawai fix the scale themselves; compare at the best scale for theirs.
    best = min(stress(graph, other * scale) for scale in np.linspace(0.5, 12, 200))
    assert stress(graph, stress_layout(graph)) < 1.1 * best


def test_twins_do_not_coincide() -> None:
    star = Graph.from_edges(9, [(0, leaf) for leaf in range(1, 9)])
    places = stress_layout(star)
    nearest = min(np.linalg.norm(places[a] - places[b]) for a, b in itertools.combinations(range(9), 2))
    assert nearest > 0.3


@pytest.mark.parametrize("nodes", [0, 1, 2])
def test_the_smallest_graphs_can_be_laid_out(nodes: int) -> None:
    places = stress_layout(path(nodes))
    assert places.shape == (nodes, 2)
    assert np.all(np.isfinite(places))


def test_separate_parts_are_drawn_apart() -> None:
    places = stress_layout(Graph.from_edges(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]))
    gaps = [np.linalg.norm(places[a] - places[b]) for a in range(3) for b in range(3, 6)]
    assert np.all(np.isfinite(places))
    assert min(gaps) > 1


def test_the_same_text_is_drawn_the_same_way() -> None:
    body = sentences(words=80)
    assert draw_text(body, SETTINGS) == draw_text(body, SETTINGS)


def test_every_word_and_link_is_drawn_with_its_count() -> None:
    network = draw_text("Slow rivers carry sand. Slow rivers carry silt.", SETTINGS)
    assert network
    assert [node.word for node in network.nodes] == ["slow", "rivers", "carry", "sand", "silt"]
    counts = {frozenset((link.first.word, link.second.word)): link.count for link in network.links}
    assert counts[frozenset(("slow", "rivers"))] == 2
    assert counts[frozenset(("sand", "rivers"))] == 2
    assert counts[frozenset(("slow", "sand"))] == 1
    thick, thin = (next(link for link in network.links if link.count == count) for count in (2, 1))
    assert thick.width > thin.width
    assert network.by_degree[0].word == "carry"
    assert network.by_degree[0].degree == 4


def test_a_text_without_words_has_no_picture() -> None:
    assert draw_text("The of and.", SETTINGS) is None


def test_a_single_word_is_drawn_in_the_middle() -> None:
    network = draw_text("Tailings.", SETTINGS)
    assert network
    (node,) = network.nodes
    assert (node.x, node.y) == (network.width / 2, network.height / 2)
    assert node.label


def test_a_loop_is_not_drawn() -> None:
    graph = score_text("sand sand sand clay", GraphSettings(self_loops=True)).graph
    network = draw_network(graph)
    assert network
    assert [(link.first.word, link.second.word) for link in network.links] == [("sand", "clay")]
    assert [node.degree for node in network.nodes] == [1, 1]


def test_of_a_long_text_the_best_connected_words_are_drawn() -> None:
    body = " ".join(f"word{number} hub" if number % 3 == 0 else f"word{number}" for number in range(400))
    network = draw_text(body, SETTINGS)
    assert network
    assert network.is_partial
    assert (len(network.nodes), network.words) == (MOST_WORDS, 401)
    assert network.by_degree[0].word == "hub"


@pytest.mark.parametrize("seed", range(5))
def test_everything_is_inside_the_frame_and_no_label_covers_anything(seed: int) -> None:
    network = draw_text(sentences(words=90, seed=seed), SETTINGS)
    assert network
    boxes = []
    for node in network.nodes:
        assert node.radius < node.x < network.width - node.radius
        assert node.radius < node.y < network.height - node.radius
        boxes.append((node.x - node.radius, node.y - node.radius, node.x + node.radius, node.y + node.radius))
    circles = len(boxes)
    for node in network.nodes:
        if node.label:
            width, label = CHARACTER * FONT_SIZE * len(node.word), node.label
            left = label.x - {"start": 0, "middle": width / 2, "end": width}[label.anchor]
            middle = label.y - 0.35 * FONT_SIZE
            boxes.append((left, middle - LINE * FONT_SIZE / 2, left + width, middle + LINE * FONT_SIZE / 2))
    assert len(boxes) > 1.5 * circles
    for number, (left, top, right, bottom) in enumerate(boxes[circles:], start=circles):
        assert left >= -0.1
        assert right <= network.width + 0.1
        for other in boxes[:number]:
            covers = min(right, other[2]) - max(left, other[0]), min(bottom, other[3]) - max(top, other[1])
            assert min(covers) < 0.2


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_the_more_important_word_gets_the_only_place(order: list[int]) -> None:
    # Room for one word, on the right.
    circles = [(50.0, 10.0, 4.0), (50.0, 10.0, 4.0)]
    assert place_labels(["slime", "grain"], circles, order=order, size=15, frame=(110, 20)).keys() == {order[0]}
    assert place_labels(["slime", "grain"], circles, order=order, size=15, frame=(100, 20)) == {}


def test_radar_axes_stand_in_the_papers_order_from_the_top_clockwise() -> None:
    references = [score_text(sentences(words=40 + 20 * seed, seed=seed)).metrics for seed in range(4)]
    profile = compute_profile(score_text(sentences(words=70, seed=50)).metrics, references)
    radar = draw_radar(profile.radar_new, profile.radar_average, names=("new", "mean"))
    assert radar
    assert [axis.label for axis in radar.axes] == [metric(key).label for key in RADAR_AXES]
    assert radar.axes[0].end == (CENTRE[0], CENTRE[1] - RADIUS)
    assert radar.axes[1].end[0] > CENTRE[0]
    assert tuple(axis.first for axis in radar.axes) == profile.radar_new
    for axis in radar.axes:
        for share, (x, y) in ((axis.first, axis.first_at), (axis.second, axis.second_at)):
            assert math.dist(CENTRE, (x, y)) == pytest.approx(share * RADIUS, abs=0.15)
    assert radar.first.split() == [f"{x},{y}" for x, y in (axis.first_at for axis in radar.axes)]
    assert len(radar.rings) == 4


def test_an_undefined_profile_has_no_radar() -> None:
    metrics = score_text(sentences()).metrics
    profile = compute_profile(metrics, [metrics])
    assert draw_radar(profile.radar_new, profile.radar_average, names=("new", "mean")) is None


def test_bars_stand_on_the_floor_and_their_heights_are_as_the_counts() -> None:
    picture = draw_histogram([1, 4, 0, 2], low=0.0, high=8.0, observed=6.0)
    assert picture
    assert [(bar.count, bar.low, bar.high) for bar in picture.bars] == [(1, 0, 2), (4, 2, 4), (2, 6, 8)]
    assert all(bar.y + bar.height == pytest.approx(picture.floor, abs=0.11) for bar in picture.bars)
    small, tall, middle = (bar.height for bar in picture.bars)
    assert tall == pytest.approx(4 * small, abs=0.3)
    assert middle == pytest.approx(2 * small, abs=0.2)
    assert picture.mark == pytest.approx(picture.left + 0.75 * (picture.right - picture.left), abs=0.1)


@pytest.mark.parametrize("observed", [-5.0, 50.0])
def test_a_value_beyond_the_draws_is_marked_at_the_end_with_its_name_inside(observed: float) -> None:
    picture = draw_histogram([3, 1], low=0.0, high=1.0, observed=observed)
    assert picture
    assert picture.mark in (picture.left, picture.right)
    assert 0 < picture.name_at < picture.width


@pytest.mark.parametrize(("counts", "high"), [([], 1.0), ([0, 0], 1.0), ([3], 0.0)])
def test_without_a_breadth_there_is_no_histogram(counts: list[int], high: float) -> None:
    assert draw_histogram(counts, low=0.0, high=high, observed=0.0) is None


def test_a_curve_rises_with_its_values_and_breaks_where_there_is_none() -> None:
    curve = draw_curve({2: 1.0, 3: 3.0, 4: None, 5: 2.0}, own=3)
    assert curve
    first, second, third = curve.points
    assert second.y < third.y < first.y <= curve.floor
    assert first.x < second.x < third.x
    assert [point.window for point in curve.points if point.is_own] == [3]
    assert [len(line.split()) for line in curve.lines] == [2, 1]
    assert [window for window, _ in curve.ticks] == [2, 3, 4, 5]


def test_a_level_curve_lies_between_floor_and_top_and_an_empty_one_is_not_drawn() -> None:
    curve = draw_curve({2: 1.0, 3: 1.0}, own=3)
    assert curve
    assert len({point.y for point in curve.points}) == 1
    assert curve.points[0].y < curve.floor
    assert draw_curve({2: None, 3: None}, own=3) is None


def test_groups_are_those_of_the_whole_graph_the_largest_first() -> None:
    # Two cliques of words joined by one link.
    text = " ".join(["slurry water sand clay"] * 3 + ["pump pipe valve"] * 3)
    network = draw_text(text, GraphSettings(window=4))
    assert network
    assert [group.size for group in network.groups] == [4, 3]
    by_word = {node.word: node.group.number for node in network.nodes}
    assert {by_word[word] for word in ("slurry", "water", "sand", "clay")} == {1}
    assert {by_word[word] for word in ("pump", "pipe", "valve")} == {2}
    assert network.modularity is not None
    assert network.modularity > 0


def test_a_text_without_links_has_no_modularity() -> None:
    network = draw_text("Clay.", GraphSettings())
    assert network
    assert network.modularity is None
    assert [group.size for group in network.groups] == [1]
