"""When a reviewer meets an attention check or a text for the second time: drawn from the study's seed, kept nowhere."""

from __future__ import annotations

import hashlib
from fractions import Fraction

__all__ = ["attention_is_due", "drawn", "planned_attention", "planned_repeats", "repeat_is_due"]


def drawn(*what: int | str) -> Fraction:
    """A number from 0 to below 1 that looks random and is the same for the same arguments."""
    digest = hashlib.sha256(":".join(map(str, what)).encode()).digest()
    return Fraction(int.from_bytes(digest[:8], "big"), 2**64)


def planned_attention(*, checks: int, every: int, texts: int) -> int:
    """How many of `checks` a reviewer of `texts` rated texts meets: one within each `every`."""
    return min(checks, -(-texts // every))


def attention_is_due(*, seed: int, number: int, rated: int, given: int, checks: int, every: int, texts: int) -> bool:
    """Whether the next attention check comes now.

    Parameters
    ----------
    seed, number
        Of the study's order, and of the reviewer in the study.
    rated, given
        Texts and attention checks that the reviewer was given so far.
    checks, every, texts
        Checks there are; rated texts for one check; the most texts that the reviewer is given.
    """
    if given >= planned_attention(checks=checks, every=every, texts=texts):
        return False
    window = min(every, texts - given * every)
    place = 1 + int(drawn(seed, number, "attention", given) * window)
    return rated >= given * every + place


def planned_repeats(*, repeats: int, texts: int) -> int:
    """How many texts can come twice, something else between: none where there is one text alone."""
    return min(repeats, texts) if texts > 1 else 0


def repeat_is_due(*, seed: int, number: int, rated: int, given: int, repeats: int, distance: int, texts: int) -> bool:
    """Whether the next hidden repeat comes now, if there is a text that lies far enough back.

    Parameters
    ----------
    rated, given
        Texts and repeats that the reviewer was given so far.
    repeats, distance, texts
        Repeats in all; the fewest other texts between; how many texts this reviewer may expect. The repeats are spread
        over the texts that come after the first `distance`, each at a place of its own stretch.
    """
    planned = planned_repeats(repeats=repeats, texts=texts)
    if given >= planned:
        return False
    begin = min(max(distance + 1, 2), texts)
    place = begin + int((texts - begin) * (given + drawn(seed, number, "repeat", given)) / planned)
    return rated >= place
