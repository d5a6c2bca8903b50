"""The metrics of a graph from the figures that the compiled kernel returns."""

from types import ModuleType

from graphs.science.adjacency_metrics import (
    adjacency_spectrum,
    natural_connectivity,
    spectral_gap,
    spectral_radius,
)
from graphs.science.distances import DistanceDistribution
from graphs.science.graph import Graph
from graphs.science.laplacian_metrics import algebraic_connectivity, effective_conductance, laplacian_spectrum
from graphs.science.path_metrics import average_edge_betweenness, global_efficiency, inverted
from graphs.science.undefined import Undefined

__all__ = ["metrics_by_kernel"]


def metrics_by_kernel(graph: Graph, kernel: ModuleType) -> tuple[int, dict[str, float | Undefined]]:
    """Return the number of components, and each metric by key, for a graph of at least two nodes.

    A spectrum that the kernel cannot resolve is left to LAPACK.
    """
    n = graph.nodes
    figures = kernel.analyse(n, graph.edges, graph.weights)
    pairs, components, first, second, natural, adjacency_good, connectivity, resistance, laplacian_good = figures
    distances = DistanceDistribution(n, pairs, components)
    average = average_edge_betweenness(distances, graph.size)
    results: dict[str, float | Undefined] = {
        "global_efficiency": global_efficiency(distances),
        "average_edge_betweenness": average,
        "inverse_average_edge_betweenness": inverted(average),
        "spectral_radius": first,
        "spectral_gap": first - second,
        "natural_connectivity": natural,
        "algebraic_connectivity": connectivity,
        "effective_conductance": (n - 1) / (n * resistance) if components == 1 else 0.0,
    }
    if not adjacency_good:
        spectrum = adjacency_spectrum(graph)
        results["spectral_radius"] = spectral_radius(spectrum)
        results["spectral_gap"] = spectral_gap(spectrum)
        results["natural_connectivity"] = natural_connectivity(spectrum)
    if not laplacian_good:
        spectrum = laplacian_spectrum(graph)
        results["algebraic_connectivity"] = algebraic_connectivity(spectrum, components)
        results["effective_conductance"] = effective_conductance(spectrum, components)
    return components, results
