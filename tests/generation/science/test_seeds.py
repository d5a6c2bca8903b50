"""Seeds that follow from a specification."""

from hypothesis import given
from hypothesis import strategies as st

from generation.science.seeds import SEED_LIMIT, cell_seeds

CELL = ["textrank@1", "A.1", "wordllama@1", "0.100", "How do tailings settle?"]
KNOWN = [731698882, 1445165324, 647968872]


def test_known_seeds():
    assert cell_seeds(batch_seed=7, cell=CELL, iterations=3) == KNOWN


def test_every_part_of_a_cell_matters():
    changed = [[*CELL[:place], "other", *CELL[place + 1 :]] for place in range(5)]
    lists = [cell_seeds(batch_seed=7, cell=cell, iterations=5) for cell in changed]
    lists += [cell_seeds(batch_seed=7, cell=CELL, iterations=5), cell_seeds(batch_seed=8, cell=CELL, iterations=5)]
    assert len({seed for seeds in lists for seed in seeds}) == 35


@given(st.integers(0, 2**63 - 1), st.lists(st.text(), max_size=5), st.integers(1, 200))
def test_seeds_are_distinct_in_range_and_extend(batch_seed, cell, iterations):
    seeds = cell_seeds(batch_seed=batch_seed, cell=cell, iterations=iterations)
    assert len(set(seeds)) == iterations
    assert all(0 <= seed < SEED_LIMIT for seed in seeds)
    assert cell_seeds(batch_seed=batch_seed, cell=cell, iterations=iterations + 1)[:-1] == seeds


def test_a_collision_within_a_cell_is_resolved(monkeypatch):
    answers = iter([5, 5, 5, 6])
    monkeypatch.setattr("generation.science.seeds._digest", lambda *_: next(answers))
    assert cell_seeds(batch_seed=0, cell=[], iterations=2) == [5, 6]
