"""Largest eigenvalues by Lanczos iteration.

References
----------
G. H. Golub and C. F. Van Loan (2013). *Matrix Computations*, 4th ed., chapter 10. Johns Hopkins University Press.
"""

import numpy as np

from graphs.science.kernel.compilation import Floats, Integers, compiled
from graphs.science.kernel.counting import CLOSEST_SECOND
from graphs.science.kernel.rows import Rows
from graphs.science.kernel.tridiagonal import last_entry, top_of_tridiagonal

__all__ = ["RESIDUAL", "largest_eigenvalue", "start_vector", "two_by_iteration"]

Operator = tuple[Integers, Integers, Floats, Floats]

#: Lanczos steps after which a spectrum counts as too crowded for this.
_MOST_STEPS = 400

#: Residual of an eigenpair, relative to the largest eigenvalue, that is good enough. The error of the eigenvalue is the
#: square of that over the distance to the next, and never more than the residual itself.
RESIDUAL = 1e-10

#: The same for λ1 of a component, which the largest λ2 that is let pass keeps far from its neighbour.
_RESIDUAL_OF_FIRST = 1e-8

#: A next Lanczos vector below this times the largest eigenvalue is rounding: the Krylov space is exhausted.
_BREAKDOWN = 1e-12


@compiled
def two_by_iteration(rows: Rows, component: Integers) -> tuple[float, float, bool]:
    """Return λ1 ≥ λ2 of A, over all components, and whether they can be relied upon."""
    nodes = len(component)
    starts, neighbours, entries = rows
    operator = (starts, neighbours, entries, np.empty(0))
    anywhere, nowhere, start = start_vector(nodes), np.zeros(nodes), np.empty(nodes)
    vector, unused = np.empty(nodes), np.empty(nodes)
    first, second, good = -np.inf, -np.inf, True
    for root in range(nodes):
        if component[root] != root:
            continue
        members = 0
        for node in range(nodes):
            inside = component[node] == root
            start[node] = anywhere[node] if inside else 0.0
            members += inside
        value, reached = largest_eigenvalue(operator, start, nowhere, 0.0, _RESIDUAL_OF_FIRST, 18, vector)
        good = good and reached
        if value > first:
            first, second = value, first
        elif value > second:
            second = value
        if members > 1:
            # Of changing sign, and so far from the eigenvector of λ1, which is positive.
            for node in range(nodes):
                start[node] *= start[node] - 1.0
            next_value, reached = largest_eigenvalue(operator, start, vector, value, RESIDUAL, 30, unused)
            good = good and reached and next_value <= CLOSEST_SECOND * value
            second = max(second, next_value)
    return first, second, good


@compiled
def start_vector(nodes: int) -> Floats:
    """Return numbers from 0.5 to 1.5 in no order that a graph could have: the same ones each time."""
    vector = np.empty(nodes)
    state = np.uint64(0x9E3779B97F4A7C15)
    for node in range(nodes):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        vector[node] = 0.5 + np.float64(state >> np.uint64(11)) / 9007199254740992.0
    return vector


@compiled
def largest_eigenvalue(
    operator: Operator, start: Floats, away: Floats, scale: float, tolerance: float, check: int, vector: Floats
) -> tuple[float, bool]:
    """Return the largest eigenvalue that a start vector knows of, and whether it was reached.

    Lanczos iteration without reorthogonalisation: rounding then makes copies of eigenvalues already found, which does
    not matter where only the largest is wanted. The iteration stays orthogonal to the unit vector ``away``, or to
    nothing when that is 0. ``check`` is the first step after which it may be worth looking at the eigenvalue. The
    eigenvector goes into ``vector``.
    """
    nodes = len(start)
    basis, product = np.empty((_MOST_STEPS + 1, nodes)), np.empty(nodes)
    diagonal, beside, combination = np.empty(_MOST_STEPS), np.empty(_MOST_STEPS), np.empty(_MOST_STEPS)
    overlap, square = 0.0, 0.0
    for node in range(nodes):
        overlap += away[node] * start[node]
    for node in range(nodes):
        basis[0, node] = start[node] - overlap * away[node]
    # Sums are loops of their own: how a loop is summed that also stores depends on where its arrays happen to lie.
    for node in range(nodes):
        square += basis[0, node] * basis[0, node]
    inverse = 1.0 / np.sqrt(square)
    for node in range(nodes):
        basis[0, node] *= inverse
    value, guess, reached, size = 0.0, np.inf, False, 0
    while not reached and size < _MOST_STEPS:
        step, before = size, max(0, size - 1)
        coupling = beside[before] if step else 0.0
        _apply(operator, basis[step], product)
        overlap, along, left, square = 0.0, 0.0, 0.0, 0.0
        for node in range(nodes):
            overlap += away[node] * product[node]
            along += basis[step, node] * product[node]
        for node in range(nodes):
            rest = product[node] - along * basis[step, node] - overlap * away[node] - coupling * basis[before, node]
            product[node] = rest
        for node in range(nodes):
            left += away[node] * product[node]
        # Once more: what is left may be little more than rounding, which has no direction.
        for node in range(nodes):
            product[node] -= left * away[node]
        for node in range(nodes):
            square += product[node] * product[node]
        diagonal[step], beside[step] = along, np.sqrt(square)
        size += 1
        exhausted = beside[step] <= _BREAKDOWN * max(scale, abs(value), abs(along))
        if exhausted or size in (check, _MOST_STEPS):
            value = top_of_tridiagonal(diagonal, beside, size, guess)
            residual = beside[step] * last_entry(diagonal, beside, size, value, combination)
            reached = exhausted or residual <= tolerance * max(scale, abs(value))
            check = _next_look(size, residual, tolerance * max(scale, abs(value)))
            guess = value + residual
        inverse = 1.0 / beside[step]
        for node in range(nodes):
            basis[size, node] = product[node] * inverse
    square = 0.0
    for node in range(nodes):
        total = 0.0
        for row in range(size):
            total += combination[row] * basis[row, node]
        vector[node] = total
        square += total * total
    inverse = 1.0 / np.sqrt(square)
    for node in range(nodes):
        vector[node] *= inverse
    return value, reached


@compiled
def _next_look(size: int, residual: float, tolerance: float) -> int:
    """Return the step at which to look again, if a residual shrinks by a factor of e a step, as it mostly does."""
    return size + max(2, int(min(max(8.0, size / 8), np.log(residual / tolerance))))


@compiled
def _apply(operator: Operator, vector: Floats, product: Floats) -> None:
    """Multiply a vector by A, or, where the operator comes with `_conductances`, by L⁺."""
    starts, neighbours, entries, conductance = operator
    nodes = len(vector)
    if len(conductance) == 0:
        for node in range(nodes):
            place = starts[node]
            i, j, k, m = neighbours[place], neighbours[place + 1], neighbours[place + 2], neighbours[place + 3]
            a, b, c, d = entries[place], entries[place + 1], entries[place + 2], entries[place + 3]
            total = a * vector[i] + b * vector[j] + (c * vector[k] + d * vector[m])
            for more in range(place + 4, starts[node + 1]):
                total += entries[more] * vector[neighbours[more]]
            product[node] = total
        return
    # Voltages of currents that add up to 0: the last node grounded, and the mean removed in the end.
    for node in range(nodes):
        product[node] = vector[node]
    for node in range(nodes - 1):
        flow = product[node]
        for place in range(starts[node], starts[node + 1]):
            product[neighbours[place]] += entries[place] * flow
    product[nodes - 1] = 0.0
    total = 0.0
    for node in range(nodes - 2, -1, -1):
        voltage = product[node] / conductance[node]
        for place in range(starts[node], starts[node + 1]):
            voltage += entries[place] * product[neighbours[place]]
        product[node] = voltage
        total += voltage
    mean = total / nodes
    for node in range(nodes):
        product[node] -= mean
