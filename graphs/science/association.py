"""Pointwise mutual information of words that co-occur."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["npmi", "ppmi"]


def ppmi(nodes: int, edges: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    r"""Positive pointwise mutual information of each edge.

    .. math:: \mathrm{PPMI}_{ij} = \max\left(0, \ln \frac{p_{ij}}{p_i p_j}\right), \quad
              p_{ij} = \frac{c_{ij}}{\sum_{kl} c_{kl}}, \quad p_i = \sum_j p_{ij}

    where c is the symmetric matrix of co-occurrence counts, so that each meeting counts once in either direction.

    Parameters
    ----------
    nodes : int
        Number of words n.
    edges : ndarray, shape (m, 2)
        Pairs of words that met.
    counts : ndarray, shape (m,)
        How often they met.

    Returns
    -------
    ndarray, shape (m,)
        In nats, at least 0.

    References
    ----------
    K. W. Church and P. Hanks (1990). Word association norms, mutual information, and lexicography. *Computational
    Linguistics* 16(1), 22-29.
    """
    return np.maximum(_information(nodes, edges, counts)[0], 0.0)


def npmi(nodes: int, edges: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    r"""Positive part of the normalised pointwise mutual information of each edge.

    .. math:: \mathrm{NPMI}_{ij} = \max\left(0, \ln \frac{p_{ij}}{p_i p_j} \big/ -\ln p_{ij}\right)

    Parameters and probabilities are those of `ppmi`.

    Returns
    -------
    ndarray, shape (m,)
        From 0 to 1; 1 for two words that meet each other and nothing else.

    References
    ----------
    G. Bouma (2009). Normalized (pointwise) mutual information in collocation extraction. *Proc. GSCL*, 31-40.
    """
    information, joint = _information(nodes, edges, counts)
    # Where information is positive, joint < 1, so the denominator is positive too.
    positive = information > 0
    result = np.zeros(len(edges))
    np.divide(information, -np.log(joint), out=result, where=positive)
    return result


def _information(
    nodes: int, edges: NDArray[np.int64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return ln(p_ij / p_i p_j) and p_ij for each edge."""
    first, second = edges.T
    # A self-loop's matrix entry holds both of its directions.
    entries = np.where(first == second, 2.0, 1.0) * counts
    strength = np.bincount(first, counts, nodes) + np.bincount(second, counts, nodes)
    total = strength.sum()
    joint = entries / total
    return np.log(entries * total / (strength[first] * strength[second])), joint
