"""Texts in blocks: each holds every cell as equally often as possible, and answers to one question stand apart."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from evaluation.science.allocation.incidence import incidence

__all__ = ["Text", "arrange", "block_size"]

LARGEST = 30
USUAL = 8
ROTATIONS = 12


@dataclass(frozen=True)
class Text:
    """What an order has to know of a text: its cell or corpus, and the question that it answers."""

    stratum: str
    question: str


def block_size(*, texts: int, strata: int, quota: int | None = None) -> int:
    """How many texts a block holds.

    A block is one replicate of all strata (or a few, where there are few strata), so that whole blocks are balanced by
    themselves. Where the study is too small for that it is a part of a replicate, and the blocks are an
    incomplete-block design over the strata. With a quota the size divides it, so that reviewers fill theirs with whole
    blocks.

    Parameters
    ----------
    texts, strata : int
        How many there are, both at least 1.
    quota : int, optional
        The most texts a reviewer is given.

    Returns
    -------
    int
        From 1 to 30, at most `texts`.
    """
    if strata == 1:
        target = USUAL
    elif strata <= LARGEST:
        target = strata * -(-4 // strata)
    else:
        target = LARGEST // 2
    if target > texts // 3:
        target = max(2, texts // 6)
    most = min(LARGEST, texts)
    if quota is None or quota < 1:
        return max(1, min(target, most))
    dividing = [size for size in range(1, most + 1) if quota % size == 0 and (size > 1 or quota == 1)]
    # A quota whose only divisors are too large or too small is not filled with whole blocks.
    fitting = [size for size in dividing if size <= max(2 * target, 4)] or [min(target, most)]
    return max(1, min(fitting, key=lambda size: (abs(size - target), size)))


def arrange(texts: Sequence[Text], *, size: int, seed: int) -> list[list[int]]:
    """Put texts into blocks; the same texts, size and seed give the same blocks.

    Parameters
    ----------
    texts : sequence of Text, shape (n,)
    size : int
        The most texts of a block; blocks differ by at most one text.
    seed : int
        Decides everything that balance leaves open.

    Returns
    -------
    list of list of int
        Indices of `texts`, each once. The number of a stratum's texts differs by at most one between any two blocks.
    """
    if not texts:
        return []
    generator = random.Random(seed)  # noqa: S311  (an order, not a secret)
    count = -(-len(texts) // size)
    by_stratum: dict[str, list[int]] = defaultdict(list)
    for number in generator.sample(range(len(texts)), len(texts)):
        by_stratum[texts[number].stratum].append(number)
    strata = sorted(by_stratum)
    usual = [Counter(texts[number].question for number in by_stratum[name]).most_common(1)[0][0] for name in strata]
    group_of = {question: group for group, question in enumerate(sorted(set(usual)))}
    whole = [len(by_stratum[name]) // count for name in strata]
    rest = incidence(
        [len(by_stratum[name]) % count for name in strata],
        blocks=count,
        groups=[group_of[question] for question in usual],
        generator=generator,
    )
    blocks: list[list[int]] = [[] for _ in range(count)]
    asked: list[Counter[str]] = [Counter() for _ in range(count)]
    added: list[list[int]] = [[] for _ in strata]
    for block, treatments in enumerate(rest):
        for treatment in treatments:
            added[treatment].append(block)
    for treatment in sorted(
        range(len(strata)), key=lambda one: len({texts[n].question for n in by_stratum[strata[one]]})
    ):
        places = list(range(count)) * whole[treatment] + added[treatment]
        for number, block in _spread(by_stratum[strata[treatment]], places, texts, asked, generator):
            blocks[block].append(number)
            asked[block][texts[number].question] += 1
    for block_ in blocks:
        generator.shuffle(block_)
    generator.shuffle(blocks)
    return blocks


def _spread(
    numbers: list[int],
    places: list[int],
    texts: Sequence[Text],
    asked: Sequence[Counter[str]],
    generator: random.Random,
) -> list[tuple[int, int]]:
    """Texts of one stratum to its places: question after question, turned until the fewest answers stand together."""
    questions = Counter(texts[number].question for number in numbers)
    if len(questions) == 1:
        return list(zip(numbers, places, strict=True))
    drawn = {question: generator.random() for question in sorted(questions)}
    ordered = sorted(numbers, key=lambda number: (-questions[texts[number].question], drawn[texts[number].question]))
    best: tuple[int, list[tuple[int, int]]] | None = None
    for turn in [0, *(generator.randrange(len(places)) for _ in range(ROTATIONS))]:
        dealt = list(zip(ordered, islice(cycle(places), turn, turn + len(places)), strict=True))
        together = 0
        mine: Counter[tuple[int, str]] = Counter()
        for number, block in dealt:
            question = texts[number].question
            together += asked[block][question] + mine[block, question]
            mine[block, question] += 1
        if best is None or together < best[0]:
            best = together, dealt
        if not together:
            break
    assert best is not None  # noqa: S101  (there is at least one turn)
    return best[1]
