"""How fast the metrics of a co-occurrence graph are computed, beside the other ways to compute them.

    python benchmarks/graph_scoring.py                          # about a hundred words, and the null models
    python benchmarks/graph_scoring.py --words 1000 --texts 2 --repeats 3
    pip install igraph rustworkx networkit                      # to have them in the comparison

Every contender builds the graph from the same list of words and computes all seven metrics, the other libraries by
their shortest way: mean edge betweenness from distances where they are to be had, and one symmetric solver a matrix.
CPU time, one BLAS thread, medians over texts and repeats. Contenders take turns, so that a busy machine slows all
alike, and a turn lasts long enough for each to find its own code and data in the processor's caches.
With `--check` the exit status tells whether the goals are met.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

# The project instead of this folder, whose files may be called like libraries.
sys.path[0] = str(Path(__file__).parents[1])

TWO_CALLS = "two eigvalsh calls"

#: So many times as fast as … at least, at about a hundred words and from about a thousand on.
GOALS_SMALL = {"networkx, as in the paper": 300.0, TWO_CALLS: 2.5}
GOALS_LARGE = {"networkx, as in the paper": 50.0}
GOAL_OTHERS = 3.0
TURN_SECONDS = 0.03
OTHERS = ("igraph", "rustworkx", "networkit", "scipy.sparse.csgraph")
NULL_SECONDS = 1.0

Figures = dict[str, float]


def main() -> int:
    _restart_with_one_plain_thread()
    arguments = _arguments()
    _describe()
    texts = _texts(arguments.words, arguments.texts)
    contenders = _contenders(arguments.without)
    expected = [contenders["Kappagraph"](words) for words in texts]
    _agree(contenders, texts[0], expected[0])
    medians = _measure(contenders, texts, arguments.repeats)
    met = _report(medians, arguments.words)
    if not arguments.no_nulls:
        met &= _report_nulls(arguments.draws)
    return 0 if met or not arguments.check else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--words", type=int, default=100, help="different words, about (100)")
    parser.add_argument("--texts", type=int, default=5, help="texts (5)")
    parser.add_argument("--repeats", type=int, default=15, help="rounds over the texts (15)")
    parser.add_argument("--draws", type=int, default=1000, help="draws a null model (1000)")
    parser.add_argument("--no-nulls", action="store_true", help="leave the null models out")
    parser.add_argument("--without", action="append", default=[], help="a contender to leave out")
    parser.add_argument("--check", action="store_true", help="exit with 1 unless the goals are met")
    return parser.parse_args()


def _restart_with_one_plain_thread() -> None:
    """Start this program anew with one thread, and without tuning that makes OpenBLAS run another processor's code."""
    if os.environ.get("KAPPAGRAPH_BENCHMARK") == "started":
        return
    environment = {
        name: value for name, value in os.environ.items() if name not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
    }
    for name in ("OPENBLAS", "OMP", "MKL", "NUMBA"):
        environment[f"{name}_NUM_THREADS"] = "1"
    environment |= {"KAPPAGRAPH_BENCHMARK": "started", "KAPPAGRAPH_KERNEL": "always"}
    os.execve(sys.executable, [sys.executable, *sys.argv], environment)  # noqa: S606


def _describe() -> None:
    import numpy as np

    from graphs.science import engine

    print(
        f"Python {sys.version.split()[0]}, NumPy {np.__version__}; kernel: {'on' if engine.load_kernel() else 'NONE'}"
    )
    if find_spec("threadpoolctl"):
        from threadpoolctl import threadpool_info

        for pool in threadpool_info():
            if pool["user_api"] == "blas":
                print(
                    f"BLAS: {pool['internal_api']} {pool['version']}, code for {pool.get('architecture')}, "
                    f"{pool['num_threads']} thread(s)"
                )
    missing = [name for name in ("networkx", "igraph", "rustworkx", "networkit") if not find_spec(name)]
    if missing:
        print(f"not installed and left out: pip install {' '.join(missing)}")


def _texts(words: int, count: int) -> list[list[str]]:
    """Draw texts of about so many different words, with two links a word and a few more."""
    import numpy as np

    random = np.random.default_rng(0)
    frequency = 1 / np.arange(1, 15 * words + 1) ** 0.7
    draws = [random.choice(len(frequency), size=int(1.1 * words), p=frequency / frequency.sum()) for _ in range(count)]
    return [[f"word{number}" for number in draw] for draw in draws]


def _links(words: list[str]) -> list[tuple[int, int]]:
    """Pairs of numbers of different words at most two apart, each once."""
    number: dict[str, int] = {}
    sequence = [number.setdefault(word, len(number)) for word in words]
    near = [*pairwise(sequence), *zip(sequence, sequence[2:], strict=False)]
    return list({(min(pair), max(pair)) for pair in near if pair[0] != pair[1]})


# --- Contenders -------------------------------------------------------------------------------------------------------


def _contenders(without: list[str]) -> dict[str, Callable[[list[str]], Figures]]:
    every: dict[str, tuple[str, Callable[[list[str]], Figures]]] = {
        "Kappagraph": ("numpy", by_kappagraph),
        "Kappagraph, NumPy only": ("numpy", by_numpy),
        TWO_CALLS: ("numpy", lambda words: {}),
        "networkx, as in the paper": ("networkx", by_networkx),
        "networkx, each spectrum once": ("networkx", by_networkx_sparingly),
        "igraph": ("igraph", by_igraph),
        "rustworkx": ("rustworkx", by_rustworkx),
        "networkit": ("networkit", by_networkit),
        "scipy.sparse.csgraph": ("scipy", by_csgraph),
    }
    return {name: way for name, (package, way) in every.items() if find_spec(package) and name not in without}


def by_kappagraph(words: list[str]) -> Figures:
    from graphs.science import build_graph, compute_metrics

    return compute_metrics(build_graph(words, _settings())).values()  # type: ignore[return-value]


def by_numpy(words: list[str]) -> Figures:
    from graphs.science import build_graph
    from graphs.science.numpy_metrics import metrics_by_numpy

    return metrics_by_numpy(build_graph(words, _settings()))[1]  # type: ignore[return-value]


def _settings(made: list[object] = []) -> object:  # noqa: B006
    from graphs.science import GraphSettings

    if not made:
        made.append(GraphSettings())
    return made[0]


def by_networkx(words: list[str]) -> Figures:
    """A function for each metric, as one would write them with networkx and numpy.linalg.eigvals."""
    import networkx as nx
    import numpy as np

    graph = _networkx_graph(words)
    betweenness = list(nx.edge_betweenness_centrality(graph).values())
    return {
        "global_efficiency": nx.global_efficiency(graph),
        "average_edge_betweenness": sum(betweenness) / len(betweenness),
        "spectral_radius": max(np.linalg.eigvals(nx.to_numpy_array(graph)).real),
        "spectral_gap": -np.diff(np.sort(np.linalg.eigvals(nx.to_numpy_array(graph)).real)[::-1][:2])[0],
        "natural_connectivity": np.log(np.mean(np.exp(np.linalg.eigvals(nx.to_numpy_array(graph)).real))),
        "algebraic_connectivity": nx.algebraic_connectivity(graph),
        "effective_conductance": (len(graph) - 1) / nx.effective_graph_resistance(graph),
    }


def by_networkx_sparingly(words: list[str]) -> Figures:
    import networkx as nx

    graph = _networkx_graph(words)
    betweenness = list(nx.edge_betweenness_centrality(graph).values())
    return {
        "global_efficiency": nx.global_efficiency(graph),
        "average_edge_betweenness": sum(betweenness) / len(betweenness),
        **_spectral(nx.to_numpy_array(graph)),
    }


def _networkx_graph(words: list[str]):  # type: ignore[no-untyped-def]
    import networkx as nx

    graph = nx.Graph()
    for place, word in enumerate(words):
        graph.add_edges_from((word, other) for other in words[place + 1 : place + 3] if other != word)
    return graph


def by_igraph(words: list[str]) -> Figures:
    import igraph
    import numpy as np

    graph = igraph.Graph(edges=_links(words))
    n, m = graph.vcount(), graph.ecount()
    return {
        "global_efficiency": float(np.mean(graph.harmonic_centrality())),
        "average_edge_betweenness": graph.average_path_length() / m,
        **_spectral(_adjacency(n, graph.get_edgelist())),
    }


def by_rustworkx(words: list[str]) -> Figures:
    import rustworkx

    links = _links(words)
    graph = rustworkx.PyGraph()
    graph.extend_from_edge_list(links)
    return _from_distances(rustworkx.graph_distance_matrix(graph), links)


def by_networkit(words: list[str]) -> Figures:
    import networkit

    links = _links(words)
    graph = networkit.Graph(max(map(max, links)) + 1)
    for first, second in links:
        graph.addEdge(first, second)
    paths = networkit.distance.APSP(graph)
    paths.run()
    return _from_distances(paths.getDistances(asarray=True), links)


def by_csgraph(words: list[str]) -> Figures:
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import shortest_path

    links = _links(words)
    first, second = np.array(links).T
    n = int(second.max()) + 1
    matrix = coo_array((np.ones(len(links)), (first, second)), shape=(n, n)).tocsr()
    return _from_distances(shortest_path(matrix, directed=False, unweighted=True), links)


def _from_distances(distances, links) -> Figures:  # type: ignore[no-untyped-def]
    import numpy as np

    distances = np.asarray(distances, dtype=float)
    n = len(distances)
    np.fill_diagonal(distances, np.inf)
    efficiency = (1 / distances).sum() / (n * (n - 1))
    np.fill_diagonal(distances, 0)
    return {
        "global_efficiency": efficiency,
        "average_edge_betweenness": distances.sum() / (n * (n - 1)) / len(links),
        **_spectral(_adjacency(n, links)),
    }


def _adjacency(n: int, links):  # type: ignore[no-untyped-def]
    import numpy as np

    matrix = np.zeros((n, n))
    first, second = np.array(links).T
    matrix[first, second] = matrix[second, first] = 1
    return matrix


def _spectral(adjacency) -> Figures:  # type: ignore[no-untyped-def]
    import numpy as np

    spectrum = np.linalg.eigvalsh(adjacency)
    laplacian = np.linalg.eigvalsh(np.diag(adjacency.sum(axis=0)) - adjacency)
    n = len(adjacency)
    return {
        "spectral_radius": spectrum[-1],
        "spectral_gap": spectrum[-1] - spectrum[-2],
        "natural_connectivity": np.log(np.mean(np.exp(spectrum))),
        "algebraic_connectivity": laplacian[1],
        "effective_conductance": (n - 1) / (n * np.sum(1 / laplacian[1:])),
    }


# --- Measuring --------------------------------------------------------------------------------------------------------


def _agree(contenders: dict[str, Callable[[list[str]], Figures]], words: list[str], expected: Figures) -> None:
    """Stop unless all compute the same: a comparison of speed between different figures says nothing."""
    for name, way in contenders.items():
        for key, value in way(words).items():
            # networkx finds the algebraic connectivity by an iteration that stops at a relative error of 1e-8.
            if abs(value - expected[key]) > 1e-6 * abs(expected[key]):
                raise SystemExit(f"{name} says {key} = {value}, not {expected[key]}")


def _measure(
    contenders: dict[str, Callable[[list[str]], Figures]], texts: list[list[str]], repeats: int
) -> dict[str, float]:
    """Return the median CPU seconds a text; the slow ones take part in fewer rounds."""
    import numpy as np

    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    matrices = []
    for words in texts:
        links = _links(words)
        adjacency = _adjacency(max(map(max, links)) + 1, links)
        matrices.append((adjacency, np.diag(adjacency.sum(axis=0)) - adjacency))
    for turn in range(repeats):
        for name, way in contenders.items():
            if name.startswith("networkx") and turn >= max(1, repeats // 5):
                continue
            # A turn takes a few hundredths of a second at least, and begins with a text that is not timed.
            done, until = -1, time.process_time() + TURN_SECONDS
            while done < len(texts) or time.process_time() < until:
                place = max(0, done) % len(texts)
                began = time.process_time_ns()
                if name == TWO_CALLS:
                    for matrix in matrices[place]:
                        np.linalg.eigvalsh(matrix)
                else:
                    way(texts[place])
                if done >= 0:
                    seconds[name].append((time.process_time_ns() - began) / 1e9)
                done += 1
    return {name: statistics.median(values) for name, values in seconds.items()}


def _report(medians: dict[str, float], words: int) -> bool:
    own = medians["Kappagraph"]
    goals = dict(GOALS_SMALL if words < 500 else GOALS_LARGE) | (dict.fromkeys(OTHERS, GOAL_OTHERS))
    met = True
    print(f"\n{f'about {words} words':<32}{'CPU ms a text':>14}{'times ours':>12}   goal")
    for name, median in sorted(medians.items(), key=lambda item: item[1]):
        goal = goals.get(name)
        reached = goal is None or median / own >= goal
        met &= reached
        verdict = "" if goal is None else f"≥ {goal:g}: {'met' if reached else 'MISSED'}"
        print(f"{name:<32}{1000 * median:>14.3f}{median / own:>12.2f}   {verdict}")
    return met


def _report_nulls(draws: int) -> bool:
    from graphs.science import NULL_MODELS, compare_score_with_null, score_text

    text = " ".join(_texts(150, 1)[0])
    score = score_text(text)
    met = True
    words = f"{score.metrics.nodes} different content words, {score.metrics.edges} links"
    print(f"\n{draws} draws, all metrics: {words}")
    for model in NULL_MODELS:
        compare_score_with_null(score, model, draws=2)
        began = time.process_time_ns()
        compare_score_with_null(score, model, draws=draws)
        seconds = (time.process_time_ns() - began) / 1e9
        reached = seconds < NULL_SECONDS * draws / 1000
        met &= reached
        print(f"{model:<32}{seconds:>12.3f} s   < {NULL_SECONDS * draws / 1000:g} s: {'met' if reached else 'MISSED'}")
    return met


if __name__ == "__main__":
    sys.exit(main())
