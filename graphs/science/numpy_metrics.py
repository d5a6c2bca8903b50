"""The metrics of a graph as they are defined, one after the other: plain NumPy, the reference for the kernel."""

import numpy as np

from graphs.science.adjacency_metrics import (
    adjacency_spectrum,
    natural_connectivity,
    spectral_gap,
    spectral_radius,
)
from graphs.science.distances import distance_distribution
from graphs.science.graph import Graph
from graphs.science.laplacian_metrics import algebraic_connectivity, effective_conductance, laplacian_spectrum
from graphs.science.path_metrics import (
    average_edge_betweenness,
    global_efficiency,
    inverse_average_edge_betweenness,
)
from graphs.science.undefined import Undefined

__all__ = ["metrics_by_numpy"]


def metrics_by_numpy(graph: Graph) -> tuple[int, dict[str, float | Undefined]]:
    """Return the number of components, and each metric by key."""
    distances = distance_distribution(graph)
    components = distances.components
    adjacency = adjacency_spectrum(graph)
    # A disconnected graph's Laplacian metrics are 0 by definition: no need to solve for them.
    laplacian = laplacian_spectrum(graph) if components == 1 else np.zeros(graph.nodes)
    return components, {
        "global_efficiency": global_efficiency(distances),
        "average_edge_betweenness": average_edge_betweenness(distances, graph.size),
        "inverse_average_edge_betweenness": inverse_average_edge_betweenness(distances, graph.size),
        "spectral_radius": spectral_radius(adjacency),
        "spectral_gap": spectral_gap(adjacency),
        "natural_connectivity": natural_connectivity(adjacency),
        "algebraic_connectivity": algebraic_connectivity(laplacian, components),
        "effective_conductance": effective_conductance(laplacian, components),
    }
