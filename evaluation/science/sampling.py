"""Which texts of a batch to rate: an even draw over cells and over quantiles of a score."""

import random
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

__all__ = ["Candidate", "Sample", "draw_evenly", "quantile_bins"]


@dataclass(frozen=True)
class Candidate:
    """A text that may be drawn: `text` tells equal texts, `cell` siblings, `group` the question that is answered."""

    key: int
    text: int
    cell: int
    group: Hashable = ""
    bin: int | None = None


@dataclass(frozen=True)
class Sample:
    """What was drawn, in the order of drawing, and how many of each (cell, bin)."""

    drawn: tuple[Candidate, ...]
    by_cell: dict[int, int]
    by_stratum: dict[tuple[int, int | None], int]


def quantile_bins(values: Sequence[float | None], bins: int) -> list[int | None]:
    """The quantile in which each value lies, from 0 to ``bins - 1``.

    With the mid-rank :math:`r_i` of a value among the :math:`n` that are defined (ties share their mean rank),

    .. math:: b_i = \\min(\\lfloor \\mathrm{bins} \\cdot (r_i - 1/2) / n \\rfloor, \\mathrm{bins} - 1)

    Parameters
    ----------
    values : sequence of float or None
        None where the score is undefined.
    bins : int
        How many quantiles, at least 1.

    Returns
    -------
    list of int or None
        As long as `values`, None where the value is. Equal values always share a quantile, so that with few distinct
        values some quantiles stay empty.

    Raises
    ------
    ValueError
        If `bins` is below 1.
    """
    if bins < 1:
        raise ValueError("bins must be at least 1")
    defined = sorted(value for value in values if value is not None)
    first: dict[float, int] = {}
    for place, each in enumerate(defined):
        first.setdefault(each, place)
    size = Counter(defined)
    found: list[int | None] = []
    for value in values:
        if value is None:
            found.append(None)
        else:
            middle = first[value] + size[value] / 2  # the mid-rank less one half
            found.append(min(int(bins * middle / len(defined)), bins - 1))
    return found


def draw_evenly(
    candidates: Sequence[Candidate], *, count: int, seed: int, used: frozenset[int] = frozenset()
) -> Sample:
    """Draw texts in rounds, one from each cell that has any left, and within a cell from the emptiest quantile.

    So cells differ by one text at most unless one runs out; a cell gives a second text (a sibling) only once every
    other has given one; where a round is not completed, questions that were drawn least come first. Texts without a
    score (bin None) are drawn last within their cell. No text is drawn twice, nor one in `used`.

    Parameters
    ----------
    candidates : sequence of Candidate
    count : int
        The most texts to draw; fewer come where there are fewer.
    seed : int
        The same seed and candidates give the same sample, in whatever order they are passed.
    used : frozenset of int
        Texts that must not be drawn.

    Returns
    -------
    Sample
    """
    generator = random.Random(seed)  # noqa: S311
    waiting: dict[int, dict[int | None, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    group_of: dict[int, Hashable] = {}
    for one in sorted(candidates, key=lambda one: (one.cell, -1 if one.bin is None else one.bin, one.key)):
        waiting[one.cell][one.bin].append(one)
        group_of[one.cell] = one.group
    cells = sorted(waiting)
    generator.shuffle(cells)
    for cell in cells:
        strata = list(waiting[cell].items())
        generator.shuffle(strata)
        waiting[cell] = {which: generator.sample(texts, len(texts)) for which, texts in strata}
    taken = set(used)
    drawn: list[Candidate] = []
    by_bin: Counter[int | None] = Counter()
    by_group: Counter[Hashable] = Counter()
    by_stratum: Counter[tuple[int, int | None]] = Counter()
    while len(drawn) < count and cells:
        for cell in _by_group(cells, group_of, by_group):
            if len(drawn) == count:
                break
            chosen = _next_of(waiting[cell], cell, taken, by_bin, by_stratum)
            if chosen is None:
                continue
            taken.add(chosen.text)
            drawn.append(chosen)
            by_bin[chosen.bin] += 1
            by_group[chosen.group] += 1
            by_stratum[cell, chosen.bin] += 1
        cells = [cell for cell in cells if _has_left(waiting[cell], taken)]
    by_cell = Counter(one.cell for one in drawn)
    return Sample(tuple(drawn), dict(by_cell), dict(by_stratum))


def _by_group(cells: list[int], group_of: dict[int, Hashable], by_group: Counter[Hashable]) -> list[int]:
    """The cells of a round, taking turns among the questions, those drawn least first."""
    queues: dict[Hashable, deque[int]] = defaultdict(deque)
    for cell in cells:
        queues[group_of[cell]].append(cell)
    places = [
        (by_group[group] + turn, place, cell)
        for place, (group, queue) in enumerate(queues.items())
        for turn, cell in enumerate(queue)
    ]
    return [cell for _, _, cell in sorted(places)]


def _next_of(
    strata: dict[int | None, list[Candidate]],
    cell: int,
    taken: set[int],
    by_bin: Counter[int | None],
    by_stratum: Counter[tuple[int, int | None]],
) -> Candidate | None:
    _has_left(strata, taken)
    ready = [which for which, texts in strata.items() if texts]
    if not ready:
        return None
    return strata[min(ready, key=lambda which: (which is None, by_stratum[cell, which], by_bin[which]))].pop()


def _has_left(strata: dict[int | None, list[Candidate]], taken: set[int]) -> bool:
    """Drop texts that were taken elsewhere from the ends of the lists, and say whether any is left."""
    for texts in strata.values():
        while texts and texts[-1].text in taken:
            texts.pop()
    return any(strata.values())
