"""Σ exp λi = tr exp A by a rational function that is as good as exp itself in double precision.

References
----------
L. N. Trefethen, J. A. C. Weideman and T. Schmelzer (2006). Talbot quadratures and rational approximations. *BIT* 46,
653-670.
K. Takahashi, J. Fagan and M.-S. Chin (1973). Formation of a sparse bus impedance matrix and its application to short
circuit study. *Proc. 8th PICA Conf.*, 63-69.
"""

import numpy as np

from graphs.science.kernel.compilation import Floats, compiled
from graphs.science.kernel.elimination import Elimination
from graphs.science.kernel.lanes import LANES, load, spread, store

__all__ = ["natural_by_elimination"]

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


@compiled
def natural_by_elimination(elimination: Elimination, matrix: Floats, radius: float) -> float:
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
