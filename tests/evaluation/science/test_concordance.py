"""Concordant less discordant pairs, against counting every pair."""

import numpy as np
import pytest

from evaluation.science.correlations.concordance import concordance


def every_pair(x, y):
    n = len(x)
    return sum(np.sign(x[j] - x[i]) * np.sign(y[j] - y[i]) for i in range(n) for j in range(i + 1, n))


@pytest.mark.parametrize("seed", range(40))
def test_it_counts_what_every_pair_counts(seed):
    rng = np.random.default_rng(seed)
    n, levels = int(rng.integers(1, 15)), int(rng.integers(1, 6))
    x, y = rng.integers(0, levels, (3, n)), rng.integers(0, 5, n).astype(float)
    assert concordance(x, y, levels).tolist() == [every_pair(row, y) for row in x]
