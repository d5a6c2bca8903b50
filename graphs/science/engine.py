"""Which implementation computes: the compiled kernel, or plain NumPy.

Loading the kernel costs about a second, and some twenty more the first time on a machine, when it is compiled; scoring
an abstract costs about a millisecond with NumPy and a tenth of that with the kernel. So a process starts with NumPy and
goes over to the kernel once it has scored `ENOUGH` graphs, for a graph of `LARGE` size, or when a program that will
score many says so with `prefer_kernel`. Without numba everything stays with NumPy. Both give the same figures to ten
digits or more, and to the last bit where something is counted.

The environment variable ``KAPPAGRAPH_KERNEL`` decides otherwise: ``always`` takes the kernel from the first graph on,
``never`` leaves it alone.
"""

import logging
import os
from functools import cache
from itertools import count
from types import ModuleType

from graphs.science.graph import Graph

__all__ = ["ENOUGH", "LARGE", "kernel", "load_kernel", "loaded_kernel", "prefer_kernel", "suits"]

#: Graphs after which loading a compiled kernel from disk pays, at the latest: where LAPACK runs on several threads that
#: have to share their cores, small matrices take it many times as long.
ENOUGH = 200

#: Nodes of a graph for which it pays at once.
LARGE = 1500

_asked = count(1)

logger = logging.getLogger(__name__)


def kernel(nodes: int) -> ModuleType | None:
    """Return the kernel for one more graph of so many nodes, if that pays; None means NumPy.

    Whether something else has loaded it does not matter: the same program gives the same bits.
    """
    if nodes >= LARGE or next(_asked) >= ENOUGH or os.environ.get("KAPPAGRAPH_KERNEL") == "always":
        return load_kernel()
    return None


def prefer_kernel() -> None:
    """Take the kernel from now on, in this process: for workers, whose scores must not depend on their age."""
    global _asked
    _asked = count(ENOUGH)


@cache
def load_kernel() -> ModuleType | None:
    """Return the kernel however little there is to do; None where numba is missing or either is switched off."""
    if os.environ.get("KAPPAGRAPH_KERNEL") == "never":
        return None
    try:
        from numba import config

        if getattr(config, "DISABLE_JIT", False):
            # For debugging: as Python the kernel would not run, since it names vector registers.
            return None
        from graphs.science import kernel
    except ImportError:
        return None
    except Exception:
        # A compiler that is there and broken costs speed, never a score.
        logger.warning("numba cannot be imported; graphs are scored with NumPy alone", exc_info=True)
        return None
    return kernel


def loaded_kernel() -> ModuleType | None:
    """Return the kernel where it is there already: for counting, which gives the same either way."""
    return load_kernel() if load_kernel.cache_info().currsize else None


def suits(graph: Graph) -> bool:
    """Whether the kernel is the faster one: it is made for sparse graphs, LAPACK for dense ones."""
    return graph.nodes > 1 and 2 * graph.size <= graph.nodes * max(64, graph.nodes // 4)
