"""How the kernel's functions are compiled, and what their arrays are called."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

__all__ = ["Bits", "Floats", "Integers", "compiled"]

Function = TypeVar("Function", bound=Callable[..., Any])
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Bits = NDArray[np.uint64]

#: Size and time of every file of the kernel.
_STATE = tuple(
    (path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(Path(__file__).parent.glob("*.py"))
)


def compiled(function: Function) -> Function:
    """Compile on the first call, without Python's lock, keeping the machine code on disk where that can be written."""
    compile_function: Any = numba.njit
    options = {"nogil": True, "error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}
    try:
        made = compile_function(cache=True, **options)(function)
    except RuntimeError:
        # Neither the package's folder nor the user's cache folder can be written.
        made = compile_function(**options)(function)
    _watch_all_files(made)
    result: Function = made
    return result


def _watch_all_files(function: Any) -> None:
    """Let machine code on disk count only while no file of the kernel has changed.

    numba looks at the file of a function, but not at those of the functions that it calls. What is set here is no
    public part of numba: without it, a change somewhere else has to wait until the cache is removed by hand.
    """
    kept: Any = getattr(getattr(function, "_cache", None), "_cache_file", None)
    if hasattr(kept, "_source_stamp"):
        kept._source_stamp = (kept._source_stamp, _STATE)
