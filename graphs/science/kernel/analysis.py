"""Everything the metrics are made of, in one compiled call."""

from graphs.science.kernel.compilation import Floats, Integers, compiled
from graphs.science.kernel.counting import two_by_counting
from graphs.science.kernel.distances import count_distances
from graphs.science.kernel.elimination import eliminate, work_of
from graphs.science.kernel.iteration import two_by_iteration
from graphs.science.kernel.laplacian import laplacian_figures
from graphs.science.kernel.natural_connectivity import natural_connectivity
from graphs.science.kernel.rows import adjacency_rows

__all__ = ["analyse"]

#: Work of an elimination, relative to the entries of A, up to which counting finds eigenvalues faster than iteration.
_MOST_COUNTING = 8

#: Smallest and largest λ1 for which exponentials are summed.
_SMALLEST_RADIUS, _LARGEST_RADIUS = 1e-6, 1e4


@compiled
def analyse(
    nodes: int, edges: Integers, weights: Floats
) -> tuple[Integers, int, float, float, float, bool, float, float, bool]:
    """Return everything the metrics are made of, for a graph of at least two nodes.

    Parameters
    ----------
    nodes : int
    edges : ndarray of int64, shape (m, 2)
    weights : ndarray of float64, shape (m,)

    Returns
    -------
    pairs : ndarray of int64, shape (diameter + 1,)
        Ordered pairs at each distance.
    components : int
    first, second, natural : float
        λ1, λ2 and natural connectivity.
    adjacency_good : bool
        Whether those three can be relied upon. Otherwise the spectrum of A is too crowded at its upper end or out of
        range, and a dense solver has to be asked.
    connectivity, resistance : float
        μ2 and Σ_{i≥2} 1/μi; 0 for a disconnected graph.
    laplacian_good : bool
        The same for these two.
    """
    rows = adjacency_rows(nodes, edges, weights)
    pairs, component = count_distances(rows)
    components = 0
    for node in range(nodes):
        components += component[node] == node
    elimination, matrix = eliminate(rows)
    first, second, natural, adjacency_good = 0.0, 0.0, 0.0, True
    if len(edges):
        adjacency_good = False
        if work_of(elimination[0]) <= _MOST_COUNTING * len(rows[2]):
            first, second, adjacency_good = two_by_counting(rows, elimination, matrix)
        if not adjacency_good:
            first, second, adjacency_good = two_by_iteration(rows, component)
        adjacency_good = adjacency_good and _SMALLEST_RADIUS <= first <= _LARGEST_RADIUS
        if adjacency_good:
            natural = natural_connectivity(rows, elimination, matrix, first, second)
    connectivity, resistance, laplacian_good = 0.0, 0.0, True
    if components == 1:
        connectivity, resistance, laplacian_good = laplacian_figures(elimination, matrix)
    return pairs, components, first, second, natural, adjacency_good, connectivity, resistance, laplacian_good
