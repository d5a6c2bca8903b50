"""Vector values in compiled code against NumPy."""

import numpy as np
import pytest

numba = pytest.importorskip("numba", reason="numba is not installed")


def test_lanes_compute_what_numpy_computes() -> None:
    from graphs.science.kernel.lanes import LANES, load, negative, spread, store

    @numba.njit
    def compute(numbers: np.ndarray, factor: float) -> np.ndarray:
        result = np.full(len(numbers) + 1, -1.0)
        for place in range(0, len(numbers) - LANES, LANES):
            a, b = load(numbers, place), load(numbers, place + LANES)
            store(result, place + 1, (a * spread(factor) - b) / (a * a + b) + negative(a - b))
        return result

    numbers = np.random.default_rng(3).random(3 * LANES) + 0.5
    a, b = numbers[:-LANES], numbers[LANES:]
    result = compute(numbers, 2.5)
    assert result[1 : 2 * LANES + 1] == pytest.approx((a * 2.5 - b) / (a * a + b) + (a < b), rel=1e-13)
    # Nothing beside the lanes is touched.
    assert result[0] == -1
    assert set(result[2 * LANES + 1 :]) == {-1}
