"""Where the nodes of a graph go on paper: distances on paper like distances in the graph."""

import numpy as np
from numpy.typing import NDArray

from graphs.science.graph import Graph

__all__ = ["hop_distances", "stress_layout"]

Places = NDArray[np.float64]

ITERATIONS = 200
#: The layout has settled when an iteration improves the stress by less than this share.
SETTLED = 1e-4
#: Nodes of different components stand this many hops further apart than the widest component.
BETWEEN_COMPONENTS = 1.0
GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def stress_layout(graph: Graph) -> Places:
    r"""Place the nodes so that distances on paper come close to distances in the graph.

    Minimises the stress :math:`\sum_{i<j} d_{ij}^{-2} (\lVert x_i - x_j \rVert - d_{ij})^2` over the hop distances
    :math:`d_{ij}` by majorisation, starting from classical scaling. Nothing is random: the same graph is drawn the
    same way.

    Parameters
    ----------
    graph : Graph
        Any graph; n × n matrices are kept, so a few hundred nodes at most.

    Returns
    -------
    ndarray of float64, shape (n, 2)
        Centred, the longer side of the cloud along the first axis; one hop is about 1.

    References
    ----------
    Gansner, Koren and North (2004), Graph drawing by stress majorization.
    """
    n = graph.nodes
    if n < 2:
        return np.zeros((n, 2))
    wanted = hop_distances(graph)
    weights = wanted**-2.0
    np.fill_diagonal(weights, 0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    places = _classical_scaling(wanted)
    stress = np.inf
    for _ in range(ITERATIONS):
        actual = _distances(places)
        improved = float(np.sum(weights * (actual - wanted) ** 2))
        if stress - improved < SETTLED * improved:
            break
        stress = improved
        ratio = np.divide(weights * wanted, actual, out=np.zeros_like(actual), where=actual > 0)
        places = inverse @ ((np.diag(ratio.sum(axis=1)) - ratio) @ places)
    return _lying(places)


def hop_distances(graph: Graph) -> NDArray[np.float64]:
    """Return the hops between all pairs, shape (n, n), with a diagonal of 1 and a finite gap between components."""
    n = graph.nodes
    neighbours = (graph.adjacency() > 0).astype(np.float32)
    distances = np.zeros((n, n))
    reached = np.eye(n, dtype=bool)
    hops = 0
    while True:
        hops += 1
        within = reached | ((reached.astype(np.float32) @ neighbours) > 0)
        if np.array_equal(within, reached):
            break
        distances[within & ~reached] = hops
        reached = within
    distances[~reached] = distances.max() + BETWEEN_COMPONENTS
    np.fill_diagonal(distances, 1)
    return distances


def _classical_scaling(wanted: NDArray[np.float64]) -> Places:
    n = len(wanted)
    squared = wanted**2
    np.fill_diagonal(squared, 0)
    centring = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(-0.5 * centring @ squared @ centring)
    places = np.zeros((n, 2))
    for column, index in enumerate((-1, -2)):
        vector = vectors[:, index]
        # The sign of an eigenvector is the library's whim.
        sign = 1.0 if vector[np.argmax(np.abs(vector))] > 0 else -1.0
        places[:, column] = sign * vector * np.sqrt(max(values[index], 0.0))
    # Nodes that coincide would never part.
    turns = GOLDEN_ANGLE * np.arange(n)
    jitter: Places = places + 0.05 * np.column_stack([np.cos(turns), np.sin(turns)])
    return jitter


def _distances(places: Places) -> NDArray[np.float64]:
    difference = places[:, None, :] - places[None, :, :]
    distances: NDArray[np.float64] = np.sqrt((difference**2).sum(axis=2))
    return distances


def _lying(places: Places) -> Places:
    """Centre the cloud and turn it so that it is wider than high."""
    centred = places - places.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    first = axes[:, 1] * (1.0 if axes[np.argmax(np.abs(axes[:, 1])), 1] > 0 else -1.0)
    turned: Places = centred @ np.column_stack([first, [-first[1], first[0]]])
    return turned
