from math import cos, e, exp, log, pi, sqrt

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.science.distances import distance_distribution
from graphs.science.graph import Graph
from graphs.science.metric_registry import METRIC_KEYS, METRICS, RADAR_AXES, metric
from graphs.science.metrics import GraphMetrics, compute_metrics

pytestmark = pytest.mark.usefixtures("either_engine")

EDGELESS = {
    "global_efficiency": 0.0,
    "average_edge_betweenness": None,
    "inverse_average_edge_betweenness": None,
    "spectral_radius": 0.0,
    "spectral_gap": 0.0,
    "natural_connectivity": 0.0,
    "algebraic_connectivity": 0.0,
    "effective_conductance": 0.0,
}


def from_networkx(graph: nx.Graph) -> Graph:
    number = {node: position for position, node in enumerate(graph)}
    edges = [(number[a], number[b]) for a, b in graph.edges]
    weights = [float(weight) for *_, weight in graph.edges(data="weight", default=1)]
    return Graph.from_edges(len(number), edges, weights)


def by_networkx(graph: nx.Graph) -> dict[str, float | None]:
    """Compute the metrics the slow way, with networkx for paths and general formulas for spectra."""
    n = len(graph)
    betweenness = list(nx.edge_betweenness_centrality(graph).values())
    adjacency = np.linalg.eigvalsh(nx.to_numpy_array(graph))[::-1]
    laplacian = np.sort(nx.laplacian_spectrum(graph))
    connected = nx.is_connected(graph)
    average = sum(betweenness) / len(betweenness) if betweenness else None
    return {
        "global_efficiency": nx.global_efficiency(graph),
        "average_edge_betweenness": average,
        "inverse_average_edge_betweenness": 1 / average if average else None,
        "spectral_radius": adjacency[0],
        "spectral_gap": adjacency[0] - adjacency[1],
        "natural_connectivity": log(np.exp(adjacency).mean()),
        "algebraic_connectivity": laplacian[1] if connected else 0.0,
        "effective_conductance": (n - 1) / (n * np.sum(1 / laplacian[1:])) if connected else 0.0,
    }


def assert_consistent(metrics: GraphMetrics) -> None:
    values = metrics.values()
    assert {key for key, value in values.items() if value is None} == set(metrics.undefined)
    assert all(np.isfinite(value) for value in values.values() if value is not None)


def by_numpy(adjacency: np.ndarray) -> dict[str, np.ndarray]:
    """Compute the metrics of a stack of graphs with matrix powers and eigenvalues; NaN where undefined."""
    count, n, _ = adjacency.shape
    linked = adjacency > 0
    distance = np.where(np.eye(n, dtype=bool), 0.0, np.inf) * np.ones((count, 1, 1))
    within = np.eye(n, dtype=bool) | np.zeros_like(linked)
    for hops in range(1, n):
        within = within | (within.astype(np.float32) @ linked.astype(np.float32) > 0)
        distance[within & np.isinf(distance)] = hops
    edges = linked.sum(axis=(1, 2)) / 2
    connected = within.all(axis=(1, 2))
    spectrum = np.linalg.eigvalsh(adjacency)
    laplacian = np.linalg.eigvalsh(np.eye(n) * adjacency.sum(axis=2)[:, None, :] - adjacency)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = np.where(np.eye(n, dtype=bool), 0.0, 1 / distance)
        betweenness = np.where(np.isinf(distance), 0, distance).sum(axis=(1, 2)) / edges / (n * (n - 1))
        resistance = n * np.sum(1 / laplacian[:, 1:], axis=1)
        undefined = np.full(count, np.nan)
        return {
            "global_efficiency": inverse.sum(axis=(1, 2)) / (n * (n - 1)) if n > 1 else undefined,
            "average_edge_betweenness": betweenness,
            "inverse_average_edge_betweenness": 1 / betweenness,
            "spectral_radius": spectrum[:, -1],
            "spectral_gap": spectrum[:, -1] - spectrum[:, -2] if n > 1 else undefined,
            "natural_connectivity": np.log(np.exp(spectrum).mean(axis=1)),
            "algebraic_connectivity": np.where(connected, laplacian[:, 1], 0) if n > 1 else undefined,
            "effective_conductance": np.where(connected, (n - 1) / resistance, 0) if n > 1 else undefined,
        }


def assert_close(actual: dict[str, float | None], expected: dict[str, float | None]) -> None:
    """Compare metrics to 1e-10 relative, and undefined ones by being undefined."""
    assert actual.keys() == expected.keys()
    for key, value in expected.items():
        assert actual[key] == (None if value is None else pytest.approx(value, rel=1e-10, abs=1e-12)), key


def random_graphs() -> list[nx.Graph]:
    graphs = []
    for seed in range(200):
        random = np.random.default_rng(seed)
        n = int(random.integers(2, 90))
        graph = nx.gnm_random_graph(n, int(random.integers(0, 3 * n)), seed=seed)
        if seed % 2:
            graph.add_weighted_edges_from((a, b, int(random.integers(1, 6))) for a, b in list(graph.edges))
        if seed % 5 == 0:
            graph.add_edge(0, 0)
        graphs.append(graph)
    return graphs


@pytest.mark.parametrize(
    "graphs",
    [
        random_graphs(),
        [nx.star_graph(9), nx.complete_graph(7), nx.path_graph(12), nx.cycle_graph(65), nx.empty_graph(4)],
        [nx.karate_club_graph(), nx.les_miserables_graph(), nx.florentine_families_graph()],
        [nx.disjoint_union(nx.complete_graph(4), nx.path_graph(70)), nx.disjoint_union_all([nx.path_graph(2)] * 66)],
    ],
    ids=["random", "special", "real", "disconnected"],
)
def test_metrics_are_those_of_networkx(graphs: list[nx.Graph]) -> None:
    for graph in graphs:
        metrics = compute_metrics(from_networkx(graph))
        assert_close(metrics.values(), by_networkx(graph))
        assert metrics.components == nx.number_connected_components(graph)
        assert_consistent(metrics)


def test_metrics_are_those_of_numpy_on_ten_thousand_small_graphs() -> None:
    random = np.random.default_rng(40)
    for n in range(1, 41):
        density = random.uniform(0, 0.5, size=(250, 1, 1))
        weights = np.triu(random.integers(1, 5, size=(250, n, n)) * (random.random((250, n, n)) < density), 1)
        expected = by_numpy((weights + weights.swapaxes(1, 2)).astype(float))
        for row, matrix in enumerate(weights):
            pairs = np.argwhere(matrix)
            metrics = compute_metrics(Graph.from_edges(n, map(tuple, pairs.tolist()), matrix[tuple(pairs.T)].tolist()))
            for key, value in metrics.values().items():
                wanted = expected[key][row]
                if value is None:
                    assert np.isnan(wanted), (key, n, row)
                else:
                    assert abs(value - wanted) <= 1e-10 * abs(wanted) + 1e-12, (key, n, row)


@pytest.mark.parametrize("n", [2, 5, 30, 64, 65, 128])
def test_complete_graph(n: int) -> None:
    values = compute_metrics(from_networkx(nx.complete_graph(n))).values()
    assert values == pytest.approx(
        {
            "global_efficiency": 1.0,
            "average_edge_betweenness": 2 / (n * (n - 1)),
            "inverse_average_edge_betweenness": n * (n - 1) / 2,
            "spectral_radius": n - 1,
            "spectral_gap": n,
            "natural_connectivity": n - 1 + log((1 + (n - 1) * exp(-n)) / n),
            "algebraic_connectivity": n,
            "effective_conductance": 1.0,
        },
        rel=1e-12,
    )


@pytest.mark.parametrize("n", [3, 40, 200])
def test_path(n: int) -> None:
    metrics = compute_metrics(from_networkx(nx.path_graph(n)))
    assert metrics.average_edge_betweenness == pytest.approx((n + 1) / (3 * (n - 1)), rel=1e-12)
    assert metrics.global_efficiency == pytest.approx(
        2 / (n * (n - 1)) * sum((n - d) / d for d in range(1, n)), rel=1e-12
    )
    assert metrics.spectral_radius == pytest.approx(2 * cos(pi / (n + 1)), rel=1e-12)
    assert metrics.algebraic_connectivity == pytest.approx(4 * np.sin(pi / (2 * n)) ** 2, rel=1e-10)
    # Resistances of a path are its distances, which add up to (n³ − n)/6.
    assert metrics.effective_conductance == pytest.approx((n - 1) / ((n**3 - n) / 6), rel=1e-10)


def test_star() -> None:
    metrics = compute_metrics(from_networkx(nx.star_graph(9)))
    assert metrics.global_efficiency == pytest.approx((9 + 36 / 2) / 45)
    assert metrics.average_edge_betweenness == pytest.approx((9 + 36 * 2) / (9 * 45))
    assert metrics.spectral_radius == pytest.approx(3.0)
    assert metrics.spectral_gap == pytest.approx(3.0)
    assert metrics.natural_connectivity == pytest.approx(log((exp(3) + exp(-3) + 8) / 10))
    assert metrics.algebraic_connectivity == pytest.approx(1.0)
    assert metrics.effective_conductance == pytest.approx(9 / (10 * (8 + 1 / 10)))


def test_empty_graph() -> None:
    metrics = compute_metrics(Graph.from_edges(0, []))
    assert metrics.values() == dict.fromkeys(METRIC_KEYS)
    assert metrics.components == 0
    assert_consistent(metrics)


def test_single_node() -> None:
    metrics = compute_metrics(Graph.from_edges(1, []))
    defined = {"spectral_radius": 0.0, "natural_connectivity": 0.0}
    assert metrics.values() == dict.fromkeys(METRIC_KEYS) | defined
    assert_consistent(metrics)


@pytest.mark.parametrize("nodes", [2, 3, 70])
def test_nodes_without_edges(nodes: int) -> None:
    metrics = compute_metrics(Graph.from_edges(nodes, []))
    assert metrics.values() == EDGELESS
    assert metrics.components == nodes
    assert metrics.undefined.keys() == {"average_edge_betweenness", "inverse_average_edge_betweenness"}


def test_self_loops_only() -> None:
    metrics = compute_metrics(Graph.from_edges(2, [(0, 0)], [2.0]))
    assert metrics.average_edge_betweenness == 0.0
    assert metrics.inverse_average_edge_betweenness is None
    assert metrics.spectral_radius == 2.0
    assert metrics.natural_connectivity == pytest.approx(log((e**2 + 1) / 2))
    assert_consistent(metrics)


def test_a_disconnected_graph_is_decided_by_components_and_flagged() -> None:
    metrics = compute_metrics(from_networkx(nx.disjoint_union(nx.complete_graph(30), nx.complete_graph(30))))
    assert metrics.components == 2
    assert metrics.algebraic_connectivity == 0.0
    assert metrics.effective_conductance == 0.0
    assert "2 components" in metrics.cautions["inverse_average_edge_betweenness"]


def test_inverse_betweenness_can_rise_when_a_graph_falls_apart() -> None:
    whole = compute_metrics(from_networkx(nx.path_graph(4)))
    parts = compute_metrics(Graph.from_edges(4, [(0, 1), (2, 3)]))
    assert whole.inverse_average_edge_betweenness is not None
    assert parts.inverse_average_edge_betweenness is not None
    assert parts.inverse_average_edge_betweenness > whole.inverse_average_edge_betweenness
    assert not whole.cautions


def test_natural_connectivity_does_not_overflow() -> None:
    heavy = compute_metrics(Graph.from_edges(2, [(0, 1)], [5000.0]))
    assert heavy.natural_connectivity == pytest.approx(5000 - log(2))


def test_weights_change_spectra_and_no_path() -> None:
    light = compute_metrics(Graph.from_edges(3, [(0, 1), (1, 2)]))
    heavy = compute_metrics(Graph.from_edges(3, [(0, 1), (1, 2)], [2.0, 2.0]))
    assert heavy.global_efficiency == light.global_efficiency
    assert heavy.average_edge_betweenness == light.average_edge_betweenness
    assert heavy.spectral_radius == pytest.approx(2 * sqrt(2))
    assert heavy.algebraic_connectivity == pytest.approx(2.0)


EDGE_SETS = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(
            st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).map(sorted).map(tuple), unique=True, max_size=30
        ),
        st.permutations(range(n)),
    )
)


@settings(deadline=None)
@given(EDGE_SETS)
def test_names_of_nodes_do_not_matter(graph: tuple[int, list[tuple[int, int]], list[int]]) -> None:
    n, edges, permutation = graph
    original = compute_metrics(Graph.from_edges(n, edges))
    renamed = compute_metrics(Graph.from_edges(n, [(permutation[a], permutation[b]) for a, b in edges]))
    assert_close(renamed.values(), original.values())
    assert renamed.components == original.components


@settings(deadline=None)
@given(EDGE_SETS)
def test_a_further_edge_never_lowers_what_it_cannot_lower(graph: tuple[int, list[tuple[int, int]], list[int]]) -> None:
    n, edges, permutation = graph
    added = tuple(sorted(permutation[:2]))
    if added in edges:
        return
    before = compute_metrics(Graph.from_edges(n, edges)).values()
    after = compute_metrics(Graph.from_edges(n, [*edges, added])).values()
    monotone = ("global_efficiency", "spectral_radius", "natural_connectivity", "algebraic_connectivity")
    for key in (*monotone, "effective_conductance"):
        assert after[key] >= before[key] - 1e-12  # type: ignore[operator]


@settings(deadline=None)
@given(EDGE_SETS)
def test_distances_are_those_of_networkx(graph: tuple[int, list[tuple[int, int]], list[int]]) -> None:
    n, edges, _ = graph
    plain = nx.Graph(edges)
    plain.add_nodes_from(range(n))
    lengths = [length for _, row in nx.all_pairs_shortest_path_length(plain) for length in row.values() if length]
    distances = distance_distribution(Graph.from_edges(n, edges))
    assert distances.pairs[1:].tolist() == [lengths.count(hops) for hops in range(1, max(lengths, default=0) + 1)]
    assert distances.total == sum(lengths) / 2
    assert distances.diameter == max(lengths, default=0)


def test_the_registry_describes_every_metric() -> None:
    assert len(METRICS) == 8
    assert len(RADAR_AXES) == 7
    assert "average_edge_betweenness" not in RADAR_AXES
    for each in METRICS:
        assert metric(each.key) is each
        assert each.key in GraphMetrics.__dataclass_fields__
        assert each.explanation.endswith(".")
    with pytest.raises(KeyError):
        metric("beauty")
