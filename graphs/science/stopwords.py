"""Lists of stop words, named by version and identified by content."""

import hashlib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

__all__ = ["NO_STOPWORDS", "STOPWORD_LISTS", "StopwordList", "default_stopwords", "stopword_list"]

_FOLDER = Path(__file__).with_name("stopword_lists")

#: Name of each list that comes with the project, and the sha256 of its file. NLTK's English list had 179 words up to
#: its 2024 data and has 198 since: the same words plus 19 contractions with an apostrophe. The tokeniser removes
#: apostrophes and the list is matched as it stands, so that both select the same words from any text.
STOPWORD_LISTS = {
    "nltk-english-179": "019f104ba2ed07436d05f9cdd3383034ad66014edc27fc651f837e1a038b6451",
    "nltk-english-198": "f6d005956f407dbc6ea32e5ff0c7e8e6f71488d3239b9023efdc7fc139d6375b",
}


@dataclass(frozen=True, slots=True)
class StopwordList:
    """A set of words to leave out of the graph.

    Two lists with the same words are the same list, whatever their names and order: ``digest`` is the identity that
    enters a score's settings hash.

    Attributes
    ----------
    name : str
        What people call it, such as ``nltk-english-179``.
    words : frozenset of str
        Matched against whole tokens, exactly as they stand (``don't`` never matches the token ``dont``).
    digest : str
        sha256 of the sorted words, one a line.
    """

    name: str = field(compare=False)
    words: frozenset[str] = field(repr=False, compare=False)
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        content = "".join(f"{word}\n" for word in sorted(self.words))
        object.__setattr__(self, "digest", hashlib.sha256(content.encode()).hexdigest())

    def __contains__(self, word: str) -> bool:
        return word in self.words

    @classmethod
    def from_lines(cls, name: str, lines: Iterable[str]) -> "StopwordList":
        """Build a list from lines of text, one word a line; blank lines and letter case do not matter."""
        words = (unicodedata.normalize("NFKC", line).strip().lower() for line in lines)
        return cls(name, frozenset(word for word in words if word))


NO_STOPWORDS = StopwordList("none", frozenset())


@cache
def stopword_list(name: str) -> StopwordList:
    """Return a list that comes with the project, or the empty list ``none``.

    Raises
    ------
    ValueError
        If no list has that name; the message names those there are.
    """
    if name == NO_STOPWORDS.name:
        return NO_STOPWORDS
    if name not in STOPWORD_LISTS:
        known = ", ".join([*STOPWORD_LISTS, NO_STOPWORDS.name])
        raise ValueError(f"no stop-word list is called {name!r}; there are: {known}")
    return StopwordList.from_lines(name, (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines())


def default_stopwords() -> StopwordList:
    """Return the list used unless another one is asked for: NLTK's 179 English words."""
    return stopword_list("nltk-english-179")
