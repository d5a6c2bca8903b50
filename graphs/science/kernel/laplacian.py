"""μ2 and Σ 1/μi by elimination.

A node is replaced by links among its neighbours that leave all effective resistances as they were (the star-mesh
transform of an electrical network). Nothing is subtracted, so that every entry of the factor has full relative
accuracy, and so have Σ 1/μi, from the diagonal of the inverse, and μ2, by Lanczos iteration with the inverse: also for
a chain of thousands of words.

References
----------
F. Dörfler and F. Bullo (2013). Kron reduction of graphs with applications to electrical networks. *IEEE Trans. Circuits
Syst. I* 60, 150-163.
K. Takahashi, J. Fagan and M.-S. Chin (1973). Formation of a sparse bus impedance matrix and its application to short
circuit study. *Proc. 8th PICA Conf.*, 63-69.
"""

import numpy as np

from graphs.science.kernel.compilation import Floats, compiled
from graphs.science.kernel.elimination import Elimination
from graphs.science.kernel.iteration import RESIDUAL, largest_eigenvalue, start_vector

__all__ = ["laplacian_figures"]


@compiled
def laplacian_figures(elimination: Elimination, matrix: Floats) -> tuple[float, float, bool]:
    """Return μ2 and Σ 1/μi of a connected graph, and whether μ2 was reached."""
    first, later, _ = elimination
    nodes = len(first) - 1
    conductance, shares = _conductances(elimination, matrix)
    resistance = _trace_of_inverse(elimination, conductance, shares)
    constant = np.full(nodes, 1.0 / np.sqrt(nodes))
    operator = (first, later, shares, conductance)
    value, reached = largest_eigenvalue(operator, start_vector(nodes), constant, 0.0, RESIDUAL, 12, np.empty(nodes))
    return 1.0 / value, resistance, reached


@compiled
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


@compiled
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
