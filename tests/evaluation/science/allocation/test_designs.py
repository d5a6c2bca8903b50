"""Blocks, what they come to, and where checks and repeats stand: without a database."""

import subprocess
import sys
from collections import Counter
from itertools import combinations
from random import Random

import pytest

from evaluation.science.allocation.balance import Range, balance, blocks_balance, exact_meetings
from evaluation.science.allocation.blocks import Text, arrange, block_size
from evaluation.science.allocation.extras import (
    attention_is_due,
    drawn,
    planned_attention,
    planned_repeats,
    repeat_is_due,
)
from evaluation.science.allocation.incidence import concurrences, incidence
from evaluation.science.allocation.simulation import simulate


def cells(number: int, texts: int, questions: int) -> list[Text]:
    return [Text(f"cell:{cell}", f"q{cell % questions}") for cell in range(number) for _ in range(texts)]


# Cochran and Cox (1957), table 11.3: treatments, blocks, replications, lambda.
KNOWN = [(4, 6, 3, 1), (5, 10, 4, 1), (6, 10, 5, 2), (7, 7, 3, 1), (9, 12, 4, 1), (11, 11, 5, 2), (13, 13, 4, 1)]


@pytest.mark.parametrize(("treatments", "blocks", "replications", "meetings"), KNOWN)
@pytest.mark.parametrize("seed", [1, 2])
def test_known_balanced_designs_are_found(
    treatments: int, blocks: int, replications: int, meetings: int, seed: int
) -> None:
    found = incidence(
        [replications] * treatments,
        blocks=blocks,
        groups=list(range(treatments)),
        generator=Random(seed),  # noqa: S311
    )
    assert set(concurrences(found, treatments)) == {meetings}
    assert Counter(number for block in found for number in block) == dict.fromkeys(range(treatments), replications)
    size = treatments * replications // blocks
    assert {len(set(block)) for block in found} == {size}
    assert exact_meetings(treatments=treatments, blocks=blocks, size=size) == meetings


def test_where_no_balanced_design_exists_none_is_promised() -> None:
    assert exact_meetings(treatments=18, blocks=36, size=3) is None  # lambda is no whole number
    assert exact_meetings(treatments=6, blocks=5, size=3) is None  # neither are the replications
    assert exact_meetings(treatments=16, blocks=8, size=6) is None  # Fisher's inequality
    assert exact_meetings(treatments=1, blocks=3, size=1) is None
    assert exact_meetings(treatments=6, blocks=4, size=6) == 4


def test_a_treatment_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="at most once"):
        incidence([4], blocks=3, groups=[0], generator=Random(0))  # noqa: S311


def test_exchanges_bring_meetings_closer_than_dealing_and_keep_groups_apart() -> None:
    groups = [treatment % 3 for treatment in range(18)]
    found = incidence([6] * 18, blocks=36, groups=groups, generator=Random(5))  # noqa: S311
    assert max(concurrences(found, 18)) - min(concurrences(found, 18)) <= 2
    assert all(len({groups[treatment] for treatment in block}) == 3 for block in found)


@pytest.mark.parametrize(
    ("texts", "strata", "quota", "size"),
    [
        (90, 18, None, 18),
        (36, 18, None, 6),
        (200, 1, None, 8),
        (12, 1, None, 2),
        (180, 18, 20, 20),
        (48, 4, 10, 5),
        (100, 1, 7, 7),
        (300, 1, 31, 8),
        (1, 1, None, 1),
        (5000, 300, None, 15),
    ],
)
def test_sizes_of_blocks(texts: int, strata: int, quota: int | None, size: int) -> None:
    assert block_size(texts=texts, strata=strata, quota=quota) == size


@pytest.mark.parametrize(
    "texts",
    [
        cells(6, 5, 3),
        cells(18, 2, 6),
        cells(5, 3, 1) + [Text("corpus:1", f"q{number}") for number in range(7)],
        [Text("upload", f"q{number % 9}") for number in range(40)],
        [Text("upload", "")] * 11,
    ],
)
def test_blocks_hold_every_text_once_and_each_cell_as_equally_as_can_be(texts: list[Text]) -> None:
    size = block_size(texts=len(texts), strata=len({text.stratum for text in texts}))
    blocks = arrange(texts, size=size, seed=9)
    assert sorted(number for block in blocks for number in block) == list(range(len(texts)))
    assert max(map(len, blocks)) <= size
    assert max(map(len, blocks)) - min(map(len, blocks)) <= 1
    for stratum in {text.stratum for text in texts}:
        counts = [sum(texts[number].stratum == stratum for number in block) for block in blocks]
        assert max(counts) - min(counts) <= 1
    assert blocks == arrange(texts, size=size, seed=9)
    assert blocks != arrange(texts, size=size, seed=10)


def test_answers_to_one_question_go_to_different_blocks() -> None:
    texts = [Text("upload", f"q{number % 40}") for number in range(200)]
    blocks = arrange(texts, size=8, seed=1)
    assert max(max(Counter(texts[number].question for number in block).values()) for block in blocks) == 1
    assert blocks_balance(texts, blocks)["siblings"] == Range(1, 1, 1.0)


def test_nothing_makes_no_block() -> None:
    assert arrange([], size=4, seed=1) == []
    assert blocks_balance([], [])["sizes"] is None


def test_balance_counts_by_hand() -> None:
    texts = [Text("a", "q"), Text("a", "q"), Text("b", "r"), Text("b", "")]
    found = balance(texts, [[0, 1, 2], [3, 0]])
    assert found.given == Range(2, 3, 2.5)
    assert (found.strata, found.cells) == (("a", "b"), ((2, 1), (1, 1)))
    assert (found.spread, found.common, found.neighbours) == (1, Range(1, 1, 1.0), 1)
    assert found.raters == ((1, 3), (2, 1))
    alone = balance(texts, [[0]])
    assert alone.common is None
    assert balance(texts, []).given is None


def test_a_simulated_study_gives_nobody_a_text_twice_and_no_text_too_often() -> None:
    texts = cells(9, 18, 3)
    blocks = arrange(texts, size=9, seed=2)
    given = simulate(texts, blocks, raters=2, reviewers=range(2, 8), quotas=[54] * 6, seed=2, window=16)
    found = balance(texts, given)
    assert all(len(one) == len(set(one)) == 54 for one in given)
    assert found.raters == ((2, 162),)
    assert (found.spread, found.neighbours) == (0, 0)
    assert found.common is not None
    # A fifth of 54 texts is 10.8: one or two blocks of nine, where chance alone would make it none to four.
    assert (found.common.least, found.common.most) == (9, 18)
    assert sum(len(set(one) & set(other)) for one, other in combinations(given, 2)) == 162


def test_a_check_is_due_once_within_each_window() -> None:
    for number in range(20):
        met: list[int] = []
        for rated in range(25):
            if attention_is_due(seed=3, number=number, rated=rated, given=len(met), checks=9, every=10, texts=24):
                met.append(rated)
        assert [(place - 1) // 10 for place in met] == [0, 1, 2]
        assert met[-1] <= 24
    assert planned_attention(checks=2, every=10, texts=24) == 2
    assert planned_attention(checks=9, every=10, texts=0) == 0


def test_repeats_are_spread_over_what_comes_after_the_distance() -> None:
    places: list[int] = []
    for rated in range(101):
        while repeat_is_due(seed=3, number=4, rated=rated, given=len(places), repeats=5, distance=20, texts=100):
            places.append(rated)
    assert len(places) == 5
    assert places[0] > 20
    assert all(place >= 21 + 79 * turn // 5 for turn, place in enumerate(places))
    assert planned_repeats(repeats=3, texts=1) == 0
    assert planned_repeats(repeats=3, texts=2) == 2


def test_lots_are_even_and_the_same_each_time() -> None:
    lots = [drawn(1, number, "x") for number in range(2000)]
    assert lots == [drawn(1, number, "x") for number in range(2000)]
    assert all(0 <= lot < 1 for lot in lots)
    assert 0.47 < float(sum(lots)) / 2000 < 0.53


def test_designs_need_no_django() -> None:
    modules = "evaluation.science.allocation"
    code = f"import sys, {modules}.simulation, {modules}.balance, {modules}.extras; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
