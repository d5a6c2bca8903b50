"""λ1 and λ2 of A by counting, where elimination links few nodes.

Negative pivots of x − A count the eigenvalues above x, which encloses both; the determinant, the product of all pivots,
is interpolated to see where to look next. Eight matrices x − A are factored at once, side by side in vector registers.

References
----------
G. H. Golub and C. F. Van Loan (2013). *Matrix Computations*, 4th ed., chapters 4 and 8. Johns Hopkins University Press.
"""

import numpy as np

from graphs.science.kernel.compilation import Floats, compiled
from graphs.science.kernel.elimination import Elimination
from graphs.science.kernel.lanes import LANES, load, negative, spread, store
from graphs.science.kernel.rows import Rows

__all__ = ["CLOSEST_SECOND", "two_by_counting"]

#: λ2 relative to λ1 above which their difference has lost too many digits.
CLOSEST_SECOND = 1 - 1e-3

#: Distance to either side of an eigenvalue, relative to a bound for all, that counting has to prove.
_ENCLOSURE = 5e-14

#: Rounds of counting after which an eigenvalue is given up, and the largest number, relative to that bound, that may
#: come up on the way.
_MOST_TURNS, _MOST_GROWTH = 40, 1e3


@compiled
def two_by_counting(rows: Rows, elimination: Elimination, matrix: Floats) -> tuple[float, float, bool]:
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
    reliable, growth = searching == 0, (_MOST_GROWTH * bound) ** 2
    for k in range(2):
        # A pivot of 0 makes this infinite or no number, which no comparison passes.
        reliable = reliable and near[k, 0, 3] <= growth and near[k, 2, 3] <= growth
        widths[k] = _root_between(near[k])[0]
        if not near[k, 0, 0] <= widths[k] <= near[k, 2, 0]:
            widths[k] = 0.5 * (near[k, 0, 0] + near[k, 2, 0])
    return widths[0], widths[1], reliable and widths[1] <= CLOSEST_SECOND * widths[0]


@compiled
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


@compiled
def _bound(rows: Rows) -> tuple[float, float]:
    """Return a bound for λ1, whose square is at most the largest row sum of A², and half of tr A²."""
    starts, neighbours, entries = rows
    nodes = len(starts) - 1
    sums, squares, largest = np.zeros(nodes), 0.0, 0.0
    for node in range(nodes):
        # In a variable of its own: how a loop is summed that also stores depends on where its arrays happen to lie.
        row = 0.0
        for place in range(starts[node], starts[node + 1]):
            row += entries[place]
            squares += 0.5 * entries[place] * entries[place]
        sums[node] = row
    for node in range(nodes):
        total = 0.0
        for place in range(starts[node], starts[node + 1]):
            total += entries[place] * sums[neighbours[place]]
        largest = max(largest, total)
    return np.sqrt(largest) * (1.0 + 1e-9), squares


@compiled
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


@compiled
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


@compiled
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
