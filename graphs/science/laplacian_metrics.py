"""Metrics that rest on the eigenvalues of the Laplacian matrix."""

import numpy as np
from numpy.typing import NDArray

from graphs.science.graph import Graph
from graphs.science.undefined import Undefined

__all__ = ["algebraic_connectivity", "effective_conductance", "laplacian_spectrum"]

#: Share of the largest eigenvalue below which rounding would cost the second smallest its eleventh digit.
_SMALL = 1e-4


def laplacian_spectrum(graph: Graph) -> NDArray[np.float64]:
    """Return the eigenvalues of L = D − A in ascending order, shape (n,); self-loops cancel out of L.

    A symmetric solver's errors are a few units of rounding of the *largest* eigenvalue. Where μ2 is so small that this
    matters (long chains), the eigenvalues are found as squares of the singular values of the weighted incidence matrix
    instead, which takes longer and halves the digits lost: μ2 of a chain of 5,000 words still has ten correct digits.
    """
    if graph.nodes == 0:
        return np.zeros(0)
    laplacian = -graph.adjacency()
    np.fill_diagonal(laplacian, 0.0)
    np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
    spectrum = np.linalg.eigvalsh(laplacian).astype(np.float64, copy=False)
    if graph.nodes > 1 and spectrum[1] < _SMALL * spectrum[-1]:
        return _squared_singular_values(graph)
    return spectrum


def _squared_singular_values(graph: Graph) -> NDArray[np.float64]:
    """Return the spectrum of L = Bᵀ B from the incidence matrix B, whose row for an edge holds ±√weight at its ends."""
    first, second = graph.edges.T
    rows, roots = np.arange(graph.size), np.sqrt(np.where(first == second, 0.0, graph.weights))
    incidence = np.zeros((graph.size, graph.nodes))
    incidence[rows, first] = roots
    incidence[rows, second] = -roots
    squares = np.linalg.svd(incidence, compute_uv=False).astype(np.float64, copy=False)[::-1] ** 2
    # A tree has one edge, and so one row, fewer than nodes.
    return np.concatenate([np.zeros(max(0, graph.nodes - len(squares))), squares])


def algebraic_connectivity(spectrum: NDArray[np.float64], components: int) -> float | Undefined:
    r"""Second smallest eigenvalue of the Laplacian.

    .. math:: \mu_2(L)

    Exactly 0 for a disconnected graph, which is decided by counting components: a computed eigenvalue is never
    exactly 0. At most n in the binary convention. Undefined for fewer than two nodes.

    Parameters
    ----------
    spectrum : ndarray, shape (n,)
        Ascending eigenvalues of L; only its length is looked at when the graph is disconnected.
    components : int
        Number of connected components.

    References
    ----------
    M. Fiedler (1973). Algebraic connectivity of graphs. *Czechoslovak Mathematical Journal* 23, 298-305.
    """
    if len(spectrum) < 2:
        return Undefined("needs at least two nodes")
    return float(spectrum[1]) if components == 1 else 0.0


def effective_conductance(spectrum: NDArray[np.float64], components: int) -> float | Undefined:
    r"""Normalised inverse of the effective graph resistance.

    .. math:: C_G = \frac{n - 1}{R_G}, \quad R_G = n \sum_{i=2}^{n} \frac{1}{\mu_i(L)}

    From 0 (disconnected) to 1 (complete graph) in the binary convention. Undefined for fewer than two nodes.
    Parameters are those of `algebraic_connectivity`.

    References
    ----------
    W. Ellens, F. M. Spieksma, P. Van Mieghem, A. Jamakovic and R. E. Kooij (2011). Effective graph resistance. *Linear
    Algebra and its Applications* 435, 2491-2506.
    """
    n = len(spectrum)
    if n < 2:
        return Undefined("needs at least two nodes")
    if components > 1:
        return 0.0
    return float((n - 1) / (n * np.sum(1.0 / spectrum[1:])))
