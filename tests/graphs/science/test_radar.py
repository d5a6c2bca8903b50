import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.science.radar import distinct_orders, order_free_area, order_sensitivity, radar_area

AXES = st.lists(st.floats(0, 1), min_size=7, max_size=7)
FULL = 7 / 2 * math.sin(2 * math.pi / 7)


def shoelace(values: list[float]) -> float:
    """Area of the drawn polygon from its corners."""
    angles = 2 * np.pi * np.arange(len(values)) / len(values)
    x, y = values * np.cos(angles), values * np.sin(angles)
    return 0.5 * abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))))


@given(AXES)
def test_the_area_is_that_of_the_drawn_polygon(values: list[float]) -> None:
    assert radar_area(values) == pytest.approx(shoelace(np.array(values)), abs=1e-12)


def test_full_and_empty_radars() -> None:
    assert radar_area([1.0] * 7) == pytest.approx(FULL)
    assert order_free_area([1.0] * 7) == pytest.approx(FULL)
    assert radar_area([0.0] * 7) == order_free_area([0.0] * 7) == 0.0
    assert order_free_area([1.0, 0, 0, 0, 0, 0, 0]) == 0.0


def test_a_square() -> None:
    assert radar_area([1.0, 1.0, 1.0, 1.0]) == pytest.approx(2.0)


@given(AXES)
def test_the_order_free_area_is_the_mean_over_all_orders(values: list[float]) -> None:
    mean = np.mean([radar_area([values[axis] for axis in order]) for order in distinct_orders(7)])
    assert order_free_area(values) == pytest.approx(mean, abs=1e-12)


@given(AXES, st.permutations(range(7)))
def test_the_order_free_area_has_no_order(values: list[float], order: list[int]) -> None:
    assert order_free_area([values[axis] for axis in order]) == pytest.approx(order_free_area(values), abs=1e-12)


def test_seven_axes_have_360_orders() -> None:
    orders = distinct_orders(7)
    assert orders.shape == (360, 7)
    neighbours = {frozenset(frozenset((order[i - 1], order[i])) for i in range(7)) for order in orders.tolist()}
    assert len(neighbours) == 360


def test_the_paper_order_is_one_of_many_areas() -> None:
    values = [1.0, 0.1, 0.9, 0.2, 0.8, 0.3, 0.0]
    areas = {round(radar_area([values[axis] for axis in order]), 10) for order in permutations(range(7))}
    assert len(areas) > 100
    assert round(radar_area(values), 10) in areas


@given(AXES, AXES)
def test_sensitivity_is_that_of_all_orders(first: list[float], second: list[float]) -> None:
    result = order_sensitivity(first, second)
    differences = [
        radar_area([first[axis] for axis in order]) - radar_area([second[axis] for axis in order])
        for order in distinct_orders(7)
    ]
    assert result.orders == result.positive + result.zero + result.negative == 360
    assert result.smallest == pytest.approx(min(differences), abs=1e-12)
    assert result.largest == pytest.approx(max(differences), abs=1e-12)
    assert result.positive == pytest.approx(sum(difference > 1e-12 for difference in differences), abs=3)
    assert result.flips in (result.positive, result.negative, 0)


def test_the_sign_can_flip() -> None:
    spread, gathered = [0.9, 0.0, 0.9, 0.0, 0.9, 0.0, 0.3], [0.45, 0.45, 0.45, 0.45, 0.3, 0.3, 0.3]
    result = order_sensitivity(spread, gathered)
    assert result.smallest < 0 < result.largest
    difference = order_free_area(spread) - order_free_area(gathered)
    assert result.flips == (result.negative if difference > 0 else result.positive)
    assert 0 < result.flips < 360
    assert order_sensitivity(gathered, spread).flips == result.flips


def test_equal_radars_never_flip() -> None:
    result = order_sensitivity([0.5] * 7, [0.5] * 7)
    assert (result.zero, result.flips) == (360, 0)


def test_what_is_no_radar_is_refused() -> None:
    with pytest.raises(ValueError, match="three axes"):
        radar_area([1.0, 1.0])
    with pytest.raises(ValueError, match="same axes"):
        order_sensitivity([1.0] * 7, [1.0] * 6)
    with pytest.raises(ValueError, match="at most nine"):
        order_sensitivity([1.0] * 10, [1.0] * 10)
