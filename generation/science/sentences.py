"""Where sentences of scientific prose end, by rule: no model and no download."""

import re

__all__ = ["split_sentences"]

# A full stop after these ends no sentence, whatever follows.
ABBREVIATIONS = re.compile(
    r"(?:al|approx|ca|cf|dr|e\.g|eg|eqs?|est|etc|figs?|i\.e|ie|inc|ltd|max|min|mrs?|ms|nos?|prof|refs?|resp|sect?|spp?|st|"
    r"tab|vol|vs|wt)",
    re.IGNORECASE,
)
BOUNDARY = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9Α-ΩА-Я])")
LAST_WORD = re.compile(r"([\w.\-]+)\.$")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, in order, with white space collapsed.

    A boundary is closing punctuation, white space, then a capital, a digit or an opening quote or bracket. It is no
    boundary after an abbreviation, a single initial ("J. Smith") or inside a number.
    """
    text = " ".join(text.split())
    sentences: list[str] = []
    start = 0
    for match in BOUNDARY.finditer(text):
        candidate = text[start : match.end()].strip()
        if not _ends_in_abbreviation(candidate):
            sentences.append(candidate)
            start = match.end()
    if rest := text[start:].strip():
        sentences.append(rest)
    return sentences


def _ends_in_abbreviation(candidate: str) -> bool:
    match = LAST_WORD.search(candidate)
    if match is None:
        return False
    word = match[1]
    is_initial = len(word) == 1 and word.isupper()
    return ABBREVIATIONS.fullmatch(word) is not None or is_initial
