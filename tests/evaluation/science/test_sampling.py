"""Quantiles with ties, and a draw that is as even as the texts allow."""

import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.science.sampling import Candidate, draw_evenly, quantile_bins


def grid(*, cells: int = 4, runs: int = 6, bins: int = 3, questions: int = 2) -> list[Candidate]:
    return [
        Candidate(
            key=cell * runs + run, text=cell * runs + run, cell=cell, group=f"Q{cell % questions}", bin=run % bins
        )
        for cell in range(cells)
        for run in range(runs)
    ]


def test_quantiles_of_distinct_values_are_equal_in_size_and_in_order() -> None:
    values = np.random.default_rng(1).choice(1000, 30, replace=False).tolist()
    bins = quantile_bins([float(value) for value in values], 3)
    assert Counter(bins) == {0: 10, 1: 10, 2: 10}
    edges = np.quantile(values, [1 / 3, 2 / 3])
    assert bins == [int(np.searchsorted(edges, value)) for value in values]


def test_equal_values_share_a_quantile_and_undefined_ones_have_none() -> None:
    assert quantile_bins([1.0, 1.0, 1.0, 1.0, 2.0, None], 2) == [0, 0, 0, 0, 1, None]
    assert quantile_bins([5.0, 5.0], 4) == [2, 2]
    assert quantile_bins([None], 2) == [None]
    assert quantile_bins([], 2) == []
    with pytest.raises(ValueError, match="at least 1"):
        quantile_bins([1.0], 0)


@given(st.lists(st.one_of(st.none(), st.floats(-5, 5)), max_size=40), st.integers(1, 10))
@settings(max_examples=60)
def test_quantiles_never_fall_with_the_value(values: list[float | None], bins: int) -> None:
    found = quantile_bins(values, bins)
    pairs = sorted((v, b) for v, b in zip(values, found, strict=True) if v is not None and b is not None)
    assert [b for _, b in pairs] == sorted(b for _, b in pairs)
    assert all(0 <= b < bins for _, b in pairs)
    assert [b is None for b in found] == [v is None for v in values]


@pytest.mark.parametrize("count", [1, 4, 7, 12, 24])
def test_cells_and_quantiles_differ_by_one_at_most(count: int) -> None:
    sample = draw_evenly(grid(), count=count, seed=5)
    assert len({one.text for one in sample.drawn}) == count
    per_cell = [sample.by_cell.get(cell, 0) for cell in range(4)]
    assert max(per_cell) - min(per_cell) <= 1
    for cell in range(4):
        within = [sample.by_stratum.get((cell, which), 0) for which in range(3)]
        assert max(within) - min(within) <= 1
    over_all = Counter(one.bin for one in sample.drawn)
    assert max(over_all.values()) - min(over_all.get(which, 0) for which in range(3)) <= (1 if count % 3 else 0) + 1


def test_siblings_come_only_when_every_cell_has_given_one() -> None:
    sample = draw_evenly(grid(cells=6, questions=3), count=6, seed=2)
    assert len({one.cell for one in sample.drawn}) == 6
    three = draw_evenly(grid(cells=6, questions=3), count=3, seed=2)
    assert len({one.group for one in three.drawn}) == 3


def test_the_seed_decides_whatever_the_order_of_the_candidates() -> None:
    candidates = grid()
    mixed = candidates[::-2] + candidates[::2]
    assert draw_evenly(candidates, count=9, seed=1) == draw_evenly(mixed, count=9, seed=1)
    assert draw_evenly(candidates, count=9, seed=1) != draw_evenly(candidates, count=9, seed=2)


def test_a_cell_that_runs_out_leaves_its_share_to_others_and_no_text_comes_twice() -> None:
    few = [Candidate(0, 100, cell=0), *(Candidate(n, n, cell=1) for n in range(1, 6)), Candidate(9, 100, cell=1)]
    sample = draw_evenly(few, count=5, seed=0)
    assert (sample.by_cell[0], sample.by_cell[1]) in {(1, 4), (0, 5)}
    assert len({one.text for one in sample.drawn}) == 5
    used = draw_evenly(few, count=9, seed=0, used=frozenset({1, 100}))
    assert sorted(one.text for one in used.drawn) == [2, 3, 4, 5]


def test_texts_without_a_score_come_last_in_their_cell() -> None:
    mixed = [Candidate(n, n, cell=0, bin=None if n < 3 else 0) for n in range(6)]
    assert [one.bin for one in draw_evenly(mixed, count=5, seed=4).drawn] == [0, 0, 0, None, None]


def test_every_text_of_a_stratum_is_drawn_about_as_often() -> None:
    counts: Counter[int] = Counter()
    for seed in range(600):
        counts.update(one.key for one in draw_evenly(grid(cells=2, runs=6), count=4, seed=seed).drawn)
    assert min(counts.values()) > 140  # 200 each are expected, with a standard deviation of about 12
    assert max(counts.values()) < 260


def test_a_large_batch_is_drawn_from_quickly_and_without_django() -> None:
    import time

    start = time.perf_counter()
    sample = draw_evenly(grid(cells=1000, runs=50, bins=5, questions=20), count=10_000, seed=1)
    assert len(sample.drawn) == 10_000
    assert set(sample.by_cell.values()) == {10}
    assert time.perf_counter() - start < 5
    assert "django" not in sys.modules["evaluation.science.sampling"].__dict__
