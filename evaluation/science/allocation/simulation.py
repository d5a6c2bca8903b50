"""Who would be given which text: the rules of allocation run in memory, before anybody has come.

The database draws by the same rules, one statement a text; a test holds the two together.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from evaluation.science.allocation.blocks import Text

__all__ = ["simulate"]


def simulate(
    texts: Sequence[Text],
    blocks: Sequence[Sequence[int]],
    *,
    raters: int,
    reviewers: Sequence[int],
    quotas: Sequence[int | None],
    seed: int,
    window: int,
) -> list[list[int]]:
    """Reviewers take turns, one text each, until nothing is left for anybody.

    Parameters
    ----------
    texts : sequence of Text, shape (n,)
    blocks : sequence of sequences of int
        Indices of `texts`, each once, in their order.
    raters : int
        Seats of each text.
    reviewers : sequence of int, shape (r,)
        The reviewers' numbers in the study.
    quotas : sequence of int or None, shape (r,)
    seed : int
        The study's.
    window : int
        How many blocks are compared before one is begun.

    Returns
    -------
    list of list of int
        The texts of each reviewer in the order in which they come.
    """
    tables = _Tables(texts, blocks, raters, seed, window)
    desks = [_Desk(number, quota) for number, quota in zip(reviewers, quotas, strict=True)]
    waiting = list(desks)
    while waiting:
        for desk in list(waiting):
            tables.working = {other.number for other in waiting}
            if not tables.serve(desk):
                waiting.remove(desk)
    return [desk.given for desk in desks]


class _Desk:
    def __init__(self, number: int, quota: int | None) -> None:
        self.number = number
        self.quota = quota
        self.given: list[int] = []
        self.has: set[int] = set()
        self.met: Counter[int] = Counter()
        self.seen: Counter[str] = Counter()


class _Tables:
    def __init__(
        self, texts: Sequence[Text], blocks: Sequence[Sequence[int]], raters: int, seed: int, window: int
    ) -> None:
        self.texts = texts
        self.blocks = blocks
        self.raters = raters
        self.seed = seed
        self.window = window
        self.free = [raters] * len(texts)
        self.people: list[list[_Desk]] = [[] for _ in texts]
        self.block_of = {text: number for number, block in enumerate(blocks) for text in block}
        self.place_of = {text: place for place, text in enumerate(text for block in blocks for text in block)}
        self.first_open = 0
        self.working: set[int] = set()

    def serve(self, desk: _Desk) -> bool:
        """Give the reviewer their next text; False when there is none."""
        if desk.quota is not None and len(desk.given) >= desk.quota:
            return False
        block = self.block_of[desk.given[-1]] if desk.given else None
        if block is None or not self._open_to(desk, block):
            block = self._begin(desk)
        if block is None:
            return False
        text = self._draw(desk, self._open_to(desk, block))
        self.free[text] -= 1
        for other in self.people[text]:
            other.met[desk.number] += 1
            desk.met[other.number] += 1
        self.people[text].append(desk)
        desk.given.append(text)
        desk.has.add(text)
        desk.seen[self.texts[text].stratum] += 1
        return True

    def _open_to(self, desk: _Desk, block: int) -> list[int]:
        return [text for text in self.blocks[block] if self.free[text] and text not in desk.has]

    def _begin(self, desk: _Desk) -> int | None:
        while self.first_open < len(self.blocks) and not any(self.free[text] for text in self.blocks[self.first_open]):
            self.first_open += 1
        near: list[int] = []
        for block in range(self.first_open, len(self.blocks)):
            if self._open_to(desk, block):
                near.append(block)
                if len(near) == self.window:
                    break
        return min(near, key=lambda block: self._merit(desk, block), default=None)

    def _merit(self, desk: _Desk, block: int) -> tuple[bool, bool, Fraction, int, int, str]:
        sitting = {other.number for text in self.blocks[block] for other in self.people[text]} - {desk.number}
        offered = self._open_to(desk, block)
        seen = sum(desk.seen[self.texts[text].stratum] for text in offered)
        return (
            len(sitting) >= self.raters,
            self.raters - len(sitting) < len(self.working) - len(self.working & sitting),
            Fraction(seen, len(offered)),
            max((desk.met[number] for number in sitting), default=0),
            -len(sitting),
            self._lot(desk, f"block:{block}"),
        )

    def _draw(self, desk: _Desk, offered: list[int]) -> int:
        last = self.texts[desk.given[-1]] if desk.given else None
        siblings = Counter(self.texts[text].question for text in offered)
        siblings[""] = 0

        def merit(number: int) -> tuple[bool, bool, bool, str]:
            text = self.texts[number]
            return (
                last is not None and text.question != "" and text.question == last.question,
                2 * siblings[text.question] <= len(offered),
                last is not None and text.stratum == last.stratum,
                self._lot(desk, str(self.place_of[number])),
            )

        return min(offered, key=merit)

    def _lot(self, desk: _Desk, what: str) -> str:
        return hashlib.md5(f"{self.seed}:{desk.number}:{what}".encode(), usedforsecurity=False).hexdigest()
