"""Area of a radar chart, which depends on the order of its axes, and the area that does not."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

__all__ = ["OrderSensitivity", "distinct_orders", "order_free_area", "order_sensitivity", "radar_area"]

#: Differences of areas below this are 0 up to rounding; areas of normalised metrics are at most π.
_ROUNDING = 1e-12


def radar_area(values: Sequence[float]) -> float:
    r"""Area of the polygon that joins the values on evenly spaced axes, in the order given.

    .. math:: A = \frac{1}{2} \left| \sum_{i=1}^{n} v_i v_{i+1} \sin\frac{2\pi}{n} \right|, \quad v_{n+1} = v_1

    Parameters
    ----------
    values : sequence of float, length n ≥ 3
        Normalised metrics, 0 to 1.

    Returns
    -------
    float
        From 0 to (n/2) sin(2π/n), which is 2.736 for seven axes.

    Raises
    ------
    ValueError
        If there are fewer than three axes.
    """
    axes = _checked(values)
    return float(0.5 * abs(axes @ np.roll(axes, -1)) * math.sin(2 * math.pi / len(axes)))


def order_free_area(values: Sequence[float]) -> float:
    r"""Mean of `radar_area` over all orders of the axes, in closed form.

    .. math:: \bar A = \frac{n}{2} \sin\frac{2\pi}{n} \cdot \frac{1}{n(n-1)} \sum_{i \neq j} v_i v_j

    In a random order any two axes are equally likely to be neighbours. Parameters, range and errors are those of
    `radar_area`; values must not be negative.
    """
    axes = _checked(values)
    n = len(axes)
    products = axes.sum() ** 2 - axes @ axes
    return float(n / 2 * math.sin(2 * math.pi / n) * products / (n * (n - 1)))


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderSensitivity:
    """What the difference of two radar areas would be under every order of the axes.

    Attributes
    ----------
    orders : int
        Number of orders that give different polygons, (n − 1)!/2: 360 for seven axes.
    positive, zero, negative : int
        In how many of them the difference has each sign.
    flips : int
        In how many its sign is opposite to that of the order-free difference; 0 when that is 0.
    smallest, largest : float
        Range of the difference.
    """

    orders: int
    positive: int
    zero: int
    negative: int
    flips: int
    smallest: float
    largest: float


def order_sensitivity(first: Sequence[float], second: Sequence[float]) -> OrderSensitivity:
    """Compare the area of ``first`` minus the area of ``second`` over all orders of the axes.

    Parameters
    ----------
    first, second : sequence of float, length n ≥ 3
        Normalised metrics of two graphs on the same axes; up to nine axes, since all orders are looked at.

    Raises
    ------
    ValueError
        If the lengths differ or are out of range.
    """
    if len(first) != len(second) or len(first) > 9:
        raise ValueError("both radars need the same axes, at most nine")
    orders = distinct_orders(len(first))
    differences = _areas(_checked(first), orders) - _areas(_checked(second), orders)
    positive = int(np.count_nonzero(differences > _ROUNDING))
    negative = int(np.count_nonzero(differences < -_ROUNDING))
    order_free = order_free_area(first) - order_free_area(second)
    flips = negative if order_free > _ROUNDING else positive if order_free < -_ROUNDING else 0
    return OrderSensitivity(
        orders=len(orders),
        positive=positive,
        zero=len(orders) - positive - negative,
        negative=negative,
        flips=flips,
        smallest=float(differences.min()),
        largest=float(differences.max()),
    )


@cache
def distinct_orders(axes: int) -> NDArray[np.int64]:
    """Return the orders of axes that differ by more than a turn or a reflection, shape ((n − 1)!/2, n)."""
    # The first axis stays put, which leaves no turns; a reflection swaps the ends of the rest.
    rest = (order for order in permutations(range(1, axes)) if order[0] < order[-1])
    orders = np.array([(0, *order) for order in rest], dtype=np.int64)
    orders.setflags(write=False)
    return orders


def _areas(values: NDArray[np.float64], orders: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the radar area under each order, shape (orders,)."""
    placed = values[orders]
    sums: NDArray[np.float64] = np.sum(placed * np.roll(placed, -1, axis=1), axis=1)
    return 0.5 * math.sin(2 * math.pi / len(values)) * sums


def _checked(values: Sequence[float]) -> NDArray[np.float64]:
    axes = np.asarray(values, dtype=np.float64)
    if axes.ndim != 1 or len(axes) < 3:
        raise ValueError("a radar needs at least three axes")
    return axes
