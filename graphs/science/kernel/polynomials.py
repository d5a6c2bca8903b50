"""Σ exp λi = tr exp A by Chebyshev polynomials of A, whose traces need no eigenvalue.

References
----------
A. Weiße, G. Wellein, A. Alvermann and H. Fehske (2006). The kernel polynomial method. *Rev. Mod. Phys.* 78, 275-306.
"""

import numpy as np

from graphs.science.kernel.compilation import Floats, Integers, compiled
from graphs.science.kernel.rows import Rows

__all__ = ["natural_within"]

#: Largest Chebyshev polynomial of λ1 that still leaves digits to see by how many others the interval is left.
_MOST_OUTSIDE = 1e12

#: Columns that Chebyshev recurrence carries at once: long rows for vector instructions, small panels for the cache.
_PANEL = 128


@compiled
def natural_within(rows: Rows, first: float, radius: float) -> tuple[float, bool]:
    """Return ln(tr exp(A) / n) by a polynomial for −radius … radius, and whether all but λ1 lie there, or nearly so."""
    starts, neighbours, entries = rows
    nodes = len(starts) - 1
    # Every trace of a power of A is at least 0, so that tr exp(A) ≥ n + tr A² / 2, besides being at least exp λ1.
    more = 0.0
    for entry in entries:
        more += entry * entry / (2.0 * nodes)
    least = max(np.exp(first - radius) / nodes, np.exp(-radius) * (1.0 + more))
    coefficients = _exponential_coefficients(radius, 1e-11 * np.log(1.0 + more) * least)
    degree = len(coefficients) - 1
    half = (degree + 1) // 2
    # T_k(λ1/r), as far as λ1 is outside: the sum over all others is then |trace − T_k(λ1/r)|.
    outside = radius < first
    single = np.zeros(2 * half + 1)
    if outside:
        single[0], single[1] = 1.0, first / radius
        for k in range(2, 2 * half + 1):
            single[k] = 2.0 * single[1] * single[k - 1] - single[k - 2]
        if single[2 * half] > _MOST_OUTSIDE:
            return 0.0, False
    once, twice = entries / radius, entries * (2.0 / radius)
    # tr T_2k = 2 |T_k|² − n and tr T_2k+1 = 2 ⟨T_k, T_k+1⟩ − tr T_1: half the degree does.
    even, odd = np.zeros(half + 1), np.zeros(half + 1)
    panels = (nodes + _PANEL - 1) // _PANEL
    # In fours, as many as a vector register holds.
    width = 4 * ((nodes + 4 * panels - 1) // (4 * panels))
    for start in range(0, nodes, width):
        # T_0 = 1 and T_1 = A/r; from then on T_k+1 = 2 (A/r) T_k − T_k−1, which takes the place of T_k−1.
        older, newer = np.zeros((nodes, width)), np.zeros((nodes, width))
        for node in range(nodes):
            if start <= node < start + width:
                older[node, node - start] = 1.0
            for place in range(starts[node], starts[node + 1]):
                column = neighbours[place] - start
                if 0 <= column < width:
                    newer[node, column] += once[place]
                    even[1] += once[place] * once[place]
                    odd[0] += once[place] if column + start == node else 0.0
        for k in range(2, half + 1):
            squares, products = _next_polynomial(starts, neighbours, twice, older, newer)
            even[k] += squares
            odd[k - 1] += products
            older, newer = newer, older
            # T_2k is at least −1 inside and grows fast outside, where nothing but λ1 may be: −λ1 often is.
            if outside and panels == 1 and 2.0 * even[k] - nodes - single[2 * k] > nodes:
                return 0.0, False
    if outside and 2.0 * even[half] - nodes - single[2 * half] > nodes:
        return 0.0, False
    total = coefficients[0] * (nodes - single[0]) + coefficients[1] * (odd[0] - single[1])
    for k in range(2, degree + 1):
        trace = 2.0 * even[k // 2] - nodes if k % 2 == 0 else 2.0 * odd[k // 2] - odd[0]
        total += coefficients[k] * (trace - single[k])
    if outside:
        total += np.exp(first - radius)
    return float(radius + np.log(total / nodes)), True


@compiled
def _exponential_coefficients(radius: float, negligible: float) -> Floats:
    """Return the Chebyshev coefficients of exp(r(x − 1)): e^(−r) I_k(r), doubled for k ≥ 1, by Miller's recurrence."""
    last = 30 + int(9.0 * np.sqrt(radius) + 0.1 * radius)
    coefficients = np.zeros(last + 2)
    coefficients[last] = 1e-280
    for degree in range(last, 0, -1):
        coefficients[degree - 1] = coefficients[degree + 1] + 2.0 * degree / radius * coefficients[degree]
        if coefficients[degree - 1] > 1e200:
            for scaled in range(degree - 1, last + 1):
                coefficients[scaled] *= 1e-250
    total = 0.0
    for degree in range(last + 1):
        coefficients[degree] *= 2.0 if degree else 1.0
        total += coefficients[degree]
    for degree in range(last + 1):
        coefficients[degree] /= total
    while last > 1 and coefficients[last] < negligible:
        last -= 1
    return coefficients[: last + 1]


@compiled
def _next_polynomial(
    starts: Integers, neighbours: Integers, factors: Floats, target: Floats, source: Floats
) -> tuple[float, float]:
    """Replace ``target`` by ``factors · source − target``; return its products with itself and with ``source``."""
    width = target.shape[1]
    squares, products = 0.0, 0.0
    for node in range(len(starts) - 1):
        last = starts[node + 1] - 4
        for place in range(starts[node], last, 4):
            i, j, k, m = neighbours[place], neighbours[place + 1], neighbours[place + 2], neighbours[place + 3]
            a, b, c, d = factors[place], factors[place + 1], factors[place + 2], factors[place + 3]
            for x in range(width):
                target[node, x] -= a * source[i, x] + b * source[j, x] + (c * source[k, x] + d * source[m, x])
        i, j, k, m = neighbours[last], neighbours[last + 1], neighbours[last + 2], neighbours[last + 3]
        a, b, c, d = factors[last], factors[last + 1], factors[last + 2], factors[last + 3]
        for x in range(width):
            value = a * source[i, x] + b * source[j, x] + (c * source[k, x] + d * source[m, x]) - target[node, x]
            target[node, x] = value
            squares += value * value
            products += value * source[node, x]
    return squares, products
