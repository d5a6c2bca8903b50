"""The fast path of `graphs.science.metrics`: every metric of a sparse graph in one compiled call.

Importing this module imports numba; only `graphs.science.engine` does so, and only once there is enough to compute.
The plain NumPy modules beside it define what is computed and are tested against it; nothing here is needed for a
correct result. All functions live in one file because numba's cache notices a change only in the file of the function
that it compiled; `graphs.science.lanes` is apart because it is about the compiler, not about graphs.

How it is fast without LAPACK: the graph of a text has about two edges a node, and stays sparse in all of this.

distances
    Breadth-first search from all nodes at once, the set of nodes within d hops of each as a row of bits.
elimination
    A text mostly goes on to words that it has not used before. So one node after another can be eliminated, those with
    the fewest neighbours first, and few links are added on the way: factors stay sparse, and so does what is needed of
    an inverse, the entries where factors have one. The order is found once and serves all that follows. Eight matrices
    of the same pattern are factored at once, side by side in vector registers.
λ1, λ2
    Negative pivots of x − A count the eigenvalues above x, which encloses both; the determinant, the product of all
    pivots, is interpolated to see where to look next. Where elimination would link too many nodes, or leaves doubt, by
    Lanczos iteration; λ2 on what is orthogonal to the eigenvector of λ1. Each component then on its own, since an
    eigenvalue that two components share is found only once.
natural connectivity
    Σ exp λi = tr exp A by a rational function as good as exp itself in double precision, from the traces of (z − A)⁻¹
    for eight complex z. Where elimination would link too many nodes, by Chebyshev polynomials of A, whose traces need
    no eigenvalue either.
μ2, Σ 1/μi
    A node is replaced by links among its neighbours that leave all effective resistances as they were (the star-mesh
    transform of an electrical network). Nothing is subtracted, so that every entry of the factor has full relative
    accuracy, and so have Σ 1/μi, from the diagonal of the inverse, and μ2, by Lanczos iteration with the inverse: also
    for a chain of thousands of words.

References
----------
G. H. Golub and C. F. Van Loan (2013). *Matrix Computations*, 4th ed., chapter 10. Johns Hopkins University Press.
L. N. Trefethen, J. A. C. Weideman and T. Schmelzer (2006). Talbot quadratures and rational approximations. *BIT* 46,
653-670.
A. Weiße, G. Wellein, A. Alvermann and H. Fehske (2006). The kernel polynomial method. *Rev. Mod. Phys.* 78, 275-306.
F. Dörfler and F. Bullo (2013). Kron reduction of graphs with applications to electrical networks. *IEEE Trans. Circuits
Syst. I* 60, 150-163.
K. Takahashi, J. Fagan and M.-S. Chin (1973). Formation of a sparse bus impedance matrix and its application to short
circuit study. *Proc. 8th PICA Conf.*, 63-69.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from graphs.science.lanes import LANES, load, negative, spread, store

__all__ = ["analyse", "count_pairs", "swap_edges"]

Function = TypeVar("Function", bound=Callable[..., Any])
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Bits = NDArray[np.uint64]
Rows = tuple[Integers, Integers, Floats]
Operator = tuple[Integers, Integers, Floats, Floats]
Elimination = tuple[Integers, Integers, Integers]

#: Lanczos steps after which a spectrum counts as too crowded for this.
_MOST_STEPS = 400

#: Residual of an eigenpair, relative to the largest eigenvalue, that is good enough. The error of the eigenvalue is the
#: square of that over the distance to the next, and never more than the residual itself.
_RESIDUAL = 1e-10

#: The same for λ1 of a component, which the largest λ2 that is let pass, relative to it, keeps far from its neighbour.
_RESIDUAL_OF_FIRST, _CLOSEST_SECOND = 1e-8, 1 - 1e-3

#: A next Lanczos vector below this times the largest eigenvalue is rounding: the Krylov space is exhausted.
_BREAKDOWN = 1e-12

#: Distance to either side of an eigenvalue, relative to a bound for all, that counting has to prove.
_ENCLOSURE = 5e-14

#: Rounds of counting after which an eigenvalue is given up, and the largest number, relative to that bound, that may
#: come up on the way.
_MOST_TURNS, _MOST_GROWTH = 40, 1e3

#: Smallest and largest λ1 for which exponentials are expanded in Chebyshev polynomials.
_SMALLEST_RADIUS, _LARGEST_RADIUS = 1e-6, 1e4

#: Largest Chebyshev polynomial of λ1 that still leaves digits to see by how many others the interval is left.
_MOST_OUTSIDE = 1e12

#: Columns that Chebyshev recurrence carries at once: long rows for vector instructions, small panels for the cache.
_PANEL = 128

#: Work of an elimination, relative to that of one polynomial, up to which it is the shorter way to tr exp A.
_MOST_WORK = 0.25

#: Work of an elimination, relative to the entries of A, up to which counting finds eigenvalues faster than iteration.
_MOST_COUNTING = 8

#: Numbers of a complex entry in all lanes.
_COMPLEX = 2 * LANES

#: The rational function of degree 16 that comes closest to exp on (−∞, 0], everywhere within 2.2e-16: a constant of
#: that size, and 2 Re Σ c / (x − z) over one pole z and residue c of each conjugate pair. Real parts come first, then
#: imaginary parts. Residues were rounded one by one, the largest first, and the others each time fitted anew.
_POLES = np.array(
    [
        *(6.416177699099435, 5.948152268951177, 4.993174737717997, 3.509103608414918),
        *(1.419375897185666, -1.4139284624888862, -5.264971343442647, -10.843917078696988),
        *(1.1941223933701386, 3.587457362018322, 5.996881713603942, 8.436198985884374),
        *(10.925363484496723, 13.497725698892745, 16.22022147316793, 19.27744616718165),
    ]
)
_RESIDUES = np.array(
    [
        *(-64.50087802553959, 113.39775178483923, -62.518392463207896, 15.05958527002347),
        *(-1.4793007113558212, 0.041023136835425786, 0.00021151742182610122, -5.09015219877728e-07),
        *(-224.5944076265211, 101.94721704215853, -11.190391094283168, -5.751405277642228),
        *(1.768658832378315, -0.15743466173454737, 0.004389296964731568, -2.4220017652827857e-05),
    ]
)

#: Error of the sum of such values for each node that comes from rounding.
_ROUNDING_OF_RATIONAL = 3e-15

_ONE = np.uint64(1)


def _compiled(function: Function) -> Function:
    """Compile on the first call, without Python's lock, keeping the machine code on disk where that can be written."""
    compile_function: Any = numba.njit
    options = {"nogil": True, "error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}
    compiled: Function
    try:
        compiled = compile_function(cache=True, **options)(function)
    except RuntimeError:
        # Neither the package's folder nor the user's cache folder can be written.
        compiled = compile_function(**options)(function)
    return compiled


# --- Graph ------------------------------------------------------------------------------------------------------------


@_compiled
def count_pairs(sequence: Integers, nodes: int, window: int, self_loops: bool) -> tuple[Integers, Integers]:
    """Return the distinct pairs of nodes that meet inside the window, sorted, (m, 2), and how often, (m,)."""
    length = len(sequence)
    most = length * (window - 1)
    first, second = np.empty(most, np.int64), np.empty(most, np.int64)
    total = 0
    for place in range(length):
        for other in range(place + 1, min(place + window, length)):
            a, b = sequence[place], sequence[other]
            if a != b or self_loops:
                first[total], second[total] = min(a, b), max(a, b)
                total += 1
    # Two stable counting sorts, the less significant node first.
    order = _sorted_order(first[:total], _sorted_order(second[:total], np.arange(total), nodes), nodes)
    edges, counts = np.empty((total, 2), np.int64), np.zeros(total, np.int64)
    size = 0
    for pair in order:
        a, b = first[pair], second[pair]
        if size == 0 or edges[size - 1, 0] != a or edges[size - 1, 1] != b:
            edges[size, 0], edges[size, 1] = a, b
            size += 1
        counts[size - 1] += 1
    return edges[:size].copy(), counts[:size].copy()


@_compiled
def _sorted_order(keys: Integers, order: Integers, largest: int) -> Integers:
    """Sort an order of items by their keys, 0 … largest − 1, keeping ties as they are."""
    starts = np.zeros(largest + 1, np.int64)
    for key in keys:
        starts[key + 1] += 1
    for key in range(largest):
        starts[key + 1] += starts[key]
    result = np.empty_like(order)
    for item in order:
        result[starts[keys[item]]] = item
        starts[keys[item]] += 1
    return result


@_compiled
def _adjacency_rows(nodes: int, edges: Integers, weights: Floats) -> Rows:
    """Return A in compressed rows: where each row starts, the neighbours, the entries; a self-loop is its own once.

    Every row is filled up to a multiple of four entries, at least four, with zeros on the diagonal.
    """
    degree = np.zeros(nodes, np.int64)
    for a, b in edges:
        degree[a] += 1
        if a != b:
            degree[b] += 1
    starts = np.zeros(nodes + 1, np.int64)
    for node in range(nodes):
        starts[node + 1] = starts[node] + 4 * max(1, (degree[node] + 3) // 4)
    ends = starts[:-1].copy()
    neighbours, entries = np.empty(starts[nodes], np.uint32), np.zeros(starts[nodes])
    for edge in range(len(edges)):
        a, b = edges[edge, 0], edges[edge, 1]
        neighbours[ends[a]], entries[ends[a]] = b, weights[edge]
        ends[a] += 1
        if a != b:
            neighbours[ends[b]], entries[ends[b]] = a, weights[edge]
            ends[b] += 1
    for node in range(nodes):
        neighbours[ends[node] : starts[node + 1]] = node
    return starts, neighbours, entries


# --- Distances --------------------------------------------------------------------------------------------------------


@_compiled
def _ones(word: np.uint64) -> np.int64:
    """Count the bits of a 64-bit word; compilers turn this into one instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@_compiled
def _distances(rows: Rows) -> tuple[Integers, Integers]:
    """Return the number of ordered pairs at each distance, and for each node the smallest one of its component."""
    starts, neighbours, _ = rows
    nodes = len(starts) - 1
    pairs, farthest = np.zeros(nodes + 1, np.int64), 0
    component = np.full(nodes, -1)
    # From 128 nodes at a time, in two words: bit by bit, which of them have got to a node after so many hops.
    reached, further = np.zeros((nodes, 2), np.uint64), np.zeros((nodes, 2), np.uint64)
    for source in range(0, nodes, 128):
        reached[:] = np.uint64(0)
        for node in range(source, min(source + 128, nodes)):
            reached[node, (node - source) // 64] = _ONE << np.uint64((node - source) % 64)
        hops = 0
        while True:
            gained = np.int64(0)
            for node in range(nodes):
                place = starts[node]
                i, j, k, m = neighbours[place], neighbours[place + 1], neighbours[place + 2], neighbours[place + 3]
                low = reached[node, 0] | reached[i, 0] | reached[j, 0] | reached[k, 0] | reached[m, 0]
                high = reached[node, 1] | reached[i, 1] | reached[j, 1] | reached[k, 1] | reached[m, 1]
                # Most rows are over here; a loop that also had to begin would cost more than it does.
                for more in range(place + 4, starts[node + 1]):
                    i = neighbours[more]
                    low |= reached[i, 0]
                    high |= reached[i, 1]
                further[node, 0], further[node, 1] = low, high
                gained += _ones(low ^ reached[node, 0]) + _ones(high ^ reached[node, 1])
            if gained == 0:
                break
            hops += 1
            pairs[hops] += gained
            reached, further = further, reached
        farthest = max(farthest, hops)
        for word in range(2):
            for node in range(nodes):
                bits = reached[node, word]
                if component[node] < 0 and bits:
                    component[node] = source + 64 * word + _ones((bits & (~bits + _ONE)) - _ONE)
    return pairs[: farthest + 1].copy(), component


# --- Elimination ------------------------------------------------------------------------------------------------------


@_compiled
def _elimination(rows: Rows) -> tuple[Elimination, Floats]:
    """Find an order to eliminate the nodes in, those with the fewest neighbours first, and where entries of A go.

    Eliminating a node links its neighbours with one another. Every link, old or new, has a place of its own for
    whatever is computed along it, and so has every node, behind all links. Nodes are numbered by their turn.

    Returns
    -------
    elimination : tuple
        Where the links of each node to later ones start, (n + 1,); the later node of each, (f,); and the place of each
        pair of nodes, (n, n), filled in only where they are linked.
    matrix : ndarray of float64, shape (f + n,)
        Entries of A at their places.
    """
    starts, neighbours, entries = rows
    nodes = len(starts) - 1
    width = (nodes + 63) // 64
    linked = np.zeros((nodes, width), np.uint64)
    degree = np.zeros(nodes, np.int64)
    for node in range(nodes):
        for place in range(starts[node], starts[node + 1]):
            other = neighbours[place]
            if other != node:
                linked[node, other // 64] |= _ONE << np.uint64(other % 64)
                degree[node] += 1
    turns, first, near = np.empty(nodes, np.int64), np.zeros(nodes + 1, np.int64), np.empty(nodes, np.int64)
    # Room for a complete graph, of which a sparse one never touches most.
    later: Any = np.empty(nodes * (nodes - 1) // 2, np.uint32)
    for turn in range(nodes):
        # The first of those with the fewest, without a branch.
        smallest: Any = np.int64(nodes) << 32
        for candidate in range(nodes):
            smallest = min(smallest, degree[candidate] << 32 | candidate)
        node, fewest = smallest & 0xFFFFFFFF, smallest >> 32
        turns[node] = turn
        first[turn + 1] = first[turn] + fewest
        _list_bits(linked[node], near)
        for a in range(fewest):
            end = near[a]
            later[first[turn] + a] = end
            count = np.int64(0)
            for word in range(width):
                linked[end, word] |= linked[node, word]
            linked[end, end // 64] &= ~(_ONE << np.uint64(end % 64))
            linked[end, node // 64] &= ~(_ONE << np.uint64(node % 64))
            for word in range(width):
                count += _ones(linked[end, word])
            degree[end] = count
        degree[node] = nodes + 1
    links = first[nodes]
    places: Any = np.empty((nodes, nodes), np.uint32)
    for turn in range(nodes):
        places[turn, turn] = links + turn
        for link in range(first[turn], first[turn + 1]):
            end = turns[later[link]]
            later[link] = end
            places[turn, end] = link
            places[end, turn] = link
    matrix: Floats = np.zeros(links + nodes)
    for node in range(nodes):
        turn = turns[node]
        for place in range(starts[node], starts[node + 1]):
            end = turns[neighbours[place]]
            if end >= turn:
                matrix[places[turn, end]] += entries[place]
    return (first, later, places), matrix


@_compiled
def _list_bits(bits: Bits, members: Integers) -> int:
    """Write down the numbers of the bits that are set and return how many there are."""
    count = 0
    for word in range(len(bits)):
        left = bits[word]
        while left:
            members[count] = 64 * word + _ones((left & (~left + _ONE)) - _ONE)
            left &= left - _ONE
            count += 1
    return count


@_compiled
def _work(first: Integers) -> int:
    """Return the number of multiplications that an elimination takes, for every entry once on each side."""
    work = 0
    for turn in range(len(first) - 1):
        count = first[turn + 1] - first[turn]
        work += count * count
    return work


# --- Extreme eigenvalues ----------------------------------------------------------------------------------------------


@_compiled
def _start_vector(nodes: int) -> Floats:
    """Return numbers from 0.5 to 1.5 in no order that a graph could have: the same ones each time."""
    vector = np.empty(nodes)
    state = np.uint64(0x9E3779B97F4A7C15)
    for node in range(nodes):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        vector[node] = 0.5 + np.float64(state >> np.uint64(11)) / 9007199254740992.0
    return vector


@_compiled
def _top_of_tridiagonal(diagonal: Floats, beside: Floats, size: int, guess: float) -> float:
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


@_compiled
def _combine(diagonal: Floats, beside: Floats, size: int, value: float, combination: Floats) -> float:
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


@_compiled
def _next_look(size: int, residual: float, tolerance: float) -> int:
    """Return the step at which to look again, if a residual shrinks by a factor of e a step, as it mostly does."""
    return size + max(2, int(min(max(8.0, size / 8), np.log(residual / tolerance))))


@_compiled
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


@_compiled
def _largest_eigenvalue(
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
        rest = start[node] - overlap * away[node]
        basis[0, node] = rest
        square += rest * rest
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
            left += away[node] * rest
        # Once more: what is left may be little more than rounding, which has no direction.
        for node in range(nodes):
            rest = product[node] - left * away[node]
            product[node] = rest
            square += rest * rest
        diagonal[step], beside[step] = along, np.sqrt(square)
        size += 1
        exhausted = beside[step] <= _BREAKDOWN * max(scale, abs(value), abs(along))
        if exhausted or size in (check, _MOST_STEPS):
            value = _top_of_tridiagonal(diagonal, beside, size, guess)
            residual = beside[step] * _combine(diagonal, beside, size, value, combination)
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


@_compiled
def _two_largest(rows: Rows, component: Integers) -> tuple[float, float, bool]:
    """Return λ1 ≥ λ2 of A, over all components, and whether they can be relied upon."""
    nodes = len(component)
    starts, neighbours, entries = rows
    operator = (starts, neighbours, entries, np.empty(0))
    anywhere, nowhere, start = _start_vector(nodes), np.zeros(nodes), np.empty(nodes)
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
        value, reached = _largest_eigenvalue(operator, start, nowhere, 0.0, _RESIDUAL_OF_FIRST, 18, vector)
        good = good and reached
        if value > first:
            first, second = value, first
        elif value > second:
            second = value
        if members > 1:
            # Of changing sign, and so far from the eigenvector of λ1, which is positive.
            for node in range(nodes):
                start[node] *= start[node] - 1.0
            next_value, reached = _largest_eigenvalue(operator, start, vector, value, _RESIDUAL, 30, unused)
            good = good and reached and next_value <= _CLOSEST_SECOND * value
            second = max(second, next_value)
    return first, second, good


# --- Two largest eigenvalues by counting ------------------------------------------------------------------------------


@_compiled
def _pivots(elimination: Elimination, matrix: Floats, bound: float, points: Floats, factor: Floats) -> None:
    """Factor x − A for the eight x in ``points``, of which it then holds what the pivots say.

    That is, in all lanes: how many eigenvalues are above x, which is how many pivots are negative (Sylvester's law of
    inertia); det(x − A) / bound^n, their product; and the sum of squares of all that was subtracted from pivots, whose
    root times the rounding error of a number is about what rounding does to an eigenvalue at worst.
    """
    first, later, places = elimination
    nodes = len(first) - 1
    links = first[nodes]
    x = load(points, 0)
    for place in range(links):
        store(factor, LANES * place, spread(-matrix[place]))
    for place in range(links, links + nodes):
        store(factor, LANES * place, x - spread(matrix[place]))
    one = spread(1.0)
    above, product, growth, unit = spread(0.0), one, spread(0.0), spread(1.0 / bound)
    for turn in range(nodes):
        begin, end = first[turn], first[turn + 1]
        pivot = load(factor, LANES * (links + turn))
        above = above + negative(pivot)
        product = product * (pivot * unit)
        inverse = one / pivot
        for a in range(begin, end):
            entry = load(factor, LANES * a)
            share = entry * inverse
            store(factor, LANES * a, share)
            there = LANES * (links + later[a])
            less = entry * share
            growth = growth + less * less
            store(factor, there, load(factor, there) - less)
            for b in range(begin, a):
                there = LANES * np.int64(places[later[a], later[b]])
                store(factor, there, load(factor, there) - entry * load(factor, LANES * b))
    store(points, 0, above)
    store(points, LANES, product)
    store(points, 2 * LANES, growth)


@_compiled
def _two_by_counting(rows: Rows, elimination: Elimination, matrix: Floats) -> tuple[float, float, bool]:
    """Return λ1 ≥ λ2 of A, and whether they can be relied upon.

    Counts of the eigenvalues above eight points at a time enclose both, whatever there is to be confused by: further
    eigenvalues near them, or components. Between such points det(x − A) is interpolated, which soon says where to
    look, and the enclosure becomes so narrow that it proves the guess.
    """
    nodes = len(rows[0]) - 1
    bound, squares = _bound(rows)
    narrow = 2.5 * _ENCLOSURE * bound
    factor, points, tried = np.empty(LANES * len(matrix)), np.empty(3 * LANES), np.empty(LANES)
    for lane in range(LANES):
        tried[lane] = bound * (0.3 + 0.1 * lane if lane else 0.2)
    # Of λ1 and of λ2 the two nearest points below, the nearest first, and the two nearest above: where, sign and
    # logarithm of the determinant, and growth. A sign of 0 stands for a determinant that is not known.
    near = np.zeros((2, 4, 4))
    near[:, :2, 0], near[:, 2:, 0] = -bound, bound
    widths, failures, searching = np.full(2, 2.0 * bound), np.zeros(2, np.int64), 2
    for _ in range(_MOST_TURNS):
        points[:LANES] = tried
        _pivots(elimination, matrix, bound, points, factor)
        for lane in range(LANES):
            x, determinant = tried[lane], points[LANES + lane]
            sign, size = 0.0, 0.0
            if x > 0.1 * bound and determinant != 0.0:
                # Without what tr A² alone says of its growth, which leaves little but the roots nearby.
                sign = np.sign(determinant)
                size = np.log(abs(determinant)) + nodes * np.log(bound / x) + squares / (x * x)
            for k in range(2):
                _keep_nearest(near[k], points[lane] > k, x, sign, size, points[2 * LANES + lane])
        searching = 0
        for k in range(2):
            searching += near[k, 2, 0] - near[k, 0, 0] > narrow
        if searching == 0:
            break
        lane, share = 0, LANES // searching
        for k in range(2):
            width = near[k, 2, 0] - near[k, 0, 0]
            if width > narrow:
                failures[k] = failures[k] + 1 if width > 0.25 * widths[k] else 0
                widths[k] = width
                _try_next(near[k], bound, failures[k], tried[lane : lane + share])
                lane += share
    reliable = searching == 0
    for k in range(2):
        reliable = reliable and max(near[k, 0, 3], near[k, 2, 3]) <= (_MOST_GROWTH * bound) ** 2
        widths[k] = _root_between(near[k])[0]
        if not near[k, 0, 0] <= widths[k] <= near[k, 2, 0]:
            widths[k] = 0.5 * (near[k, 0, 0] + near[k, 2, 0])
    return widths[0], widths[1], reliable and widths[1] <= _CLOSEST_SECOND * widths[0]


@_compiled
def _bound(rows: Rows) -> tuple[float, float]:
    """Return a bound for λ1, whose square is at most the largest row sum of A², and half of tr A²."""
    starts, neighbours, entries = rows
    nodes = len(starts) - 1
    sums, squares, largest = np.zeros(nodes), 0.0, 0.0
    for node in range(nodes):
        for place in range(starts[node], starts[node + 1]):
            sums[node] += entries[place]
            squares += 0.5 * entries[place] * entries[place]
    for node in range(nodes):
        total = 0.0
        for place in range(starts[node], starts[node + 1]):
            total += entries[place] * sums[neighbours[place]]
        largest = max(largest, total)
    return np.sqrt(largest) * (1.0 + 1e-9), squares


@_compiled
def _keep_nearest(near: Floats, below: bool, x: float, sign: float, size: float, growth: float) -> None:
    """Put a point among the two nearest on its side, if it is one of them."""
    row = 0 if below else 2
    nearer = x - near[row, 0] if below else near[row, 0] - x
    if nearer > 0.0:
        near[row + 1] = near[row]
    elif nearer < 0.0 and -nearer < abs(near[row + 1, 0] - near[row, 0]):
        row += 1
    else:
        return
    near[row, 0], near[row, 1], near[row, 2], near[row, 3] = x, sign, size, growth


@_compiled
def _try_next(near: Floats, bound: float, failures: int, tried: Floats) -> None:
    """Choose points to try next: close around a guess, in growing distances, or else spread evenly."""
    low, high, count = near[0, 0], near[2, 0], len(tried)
    guess, error = _root_between(near)
    if low < guess < high and high - low < 0.03 * bound and failures < 2:
        error *= 30.0**failures
        error = min(max(error, 2.0 * _ENCLOSURE * bound), 0.3 * (high - low))
        for pair in range(0, count, 2):
            apart = _ENCLOSURE * bound * (error / (_ENCLOSURE * bound)) ** (pair / (count - 2.0))
            tried[pair] = max(guess - apart, low + 0.05 * (guess - low))
            tried[pair + 1] = min(guess + apart, high - 0.05 * (high - guess))
    else:
        for part in range(count):
            tried[part] = low + (high - low) * (part + 1.0) / (count + 1.0)


@_compiled
def _root_between(near: Floats) -> tuple[float, float]:
    """Return where four determinants say that one is 0, and twice the distance to where three of them do.

    If p(x) = (x − r) / q(x) with a polynomial q of degree two less than there are points, then divided differences of
    highest order say r = Δ(x / p) / Δ(1 / p).
    """
    farthest = 1 if near[0, 0] - near[1, 0] > near[3, 0] - near[2, 0] else 3
    origin, scale, least = near[0, 0], near[3, 0] - near[1, 0], near[:, 2].min()
    moment, total, moment_of_three, total_of_three, known = 0.0, 0.0, 0.0, 0.0, True
    for i in range(4):
        known = known and near[i, 1] != 0.0
        term = near[i, 1] * np.exp(least - near[i, 2])
        for j in range(4):
            if j != i:
                term *= scale / (near[i, 0] - near[j, 0])
        moment += term * (near[i, 0] - origin)
        total += term
        term *= (near[i, 0] - near[farthest, 0]) / scale
        moment_of_three += term * (near[i, 0] - origin)
        total_of_three += term
    if not known:
        return np.inf, np.inf
    return origin + moment / total, 2.0 * abs(moment / total - moment_of_three / total_of_three)


# --- Natural connectivity ---------------------------------------------------------------------------------------------


@_compiled
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


@_compiled
def _natural_connectivity(rows: Rows, elimination: Elimination, matrix: Floats, first: float, second: float) -> float:
    """Return ln(tr exp(A) / n) for λ1 and λ2; λ1 is also the largest |λi|, A having no negative entry."""
    nodes = len(rows[0]) - 1
    more = 0.0
    for entry in rows[2]:
        more += entry * entry / (2.0 * nodes)
    # Σ exp λi − n is at least exp λ1 − 1, and at least tr A² / 2.
    least = max(1.0 - np.exp(-first), nodes * more * np.exp(-first))
    accurate = nodes * _ROUNDING_OF_RATIONAL <= 1e-11 * least
    if accurate and _work(elimination[0]) <= _MOST_WORK * len(rows[2]) * nodes:
        return _natural_by_elimination(elimination, matrix, first)
    # Mostly λ1 lies apart from all the others. A polynomial for −λ2 … λ2 is shorter, and what it makes of λ1 is known.
    radius = max(second, 0.5 * first)
    if radius < first:
        value, good = _natural_within(rows, first, radius)
        if good:
            return value
    return _natural_within(rows, first, first)[0]


@_compiled
def _natural_by_elimination(elimination: Elimination, matrix: Floats, radius: float) -> float:
    """Return ln(tr exp(A) / n) by the rational function that comes closest to exp, at A − λ1.

    For its poles z, the trace of (z − A)⁻¹ takes the diagonal of an inverse, whose entries between linked nodes follow
    from the factors of z − A, from the last node backwards. Nothing is near a pole, so that no pivot is small. One
    pole of each conjugate pair does, and all are treated at once, each in its lane.
    """
    first, later, places = elimination
    nodes = len(first) - 1
    links = first[nodes]
    # Of each entry the real parts in all lanes, and then the imaginary parts.
    factor, inverse = np.zeros(_COMPLEX * len(matrix)), np.empty(_COMPLEX * len(matrix))
    zero, one = spread(0.0), spread(1.0)
    pole, height = load(_POLES, 0) + spread(radius), load(_POLES, LANES)
    for place in range(links):
        store(factor, _COMPLEX * place, spread(-matrix[place]))
    for place in range(links, links + nodes):
        store(factor, _COMPLEX * place, pole - spread(matrix[place]))
        store(factor, _COMPLEX * place + LANES, height)
    for turn in range(nodes):
        begin, end = first[turn], first[turn + 1]
        here = _COMPLEX * (links + turn)
        x, y = load(factor, here), load(factor, here + LANES)
        squared = one / (x * x + y * y)
        p, q = x * squared, zero - y * squared
        store(factor, here, p)
        store(factor, here + LANES, q)
        for a in range(begin, end):
            u, v = load(factor, _COMPLEX * a), load(factor, _COMPLEX * a + LANES)
            x, y = u * p - v * q, u * q + v * p
            store(factor, _COMPLEX * a, x)
            store(factor, _COMPLEX * a + LANES, y)
            for b in range(begin, a + 1):
                there = _COMPLEX * np.int64(places[later[a], later[b]])
                x, y = load(factor, _COMPLEX * b), load(factor, _COMPLEX * b + LANES)
                store(factor, there, load(factor, there) - (u * x - v * y))
                store(factor, there + LANES, load(factor, there + LANES) - (u * y + v * x))
    # tr (z − A)⁻¹ less what it would be without links, n / z: the sum then is of what they add to Σ exp λi.
    squared = spread(np.float64(nodes)) / (pole * pole + height * height)
    trace, rest = zero - pole * squared, height * squared
    for turn in range(nodes - 1, -1, -1):
        begin, end = first[turn], first[turn + 1]
        here = _COMPLEX * (links + turn)
        p, q = load(factor, here), load(factor, here + LANES)
        for a in range(begin, end):
            u, v = zero, zero
            for b in range(begin, end):
                there = _COMPLEX * np.int64(places[later[a], later[b]])
                x, y = load(factor, _COMPLEX * b), load(factor, _COMPLEX * b + LANES)
                c, d = load(inverse, there), load(inverse, there + LANES)
                u, v = u - (x * c - y * d), v - (x * d + y * c)
            store(inverse, _COMPLEX * a, u)
            store(inverse, _COMPLEX * a + LANES, v)
            x, y = load(factor, _COMPLEX * a), load(factor, _COMPLEX * a + LANES)
            p, q = p - (x * u - y * v), q - (x * v + y * u)
        store(inverse, here, p)
        store(inverse, here + LANES, q)
        trace, rest = trace + p, rest + q
    parts = np.empty(LANES)
    store(parts, 0, load(_RESIDUES, 0) * trace - load(_RESIDUES, LANES) * rest)
    more = -2.0 * np.sum(parts) / nodes
    if radius < 1.0:
        return float(np.log1p(np.exp(radius) * more))
    return float(radius + np.log(np.exp(-radius) + more))


@_compiled
def _natural_within(rows: Rows, first: float, radius: float) -> tuple[float, bool]:
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


@_compiled
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


# --- Laplacian --------------------------------------------------------------------------------------------------------


@_compiled
def _conductances(elimination: Elimination, matrix: Floats) -> tuple[Floats, Floats]:
    """Eliminate all nodes of a connected graph but the last by the star-mesh transform.

    Returns the conductance that each node had when its turn came, and the share of it that goes to each later node.
    """
    first, later, places = elimination
    nodes = len(first) - 1
    conductance = np.zeros(nodes)
    shares = matrix.copy()
    for turn in range(nodes - 1):
        begin, end = first[turn], first[turn + 1]
        total = 0.0
        for a in range(begin, end):
            total += shares[a]
        conductance[turn] = total
        for a in range(begin, end):
            share = shares[a] / total
            for b in range(begin, a):
                # Shares stand before a already, conductances from a on.
                shares[places[later[a], later[b]]] += shares[a] * shares[b]
            shares[a] = share
    return conductance, shares


@_compiled
def _trace_of_inverse(elimination: Elimination, conductance: Floats, shares: Floats) -> float:
    """Return tr L⁺ = Σ 1/μi.

    With the last node grounded, L has an inverse Z, the matrix of voltages. Its entries between linked nodes follow
    from the last node backwards; tr L⁺ = tr Z − Σ Z / n.
    """
    first, later, places = elimination
    nodes = len(conductance)
    ground = nodes - 1
    trace, total = 0.0, 0.0
    inflow = np.ones(nodes)
    for turn in range(ground):
        total += inflow[turn] * inflow[turn] / conductance[turn]
        for link in range(first[turn], first[turn + 1]):
            inflow[later[link]] += shares[link] * inflow[turn]
    voltages = np.zeros(len(shares))
    for turn in range(ground - 1, -1, -1):
        begin, end = first[turn], first[turn + 1]
        own = 1.0 / conductance[turn]
        for a in range(begin, end):
            voltage = 0.0
            for b in range(begin, end):
                voltage += shares[b] * voltages[places[later[a], later[b]]]
            voltages[a] = voltage
            own += shares[a] * voltage
        voltages[first[nodes] + turn] = own
        trace += own
    return trace - total / nodes


@_compiled
def _laplacian_figures(elimination: Elimination, matrix: Floats) -> tuple[float, float, bool]:
    """Return μ2 and Σ 1/μi of a connected graph, and whether μ2 was reached."""
    first, later, _ = elimination
    nodes = len(first) - 1
    conductance, shares = _conductances(elimination, matrix)
    resistance = _trace_of_inverse(elimination, conductance, shares)
    constant = np.full(nodes, 1.0 / np.sqrt(nodes))
    operator = (first, later, shares, conductance)
    value, reached = _largest_eigenvalue(operator, _start_vector(nodes), constant, 0.0, _RESIDUAL, 12, np.empty(nodes))
    return 1.0 / value, resistance, reached


# --- All of it --------------------------------------------------------------------------------------------------------


@_compiled
def analyse(
    nodes: int, edges: Integers, weights: Floats
) -> tuple[Integers, int, float, float, float, bool, float, float, bool]:
    """Return everything the metrics are made of, for a graph of at least two nodes.

    Parameters
    ----------
    nodes : int
    edges : ndarray of int64, shape (m, 2)
    weights : ndarray of float64, shape (m,)

    Returns
    -------
    pairs : ndarray of int64, shape (diameter + 1,)
        Ordered pairs at each distance.
    components : int
    first, second, natural : float
        λ1, λ2 and natural connectivity.
    adjacency_good : bool
        Whether those three can be relied upon. Otherwise the spectrum of A is too crowded at its upper end or out of
        range, and a dense solver has to be asked.
    connectivity, resistance : float
        μ2 and Σ_{i≥2} 1/μi; 0 for a disconnected graph.
    laplacian_good : bool
        The same for these two.
    """
    rows = _adjacency_rows(nodes, edges, weights)
    pairs, component = _distances(rows)
    components = 0
    for node in range(nodes):
        components += component[node] == node
    elimination, matrix = _elimination(rows)
    first, second, natural, adjacency_good = 0.0, 0.0, 0.0, True
    if len(edges):
        adjacency_good = False
        if _work(elimination[0]) <= _MOST_COUNTING * len(rows[2]):
            first, second, adjacency_good = _two_by_counting(rows, elimination, matrix)
        if not adjacency_good:
            first, second, adjacency_good = _two_largest(rows, component)
        adjacency_good = adjacency_good and _SMALLEST_RADIUS <= first <= _LARGEST_RADIUS
        if adjacency_good:
            natural = _natural_connectivity(rows, elimination, matrix, first, second)
    connectivity, resistance, laplacian_good = 0.0, 0.0, True
    if components == 1:
        connectivity, resistance, laplacian_good = _laplacian_figures(elimination, matrix)
    return pairs, components, first, second, natural, adjacency_good, connectivity, resistance, laplacian_good


# --- Null models ------------------------------------------------------------------------------------------------------


@_compiled
def swap_edges(nodes: int, ends: Integers, firsts: Integers, offsets: Integers, turns: Integers) -> None:
    """Carry out the proposals of `graphs.science.null_models.edge_swap` on ``ends``, (m, 2), in place."""
    edges = len(ends)
    present = np.zeros((nodes, (nodes + 63) // 64), np.uint64)
    for a, b in ends:
        present[a, b // 64] |= _ONE << np.uint64(b % 64)
    for step in range(len(firsts)):
        first = firsts[step]
        second = (first + offsets[step]) % edges
        a, b = ends[first]
        c, d = ends[second]
        if turns[step]:
            c, d = d, c
        low, high = min(a, d), max(a, d)
        lower, higher = min(c, b), max(c, b)
        if low == high or lower == higher:
            continue
        if (present[low, high // 64] >> np.uint64(high % 64)) & _ONE:
            continue
        if (present[lower, higher // 64] >> np.uint64(higher % 64)) & _ONE:
            continue
        present[a, b // 64] ^= _ONE << np.uint64(b % 64)
        present[min(c, d), max(c, d) // 64] ^= _ONE << np.uint64(max(c, d) % 64)
        present[low, high // 64] |= _ONE << np.uint64(high % 64)
        present[lower, higher // 64] |= _ONE << np.uint64(higher % 64)
        ends[first, 0], ends[first, 1] = low, high
        ends[second, 0], ends[second, 1] = lower, higher
