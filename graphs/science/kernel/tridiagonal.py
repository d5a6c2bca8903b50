"""The largest eigenvalue of a tridiagonal matrix, and its eigenvector."""

import numpy as np

from graphs.science.kernel.compilation import Floats, compiled

__all__ = ["last_entry", "top_of_tridiagonal"]


@compiled
def top_of_tridiagonal(diagonal: Floats, beside: Floats, size: int, guess: float) -> float:
    """Return the largest eigenvalue by Laguerre's iteration, which comes down to it from above and cannot miss it.

    The iteration starts from the guess, or, should that turn out too small, from Gershgorin's bound.
    """
    bound = -np.inf
    for row in range(size):
        reach = (beside[row - 1] if row else 0.0) + (beside[row] if row + 1 < size else 0.0)
        bound = max(bound, diagonal[row] + reach)
    x = min(guess, bound)
    for iteration in range(60):
        pivot, slope, bend = x - diagonal[0], 1.0, 0.0
        inverse = 1.0 / pivot
        ratio = slope * inverse
        first, second = ratio, ratio * ratio
        above = pivot > 0
        for row in range(1, size):
            square = beside[row - 1] * beside[row - 1] * inverse
            # Derivatives of the pivot x − α − β²/p: β² p′/p² and β² (p″/p² − 2 p′²/p³).
            bend = square * inverse * (bend - 2.0 * slope * ratio)
            slope = 1.0 + square * ratio
            pivot = x - diagonal[row] - square
            inverse = 1.0 / pivot
            ratio = slope * inverse
            first += ratio
            second += ratio * ratio - bend * inverse
            above &= pivot > 0
        if not above and iteration == 0 and x < bound:
            x = bound
            continue
        if not above:
            # Rounding has carried x across the root: it is there.
            break
        step = size / (first + np.sqrt(max(0.0, (size - 1.0) * (size * second - first * first))))
        x -= step
        if step <= 4e-16 * abs(x):
            break
    return x


@compiled
def last_entry(diagonal: Floats, beside: Floats, size: int, value: float, combination: Floats) -> float:
    """Fill in an eigenvector of a tridiagonal matrix, from its end backwards; return its last entry, normalised."""
    combination[size - 1] = 1.0
    square = 1.0
    for row in range(size - 1, 0, -1):
        last = beside[row] * combination[row + 1] if row + 1 < size else 0.0
        combination[row - 1] = ((value - diagonal[row]) * combination[row] - last) / beside[row - 1]
        square += combination[row - 1] * combination[row - 1]
        if square > 1e200:
            for scaled in range(row - 1, size):
                combination[scaled] *= 1e-100
            square *= 1e-200
    return float(abs(combination[size - 1]) / np.sqrt(square))
