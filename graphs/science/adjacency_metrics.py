"""Metrics that rest on the eigenvalues of the adjacency matrix."""

import numpy as np
from numpy.typing import NDArray

from graphs.science.graph import Graph
from graphs.science.undefined import Undefined

__all__ = ["adjacency_spectrum", "natural_connectivity", "spectral_gap", "spectral_radius"]


def adjacency_spectrum(graph: Graph) -> NDArray[np.float64]:
    """Return the eigenvalues of A in ascending order, shape (n,).

    A symmetric solver keeps them real and sorted; a general one returns complex values for some text graphs.
    """
    if graph.nodes == 0:
        return np.zeros(0)
    return np.linalg.eigvalsh(graph.adjacency()).astype(np.float64, copy=False)


def spectral_radius(spectrum: NDArray[np.float64]) -> float | Undefined:
    r"""Largest eigenvalue of the adjacency matrix.

    .. math:: \rho = \lambda_1(A)

    A has no negative entry, so that λ1 is also the largest in absolute value. In the binary convention it lies
    between the mean and the largest degree, at most n − 1. Undefined for the empty graph.

    References
    ----------
    D. Cvetković, P. Rowlinson and S. Simić (2010). *An Introduction to the Theory of Graph Spectra*. Cambridge.
    """
    if len(spectrum) == 0:
        return Undefined("needs at least one node")
    return float(spectrum[-1])


def spectral_gap(spectrum: NDArray[np.float64]) -> float | Undefined:
    r"""Difference of the two largest eigenvalues of the adjacency matrix.

    .. math:: \Delta = \lambda_1(A) - \lambda_2(A)

    At least 0. Undefined for fewer than two nodes.

    References
    ----------
    E. Estrada (2006). Network robustness to targeted attacks. *European Physical Journal B* 52, 563-574.
    """
    if len(spectrum) < 2:
        return Undefined("needs at least two nodes")
    return float(spectrum[-1] - spectrum[-2])


def natural_connectivity(spectrum: NDArray[np.float64]) -> float | Undefined:
    r"""Logarithm of the mean exponential eigenvalue: a count of closed walks, long ones weighing little.

    .. math:: \bar\lambda = \ln\left(\frac{1}{n} \sum_i e^{\lambda_i(A)}\right)

    Computed by log-sum-exp, so that it cannot overflow. From 0 (no edges) to below λ1. Undefined for the empty graph.

    References
    ----------
    J. Wu, M. Barahona, Y.-J. Tan and H.-Z. Deng (2010). Natural connectivity of complex networks. *Chinese Physics
    Letters* 27, 078902.
    """
    if len(spectrum) == 0:
        return Undefined("needs at least one node")
    largest = spectrum[-1]
    return float(largest + np.log(np.mean(np.exp(spectrum - largest))))
