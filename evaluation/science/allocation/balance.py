"""How balanced an allocation is: by cell, by pair of reviewers, by neighbours, by text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb

from evaluation.science.allocation.blocks import Text

__all__ = ["Balance", "Range", "balance", "blocks_balance", "exact_meetings"]

MOST_PAIRS = 5_000


@dataclass(frozen=True)
class Range:
    """The least, the most and the mean of some counts."""

    least: int
    most: int
    mean: float

    @classmethod
    def of(cls, counts: Sequence[int]) -> Range | None:
        """None where there is nothing to count."""
        return cls(min(counts), max(counts), sum(counts) / len(counts)) if counts else None


@dataclass(frozen=True)
class Balance:
    """What an allocation comes to.

    `cells` has a row for each stratum and a count for each reviewer; `spread` is the widest difference, in one
    reviewer, between the cell seen most and the cell seen least. `raters` counts texts by their number of raters.
    `neighbours` counts answers to one question that followed each other.
    """

    given: Range | None
    strata: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]
    spread: int
    common: Range | None
    neighbours: int
    raters: tuple[tuple[int, int], ...]


def balance(texts: Sequence[Text], given: Sequence[Sequence[int]]) -> Balance:
    """Count what each reviewer was given.

    Parameters
    ----------
    texts : sequence of Text, shape (n,)
    given : sequence of sequences of int
        The texts of each reviewer, as indices, in the order in which they came.

    Returns
    -------
    Balance
        `common` is None for fewer than two reviewers, and for more than 5,000 pairs of them.
    """
    strata = tuple(sorted({text.stratum for text in texts}))
    seen = [Counter(texts[number].stratum for number in one) for one in given]
    cells = tuple(tuple(counts[stratum] for counts in seen) for stratum in strata)
    sets = [frozenset(one) for one in given]
    pairs = comb(len(sets), 2)
    common = [len(one & other) for one, other in combinations(sets, 2)] if pairs <= MOST_PAIRS else []
    rated = Counter(number for one in given for number in one)
    return Balance(
        given=Range.of([len(one) for one in given]),
        strata=strata,
        cells=cells,
        spread=max((max(column) - min(column) for column in zip(*cells, strict=True)), default=0),
        common=Range.of(common),
        neighbours=sum(
            texts[one].question != "" and texts[one].question == texts[next_].question
            for numbers in given
            for one, next_ in pairwise(numbers)
        ),
        raters=tuple(sorted(Counter(rated[number] for number in range(len(texts))).items())),
    )


def blocks_balance(texts: Sequence[Text], blocks: Sequence[Sequence[int]]) -> dict[str, Range | None]:
    """Sizes of the blocks, texts of a cell in a block, blocks in which two cells meet, answers to one question in one.

    Parameters
    ----------
    texts : sequence of Text, shape (n,)
    blocks : sequence of sequences of int

    Returns
    -------
    dict of Range
        `sizes`, `cells`, `meetings`, `siblings`; None where there is nothing to count (one cell alone, no question) or
        too much (more than 5,000 pairs of cells).
    """
    strata = sorted({text.stratum for text in texts})
    counts = [Counter(texts[number].stratum for number in block) for block in blocks]
    meetings: Counter[Hashable] = Counter()
    pairs = comb(len(strata), 2)
    if pairs <= MOST_PAIRS:
        for block in counts:
            meetings.update(combinations(sorted(block), 2))
    questions = [Counter(texts[number].question for number in block if texts[number].question) for block in blocks]
    return {
        "sizes": Range.of([len(block) for block in blocks]),
        "cells": Range.of([block[stratum] for block in counts for stratum in strata]),
        "meetings": Range.of([meetings[pair] for pair in combinations(strata, 2)]) if pairs <= MOST_PAIRS else None,
        "siblings": Range.of([number for block in questions for number in block.values()]),
    }


def exact_meetings(*, treatments: int, blocks: int, size: int) -> int | None:
    """In how many blocks each two of v treatments meet where b blocks of t are a balanced design, if they can be.

    Necessary are r = b t / v and lambda = r (t - 1) / (v - 1), both whole numbers, and b >= v (Fisher's inequality)
    where a block does not hold all. None where one of them fails: then no exactly balanced design exists.
    """
    if treatments < 2 or size < 2 or size > treatments or (blocks * size) % treatments:
        return None
    if size == treatments:
        return blocks
    replications = blocks * size // treatments
    meetings, rest = divmod(replications * (size - 1), treatments - 1)
    return None if rest or blocks < treatments else meetings
