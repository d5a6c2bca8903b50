"""Which treatments stand in which block: an incomplete-block design found by exchanging treatments between blocks.

A *treatment* is what a design balances (the cell of a batch, say), a *block* a small set of them. A design of v
treatments in b blocks of t, each treatment in r of them, is balanced (a BIBD) where each two treatments meet in the
same number of blocks, lambda = r (t - 1) / (v - 1). Where that is no whole number, or no such design is found, each two
meet as nearly equally often as the exchanges reach.

References
----------
.. [1] Cochran, W. G. & Cox, G. M. (1957), *Experimental Designs*, 2nd ed., chapters 9-11.
.. [2] Jones, B. & Eccleston, J. A. (1980), "Exchange and interchange procedures to search for optimal designs",
   *Journal of the Royal Statistical Society* B 42, 238-243.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

__all__ = ["concurrences", "incidence", "lowest_cost"]

MOST_TREATMENTS = 400
MOST_PLACES = 20_000
TRIES = 40_000
STARTS = 6
SAME_GROUP = 50  # what a second treatment of one group in a block weighs against one more meeting of two treatments


def incidence(
    replications: Sequence[int], *, blocks: int, groups: Sequence[int], generator: random.Random
) -> list[list[int]]:
    """Put each treatment into as many different blocks as it has replications, blocks of equal size as far as possible.

    Parameters
    ----------
    replications : sequence of int, shape (v,)
        In how many blocks each treatment stands, from 0 to `blocks`.
    blocks : int
        Number of blocks, at least 1.
    groups : sequence of int, shape (v,)
        Treatments of one group (answers to one question) are kept out of each other's blocks where that is possible.
    generator : random.Random
        Draws the start and the exchanges; its state decides the design.

    Returns
    -------
    list of list of int
        The treatments of each block, none twice. Sizes differ by at most one.

    Raises
    ------
    ValueError
        A treatment has more replications than there are blocks.
    """
    if any(not 0 <= wanted <= blocks for wanted in replications):
        raise ValueError("a treatment stands in a block at most once")
    places = sum(replications)
    if not places:
        return [[] for _ in range(blocks)]
    is_small = len(replications) <= MOST_TREATMENTS and places <= MOST_PLACES
    best: tuple[int, list[list[int]]] | None = None
    for _ in range(STARTS if is_small else 1):
        dealt = _deal(replications, blocks, groups, generator)
        floor = lowest_cost([len(block) for block in dealt], len(replications), groups)
        cost = _improve(dealt, len(replications), groups, floor, generator) if is_small else 0
        if best is None or cost < best[0]:
            best = cost, dealt
        if cost <= floor:
            break
    assert best is not None  # noqa: S101  (there is at least one start)
    return best[1]


def concurrences(blocks: Sequence[Sequence[int]], treatments: int) -> list[int]:
    """In how many blocks each two treatments meet, in the order of `itertools.combinations`."""
    met = [[0] * treatments for _ in range(treatments)]
    for block in blocks:
        for one, other in combinations(sorted(block), 2):
            met[one][other] += 1
    return [met[one][other] for one, other in combinations(range(treatments), 2)]


def lowest_cost(sizes: Sequence[int], treatments: int, groups: Sequence[int]) -> int:
    """What no design can go below: all meetings shared out evenly, and groups spread over the blocks."""
    pairs = treatments * (treatments - 1) // 2
    meetings = sum(size * (size - 1) // 2 for size in sizes)
    if not pairs:
        return 0
    each, more = divmod(meetings, pairs)
    even = more * (each + 1) ** 2 + (pairs - more) * each**2
    distinct = len(set(groups))
    together = 0
    for size in sizes:
        share, rest = divmod(size, distinct)
        together += rest * (share + 1) * share // 2 + (distinct - rest) * share * (share - 1) // 2
    return even + SAME_GROUP * together


def _deal(replications: Sequence[int], blocks: int, groups: Sequence[int], generator: random.Random) -> list[list[int]]:
    """Group after group to one block after the other: no treatment twice in a block, groups as evenly as can be."""
    order = list(range(len(replications)))
    generator.shuffle(order)
    rank = {group: generator.random() for group in sorted(set(groups))}
    order.sort(key=lambda treatment: rank[groups[treatment]])
    around = list(range(blocks))
    generator.shuffle(around)
    dealt: list[list[int]] = [[] for _ in range(blocks)]
    place = 0
    for treatment in order:
        for _ in range(replications[treatment]):
            dealt[around[place % blocks]].append(treatment)
            place += 1
    return dealt


def _improve(
    blocks: list[list[int]], treatments: int, groups: Sequence[int], floor: int, generator: random.Random
) -> int:
    """Exchange treatments between two blocks while that costs nothing; returns the cost that is left."""
    met = [[0] * treatments for _ in range(treatments)]
    weight = SAME_GROUP
    cost = 0
    for block in blocks:
        for one, other in combinations(block, 2):
            met[one][other] += 1
            met[other][one] += 1
            cost += weight * (groups[one] == groups[other])
    cost += sum(met[one][other] ** 2 for one, other in combinations(range(treatments), 2))
    if len(blocks) < 2:
        return cost
    for _ in range(min(TRIES, 200 * sum(map(len, blocks)))):
        if cost <= floor:
            break
        first, second = generator.sample(blocks, 2)
        if not first or not second:
            continue
        here, there = generator.randrange(len(first)), generator.randrange(len(second))
        goes, comes = first[here], second[there]
        if goes in second or comes in first:
            continue
        change = 0
        for place, other in enumerate(first):
            if place != here:
                change += 2 * (met[comes][other] - met[goes][other] + 1)
                change += weight * ((groups[comes] == groups[other]) - (groups[goes] == groups[other]))
        for place, other in enumerate(second):
            if place != there:
                change += 2 * (met[goes][other] - met[comes][other] + 1)
                change += weight * ((groups[goes] == groups[other]) - (groups[comes] == groups[other]))
        # A treatment that stands in both blocks loses one meeting and gains it back.
        change -= 4 * sum(other in second for place, other in enumerate(first) if place != here)
        if change > 0:
            continue
        for place, other in enumerate(first):
            if place != here:
                _meet(met, goes, other, -1)
                _meet(met, comes, other, 1)
        for place, other in enumerate(second):
            if place != there:
                _meet(met, comes, other, -1)
                _meet(met, goes, other, 1)
        first[here], second[there] = comes, goes
        cost += change
    return cost


def _meet(met: list[list[int]], one: int, other: int, by: int) -> None:
    met[one][other] += by
    met[other][one] += by
