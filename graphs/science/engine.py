"""Which implementation computes: the compiled kernel, or plain NumPy.

Loading the kernel costs about a second, and some ten more the first time on a machine, when it is compiled; scoring an
abstract with NumPy costs about a millisecond. So a process starts with NumPy and loads the kernel once it has been
asked for `ENOUGH` graphs, or at once for a graph of `LARGE` size and for null models, where there are always many
graphs. Without numba everything stays with NumPy. Both give the same figures to ten digits or more.

The environment variable ``KAPPAGRAPH_KERNEL`` decides otherwise: ``always`` loads the kernel for the first graph,
``never`` leaves it alone.
"""

import os
from functools import cache
from itertools import count
from types import ModuleType

from graphs.science.graph import Graph

__all__ = ["ENOUGH", "LARGE", "kernel", "load_kernel", "loaded_kernel", "suits"]

#: Graphs after which loading a compiled kernel from disk pays.
ENOUGH = 200

#: Nodes of a graph for which it pays at once.
LARGE = 1500

_asked = count(1)


def kernel(nodes: int) -> ModuleType | None:
    """Return the kernel for one more graph of so many nodes, if that pays; None means NumPy."""
    if next(_asked) >= ENOUGH or nodes >= LARGE or os.environ.get("KAPPAGRAPH_KERNEL") == "always":
        return load_kernel()
    return loaded_kernel()


def loaded_kernel() -> ModuleType | None:
    """Return the kernel where it is there already: for small parts of the work that give the same either way."""
    return load_kernel() if load_kernel.cache_info().currsize else None


@cache
def load_kernel() -> ModuleType | None:
    """Return the kernel however little there is to do; None where numba is missing or the kernel is switched off."""
    if os.environ.get("KAPPAGRAPH_KERNEL") == "never":
        return None
    try:
        from graphs.science import kernel
    except ImportError:
        return None
    return kernel


def suits(graph: Graph) -> bool:
    """Whether the kernel is the faster one: it is made for sparse graphs, LAPACK for dense ones."""
    return graph.nodes > 1 and 2 * graph.size <= graph.nodes * max(64, graph.nodes // 4)
