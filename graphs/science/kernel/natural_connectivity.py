"""Natural connectivity, by elimination or by polynomials, whichever is faster."""

import numpy as np

from graphs.science.kernel.compilation import Floats, compiled
from graphs.science.kernel.elimination import Elimination, work_of
from graphs.science.kernel.polynomials import natural_within
from graphs.science.kernel.rational import natural_by_elimination
from graphs.science.kernel.rows import Rows

__all__ = ["natural_connectivity"]

#: Work of an elimination, relative to that of one polynomial, up to which it is the shorter way to tr exp A.
_MOST_WORK = 0.25

#: What rounding does at worst to a value of the rational function, and to natural connectivity, relative to it.
_ROUNDING, _MOST_ROUNDING = 2e-14, 5e-11

#: How far λ1 may lie outside the interval of a polynomial: exp of it has to be a number.
_FARTHEST = 600.0


@compiled
def natural_connectivity(rows: Rows, elimination: Elimination, matrix: Floats, first: float, second: float) -> float:
    """Return ln(tr exp(A) / n) for λ1 and λ2; λ1 is also the largest |λi|, A having no negative entry."""
    nodes = len(rows[0]) - 1
    more = 0.0
    for entry in rows[2]:
        more += entry * entry / (2.0 * nodes)
    # Σ exp λi − n is at least exp λ1 − 1, and at least tr A² / 2.
    least = max(1.0 - np.exp(-first), nodes * more * np.exp(-first))
    accurate = nodes * _ROUNDING <= _MOST_ROUNDING * least
    if accurate and work_of(elimination[0]) <= _MOST_WORK * len(rows[2]) * nodes:
        return natural_by_elimination(elimination, matrix, first)
    # Mostly λ1 lies apart from all the others. A polynomial for −λ2 … λ2 is shorter, and what it makes of λ1 is known.
    radius = max(second, 0.5 * first, first - _FARTHEST)
    if radius < first:
        value, good = natural_within(rows, first, radius)
        if good:
            return value
    return natural_within(rows, first, first)[0]
