"""The compiled kernel against its NumPy twin, on what is random, special, large and awkward."""

import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, localcontext
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from types import ModuleType

import networkx as nx
import numpy as np
import pytest

from graphs.science import engine
from graphs.science.construction import build_graph, cooccurrences_by_numpy
from graphs.science.graph import Graph
from graphs.science.kernel_metrics import metrics_by_kernel
from graphs.science.metrics import compute_metrics
from graphs.science.null_draws import WITHOUT_KERNEL, draw_null, join_draws
from graphs.science.null_models import NullSource
from graphs.science.null_models.edge_swap import swap_edges
from graphs.science.numpy_metrics import metrics_by_numpy
from graphs.science.scoring import score_text
from graphs.science.settings import GraphSettings

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def kernel() -> ModuleType:
    return pytest.importorskip("graphs.science.kernel", reason="numba is not installed")


def from_networkx(graph: nx.Graph, weight: float = 1.0) -> Graph:
    plain = nx.convert_node_labels_to_integers(graph)
    return Graph.from_edges(len(plain), list(plain.edges), [weight] * plain.number_of_edges())


def assert_same(graph: Graph, kernel: ModuleType) -> None:
    components, values = metrics_by_kernel(graph, kernel)
    expected_components, expected = metrics_by_numpy(graph)
    assert components == expected_components
    for key, value in expected.items():
        if isinstance(value, float):
            assert values[key] == pytest.approx(value, rel=1e-10, abs=1e-12), key
        else:
            assert values[key] == value, key


def random_graph(random: np.random.Generator, index: int) -> Graph:
    n = int(random.integers(2, 41))
    matrix = np.triu(random.random((n, n)) < random.random() ** 2, index % 3 != 0)
    pairs = np.argwhere(matrix)
    weights = random.integers(1, 5, len(pairs)) * random.choice([0.01, 1.0]) if index % 2 else np.ones(len(pairs))
    return Graph(nodes=n, edges=pairs, weights=weights.astype(float))


def test_random_graphs_with_weights_and_loops(kernel: ModuleType) -> None:
    random = np.random.default_rng(7)
    for index in range(3000):
        assert_same(random_graph(random, index), kernel)


def two_cores(distance: int) -> nx.Graph:
    """Two equal stars far apart: the two largest eigenvalues differ by less than any iteration would see."""
    graph = nx.disjoint_union(nx.star_graph(12), nx.star_graph(12))
    nx.add_path(graph, [0, *range(100, 100 + distance), 13])
    return graph


SPECIAL = {
    "star": nx.star_graph(150),
    "complete": nx.complete_graph(70),
    "bipartite": nx.complete_bipartite_graph(20, 45),
    "cycle": nx.cycle_graph(129),
    "short path": nx.path_graph(40),
    "long path": nx.path_graph(400),
    "barbell": nx.barbell_graph(12, 60),
    "tree": nx.balanced_tree(3, 4),
    "grid": nx.grid_2d_graph(9, 9),
    "equal components": nx.disjoint_union(nx.complete_graph(30), nx.complete_graph(30)),
    "pairs": nx.disjoint_union_all([nx.path_graph(2)] * 66),
    "isolated": nx.disjoint_union(nx.empty_graph(65), nx.cycle_graph(5)),
    "no edges": nx.empty_graph(70),
    "near cores": two_cores(2),
    "distant cores": two_cores(60),
    "real": nx.karate_club_graph(),
}


@pytest.mark.parametrize("name", SPECIAL)
@pytest.mark.parametrize("weight", [1.0, 7.0, 0.003])
def test_special_graphs(kernel: ModuleType, name: str, weight: float) -> None:
    assert_same(from_networkx(SPECIAL[name], weight), kernel)


@pytest.mark.parametrize("weight", [1e-9, 1e6])
def test_weights_of_extreme_size(kernel: ModuleType, weight: float) -> None:
    assert_same(from_networkx(nx.karate_club_graph(), weight), kernel)


@pytest.mark.parametrize(("nodes", "weight"), [(5, 1500.0), (20, 300.0), (60, 100.0)])
def test_exponentials_beyond_all_numbers(kernel: ModuleType, nodes: int, weight: float) -> None:
    """A few words repeated over and over, counted: exp λ1 is no number, and exp(λ1 − λ2) is none either."""
    assert_same(from_networkx(nx.complete_graph(nodes), weight), kernel)


def test_threads_give_the_same_bits_wherever_memory_happens_to_lie(kernel: ModuleType) -> None:
    random = np.random.default_rng(11)
    graphs = []
    for _ in range(200):
        words = [str(number) for number in (70 * random.random(80) ** 2).astype(int)]
        graphs.append(build_graph(words, GraphSettings(weighting="ppmi", window=int(random.integers(2, 6)))))
    expected = [metrics_by_kernel(graph, kernel) for graph in graphs]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(partial(metrics_by_kernel, kernel=kernel), graphs * 10)) == expected * 10


def test_a_large_text(kernel: ModuleType) -> None:
    random = np.random.default_rng(1)
    words = [str(number) for number in (3000 * random.random(1300) ** 2).astype(int)]
    for settings in (GraphSettings(), GraphSettings(weighting="count"), GraphSettings(weighting="npmi", window=4)):
        assert_same(build_graph(words, settings), kernel)


def test_pivots_count_the_eigenvalues_above(kernel: ModuleType) -> None:
    random = np.random.default_rng(11)
    for index in range(300):
        graph = random_graph(random, index)
        elimination, matrix = kernel.elimination.eliminate(
            kernel.rows.adjacency_rows(graph.nodes, graph.edges, graph.weights)
        )
        spectrum = np.linalg.eigvalsh(graph.adjacency())
        bound = spectrum[-1] + 1.0
        points = np.concatenate([random.uniform(-bound, bound, 8), np.empty(16)])
        differences = points[:8, np.newaxis] - spectrum
        kernel.counting._pivots(elimination, matrix, bound, points, np.empty(8 * len(matrix)))
        assert points[:8].tolist() == (differences < 0).sum(axis=1).tolist()
        assert points[8:16] == pytest.approx((differences / bound).prod(axis=1), rel=1e-8, abs=1e-300)


def test_counting_finds_two_eigenvalues_or_says_that_it_does_not(kernel: ModuleType) -> None:
    random = np.random.default_rng(12)
    found = 0
    for index in range(1000):
        graph = random_graph(random, index)
        if graph.size == 0:
            continue
        rows = kernel.rows.adjacency_rows(graph.nodes, graph.edges, graph.weights)
        first, second, good = kernel.counting.two_by_counting(rows, *kernel.elimination.eliminate(rows))
        if good:
            expected = np.linalg.eigvalsh(graph.adjacency())
            assert first == pytest.approx(expected[-1], rel=1e-12)
            assert first - second == pytest.approx(expected[-1] - expected[-2], rel=1e-11)
            found += 1
    assert found > 700


@pytest.mark.parametrize("name", ["equal components", "pairs", "near cores", "distant cores"])
def test_counting_leaves_nearly_equal_eigenvalues_to_others(kernel: ModuleType, name: str) -> None:
    graph = from_networkx(SPECIAL[name])
    rows = kernel.rows.adjacency_rows(graph.nodes, graph.edges, graph.weights)
    first, second, good = kernel.counting.two_by_counting(rows, *kernel.elimination.eliminate(rows))
    spectrum = np.linalg.eigvalsh(graph.adjacency())
    assert good == (spectrum[-2] < 0.999 * spectrum[-1])
    assert [first, second] == pytest.approx(spectrum[:-3:-1].tolist(), rel=1e-12)


def test_texts_need_neither_iteration_nor_polynomials(kernel: ModuleType) -> None:
    random = np.random.default_rng(2)
    for _ in range(20):
        words = [str(number) for number in (300 * random.random(110) ** 1.5).astype(int)]
        graph = build_graph(words, GraphSettings())
        rows = kernel.rows.adjacency_rows(graph.nodes, graph.edges, graph.weights)
        elimination, matrix = kernel.elimination.eliminate(rows)
        work = kernel.elimination.work_of(elimination[0])
        assert work <= kernel.analysis._MOST_COUNTING * len(rows[2])
        assert work <= kernel.natural_connectivity._MOST_WORK * len(rows[2]) * graph.nodes
        assert kernel.counting.two_by_counting(rows, elimination, matrix)[2]


def test_the_rational_function_is_as_good_as_double_precision(kernel: ModuleType) -> None:
    with localcontext(prec=40):
        poles, residues = [
            [Decimal(float(number)) for number in part] for part in (kernel.rational._POLES, kernel.rational._RESIDUES)
        ]
        pairs = list(zip(poles[:8], poles[8:], residues[:8], residues[8:], strict=True))

        def rational(x: Decimal) -> Decimal:
            # 2 Re c / (x − z), real and imaginary parts written out.
            return 2 * sum((c * (x - z) - d * y) / ((x - z) ** 2 + y * y) for z, y, c, d in pairs)

        errors = [rational(x) - x.exp() for x in (-((Decimal(k) / 40) ** 3) for k in range(400))]
        # The constant that is left out is half of the distance between the extreme errors.
        assert max(errors) - min(errors) < Decimal("4.4e-16")
        assert abs(max(errors) + min(errors)) < Decimal("4.4e-16")


@pytest.mark.parametrize("weight", [0.05, 1.0, 40.0])
def test_rational_function_and_polynomials_give_the_same(kernel: ModuleType, weight: float) -> None:
    for seed in range(20):
        graph = from_networkx(nx.gnm_random_graph(60, 110, seed=seed), weight)
        rows = kernel.rows.adjacency_rows(graph.nodes, graph.edges, graph.weights)
        elimination, matrix = kernel.elimination.eliminate(rows)
        first = np.linalg.eigvalsh(graph.adjacency())[-1]
        rational = kernel.rational.natural_by_elimination(elimination, matrix, first)
        assert rational == pytest.approx(kernel.polynomials.natural_within(rows, first, first)[0], rel=2e-11)


@pytest.mark.parametrize("n", [1000, 2500])
def test_a_long_chain_keeps_ten_digits_of_its_smallest_eigenvalue(kernel: ModuleType, n: int) -> None:
    pairs, components, *_, connectivity, resistance, good = kernel.analyse(
        n, np.array(list(pairwise(range(n)))), np.ones(n - 1)
    )
    assert good
    assert components == 1
    assert len(pairs) == n
    assert connectivity == pytest.approx(4 * math.sin(math.pi / (2 * n)) ** 2, rel=1e-12)
    # Resistances of a path are its distances.
    assert resistance == pytest.approx((n**3 - n) / 6 / n, rel=1e-12)


def test_numpy_alone_keeps_ten_digits_of_a_long_chain_too() -> None:
    n = 1000
    _, values = metrics_by_numpy(from_networkx(nx.path_graph(n)))
    assert values["algebraic_connectivity"] == pytest.approx(4 * math.sin(math.pi / (2 * n)) ** 2, rel=1e-11)
    assert values["effective_conductance"] == pytest.approx((n - 1) / ((n**3 - n) / 6), rel=1e-11)


@pytest.mark.parametrize("window", range(2, 11))
@pytest.mark.parametrize("self_loops", [False, True])
def test_pairs_are_counted_alike(kernel: ModuleType, window: int, self_loops: bool) -> None:
    random = np.random.default_rng(window)
    settings = GraphSettings(window=window, self_loops=self_loops)
    for length in (0, 1, 2, 5, 80):
        sequence = random.integers(0, 12, length)
        edges, counts = kernel.count_pairs(sequence, 12, window, self_loops)
        expected_edges, expected_counts = cooccurrences_by_numpy(sequence, 12, settings)
        assert edges.tolist() == expected_edges.tolist()
        assert counts.tolist() == expected_counts.tolist()


@pytest.mark.parametrize("nodes", [12, 70])
def test_edges_are_swapped_alike(kernel: ModuleType, nodes: int) -> None:
    random = np.random.default_rng(nodes)
    edges = np.array(list(nx.gnm_random_graph(nodes, 2 * nodes, seed=1).edges))
    proposals = (
        random.integers(len(edges), size=800),
        random.integers(1, len(edges), size=800),
        random.integers(2, size=800),
    )
    ends = edges.copy()
    kernel.swap_edges(nodes, ends, *proposals)
    assert ends.tolist() == swap_edges(edges, *proposals).tolist()
    assert ends.tolist() != edges.tolist()


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has scored nothing yet."""
    monkeypatch.delenv("KAPPAGRAPH_KERNEL", raising=False)
    monkeypatch.setattr(engine, "_asked", count(1))


@pytest.mark.usefixtures("fresh")
def test_the_kernel_comes_once_there_is_enough_to_do(kernel: ModuleType) -> None:
    assert {engine.kernel(100) for _ in range(engine.ENOUGH - 1)} == {None}
    assert engine.kernel(100) is kernel
    assert engine.kernel(2) is kernel


@pytest.mark.usefixtures("fresh")
def test_the_kernel_comes_for_a_large_graph_and_goes_again(kernel: ModuleType) -> None:
    assert engine.kernel(engine.LARGE) is kernel
    assert engine.kernel(100) is None


@pytest.mark.usefixtures("fresh")
def test_a_worker_prefers_the_kernel_from_the_first_graph_on(kernel: ModuleType) -> None:
    engine.prefer_kernel()
    assert engine.kernel(2) is kernel


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("choice", ["always", "never"])
def test_the_environment_can_ask_for_the_kernel_or_refuse_it(
    monkeypatch: pytest.MonkeyPatch, kernel: ModuleType, choice: str
) -> None:
    monkeypatch.setenv("KAPPAGRAPH_KERNEL", choice)
    engine.load_kernel.cache_clear()
    expected = kernel if choice == "always" else None
    assert engine.kernel(2) is expected
    assert engine.kernel(engine.LARGE) is expected
    engine.load_kernel.cache_clear()


def test_dense_graphs_stay_with_lapack() -> None:
    assert engine.suits(from_networkx(nx.complete_graph(60)))
    assert engine.suits(from_networkx(nx.gnm_random_graph(300, 600)))
    assert not engine.suits(from_networkx(nx.complete_graph(300)))
    assert not engine.suits(Graph.from_edges(1, []))


@pytest.mark.parametrize("numba", ["None", "object()"], ids=["missing", "broken"])
def test_without_numba_everything_is_computed_with_numpy(numba: str) -> None:
    program = (
        f"import sys; sys.modules['numba'] = {numba}\n"
        "from graphs.science import score_text, compare_score_with_null\n"
        "score = score_text('slow rivers carry sand and slow rivers carry silt')\n"
        "print(compare_score_with_null(score, 'swap', draws=60).draws, score.metrics.global_efficiency)"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["60", "0.9"]


def test_where_numba_compiles_nothing_everything_is_computed_with_numpy() -> None:
    program = (
        "from graphs.science import engine, score_text; engine.prefer_kernel(); "
        "print(engine.load_kernel(), score_text('Slow rivers carry sand.').metrics.edges)"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "KAPPAGRAPH_KERNEL": "always"}
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["None", "5"]


def test_a_cache_that_cannot_be_written_is_done_without(monkeypatch: pytest.MonkeyPatch, kernel: ModuleType) -> None:
    def refusing(cache: bool = False, **options: object) -> object:
        if not cache:
            return lambda function: function

        def fail(function: object) -> object:
            raise RuntimeError("cannot cache function: no locator available")

        return fail

    monkeypatch.setattr(kernel.compilation.numba, "njit", refusing)
    assert kernel.compilation.compiled(abs) is abs


def test_machine_code_on_disk_counts_only_while_no_file_of_the_kernel_changes(kernel: ModuleType) -> None:
    _, files = kernel.analyse._cache._cache_file._source_stamp
    folder = Path(kernel.__file__).parent
    assert {name: size for name, size, _ in files} == {path.name: path.stat().st_size for path in folder.glob("*.py")}


def test_metrics_take_the_kernel_where_it_suits(monkeypatch: pytest.MonkeyPatch, kernel: ModuleType) -> None:
    seen = []

    class Watched:
        @staticmethod
        def analyse(nodes: int, *arrays: np.ndarray) -> object:
            seen.append(nodes)
            return kernel.analyse(nodes, *arrays)

    monkeypatch.setattr(engine, "kernel", lambda nodes: Watched)
    for graph in (nx.path_graph(4), nx.complete_graph(300), nx.empty_graph(1)):
        compute_metrics(from_networkx(graph))
    assert seen == [4]


def test_a_draw_is_the_same_however_the_draws_are_split(kernel: ModuleType) -> None:
    score = score_text("slow rivers carry fine sand and fine silt while dams keep rivers and sand apart")
    source = NullSource.of_text(score.words, score.graph, score.settings)
    size = WITHOUT_KERNEL + 30
    whole = draw_null(source, "swap", draws=size)
    for ends in ((WITHOUT_KERNEL - 3, WITHOUT_KERNEL + 7), (WITHOUT_KERNEL,), (1, WITHOUT_KERNEL + 1)):
        chunks = [draw_null(source, "swap", start=a, draws=b - a) for a, b in pairwise((0, *ends, size))]
        assert np.array_equal(join_draws(chunks).values, whole.values)


def test_few_draws_do_without_the_kernel() -> None:
    program = (
        "import sys\n"
        "from graphs.science import score_text, compare_score_with_null\n"
        "score = score_text('slow rivers carry sand and slow rivers carry silt')\n"
        f"compare_score_with_null(score, 'swap', draws={WITHOUT_KERNEL})\n"
        "print('numba' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
