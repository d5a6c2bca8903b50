"""The fast path of `graphs.science.metrics`: every metric of a sparse graph in one compiled call.

Importing this package imports numba; only `graphs.science.engine` does so, and only once there is enough to compute.
The plain NumPy modules beside it define what is computed and are tested against it; nothing here is needed for a
correct result.

How it is fast without LAPACK: the graph of a text has about two edges a node, and stays sparse in all of this.

=====================  ================================================================================================
distances              `distances`: breadth-first search from all nodes at once, with rows of bits
order of elimination   `elimination`: found once, it serves all but `iteration` and `polynomials`
λ1, λ2                 `counting`: negative pivots of x − A count the eigenvalues above eight x at once
                       `iteration`: Lanczos iteration, where elimination would link many nodes or counting leaves doubt
natural connectivity   `rational`: a rational function that is as good as exp, from factors of eight complex z − A
                       `polynomials`: Chebyshev polynomials of A, where elimination would link many nodes
μ2, Σ 1/μi             `laplacian`: the star-mesh transform of electrical networks, which keeps full relative accuracy
=====================  ================================================================================================
"""

from graphs.science.kernel.analysis import analyse
from graphs.science.kernel.cooccurrences import count_pairs
from graphs.science.kernel.edge_swaps import swap_edges

__all__ = ["analyse", "count_pairs", "swap_edges"]
