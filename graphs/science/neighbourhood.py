"""Where a text sits among the texts retrieved for it: a graph whose nodes are documents."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphs.science.graph import Graph

__all__ = ["DocumentPlace", "document_graph", "place_among"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPlace:
    """One document among others; a value is None exactly when its name is in ``undefined``.

    Attributes
    ----------
    documents : int
        Number of documents, the placed one included.
    threshold : float
        Similarity from which two documents were linked.
    degree : int
        Number of documents that it is linked to.
    degree_share : float or None
        The same over the number of other documents, 0 to 1.
    betweenness : float or None
        Share of the shortest paths between two others that pass through it, 0 to 1. Near 0 in the thick of things and
        at the edge alike; high for a bridge.
    clustering : float or None
        Share of the pairs of documents linked to it that are linked with each other, 0 to 1.
    centroid_distance : float or None
        Cosine distance to the centroid of the others, 0 to 2.
    mean_centroid_distance : float or None
        Mean cosine distance of the others to the same centroid, to hold it against.
    undefined : dict of str to str
        Why a value is None.
    """

    documents: int
    threshold: float
    degree: int
    degree_share: float | None
    betweenness: float | None
    clustering: float | None
    centroid_distance: float | None
    mean_centroid_distance: float | None
    undefined: dict[str, str]


def document_graph(similarities: ArrayLike, threshold: float) -> Graph:
    """Link the documents whose similarity is at least the threshold; edges are binary."""
    matrix = _checked(similarities)
    first, second = np.nonzero(np.triu(matrix >= threshold, k=1))
    return Graph(nodes=len(matrix), edges=np.column_stack([first, second]), weights=np.ones(len(first)))


def place_among(similarities: ArrayLike, document: int = 0, threshold: float | None = None) -> DocumentPlace:
    r"""Describe where one document sits among the others.

    .. math:: d_c = 1 - \frac{\overline{s_{xj}}}{\sqrt{s_{xx}\, \overline{s_{jk}}}}

    is its cosine distance to the centroid of the others, means running over the other documents j, k: a centroid
    needs no vectors where there are similarities.

    Parameters
    ----------
    similarities : array_like, shape (N, N)
        Cosine similarities (or dot products) of all pairs, ones of a document with itself on the diagonal.
    document : int
        Row of the document to place.
    threshold : float, optional
        Similarity from which two documents are linked. By default the median over all pairs, so that half of them are.

    Returns
    -------
    DocumentPlace

    Raises
    ------
    ValueError
        If the matrix is not square, symmetric and finite or has no such row.

    Notes
    -----
    Uses networkx for betweenness, imported here on the first call.

    References
    ----------
    L. C. Freeman (1977). A set of measures of centrality based on betweenness. *Sociometry* 40, 35-41.
    D. J. Watts and S. H. Strogatz (1998). Collective dynamics of "small-world" networks. *Nature* 393, 440-442.
    """
    matrix = _checked(similarities)
    n = len(matrix)
    if not 0 <= document < n:
        raise ValueError(f"there is no document {document} among {n}")
    if threshold is None:
        threshold = float(np.median(matrix[np.triu_indices(n, k=1)])) if n > 1 else 1.0
    graph = document_graph(matrix, threshold)
    linked = graph.adjacency() > 0
    degree = int(linked[document].sum())
    undefined: dict[str, str] = {}
    betweenness = clustering = None
    if n < 3:
        undefined["betweenness"] = "needs at least three documents"
    else:
        betweenness = _betweenness(graph, document)
    if degree < 2:
        undefined["clustering"] = "linked to fewer than two documents"
    else:
        among = linked[np.ix_(linked[document], linked[document])]
        clustering = float(among.sum() / (degree * (degree - 1)))
    if n < 2:
        undefined["degree_share"] = "there are no other documents"
    distances = _centroid_distances(matrix, document)
    own = mean = None
    if distances is None:
        for name in ("centroid_distance", "mean_centroid_distance"):
            undefined[name] = "the other documents have no centroid to measure from"
    else:
        own, mean = float(distances[document]), float(np.delete(distances, document).mean())
    return DocumentPlace(
        documents=n,
        threshold=threshold,
        degree=degree,
        degree_share=degree / (n - 1) if n > 1 else None,
        betweenness=betweenness,
        clustering=clustering,
        centroid_distance=own,
        mean_centroid_distance=mean,
        undefined=undefined,
    )


def _betweenness(graph: Graph, document: int) -> float:
    import networkx as nx

    network = nx.Graph()
    network.add_nodes_from(range(graph.nodes))
    network.add_edges_from(graph.edges.tolist())
    return float(nx.betweenness_centrality(network)[document])


def _centroid_distances(matrix: NDArray[np.float64], document: int) -> NDArray[np.float64] | None:
    """Return the cosine distance of each document to the centroid of all but one."""
    others = np.arange(len(matrix)) != document
    square = matrix[np.ix_(others, others)].mean() if others.any() else 0.0
    lengths = np.diag(matrix)
    if square <= 1e-12 or np.any(lengths <= 0):
        return None
    cosines: NDArray[np.float64] = matrix[:, others].mean(axis=1) / np.sqrt(lengths * square)
    return 1.0 - cosines


def _checked(similarities: ArrayLike) -> NDArray[np.float64]:
    matrix = np.asarray(similarities, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError("similarities must form a square matrix")
    if not np.all(np.isfinite(matrix)) or not np.allclose(matrix, matrix.T, rtol=0, atol=1e-6):
        raise ValueError("similarities must be finite and symmetric")
    return matrix
