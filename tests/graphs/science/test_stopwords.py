import hashlib
from pathlib import Path

import pytest

from graphs.science.construction import content_words
from graphs.science.settings import GraphSettings
from graphs.science.stopwords import (
    NO_STOPWORDS,
    STOPWORD_LISTS,
    StopwordList,
    default_stopwords,
    stopword_list,
)
from graphs.science.tokenisation import tokenise

FOLDER = Path(__file__).parents[3] / "graphs" / "science" / "stopword_lists"


@pytest.mark.parametrize(("name", "size"), [("nltk-english-179", 179), ("nltk-english-198", 198)])
def test_a_list_has_as_many_words_as_its_name_says(name: str, size: int) -> None:
    assert len(stopword_list(name).words) == size


@pytest.mark.parametrize("name", STOPWORD_LISTS)
def test_the_files_are_those_recorded(name: str) -> None:
    assert hashlib.sha256((FOLDER / f"{name}.txt").read_bytes()).hexdigest() == STOPWORD_LISTS[name]


@pytest.mark.parametrize("name", STOPWORD_LISTS)
def test_the_lists_are_nltks(shared: Path, name: str) -> None:
    original = (shared / "data" / f"{name.removeprefix('nltk-')}.txt").read_text("utf-8").split()
    assert stopword_list(name).words == frozenset(original)


def test_the_longer_list_adds_contractions_only() -> None:
    short, long = (stopword_list(name).words for name in STOPWORD_LISTS)
    assert short < long
    assert all("'" in word for word in long - short)


def test_both_lists_select_the_same_words() -> None:
    text = " ".join(stopword_list("nltk-english-198").words)
    short, long = (stopword_list(name) for name in STOPWORD_LISTS)
    assert [token in short for token in tokenise(text)] == [token in long for token in tokenise(text)]


def test_the_default_is_the_shorter_list() -> None:
    assert default_stopwords() == stopword_list("nltk-english-179")


def test_words_are_matched_as_they_stand() -> None:
    assert content_words("It doesn't care", GraphSettings()) == ["doesnt", "care"]


def test_no_stopwords() -> None:
    assert stopword_list("none") is NO_STOPWORDS
    assert content_words("it is", GraphSettings(stopwords=NO_STOPWORDS)) == ["it", "is"]


def test_an_unknown_list_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'klingon'.*nltk-english-179"):
        stopword_list("klingon")


def test_identity_is_content() -> None:
    one = StopwordList.from_lines("one", ["The", "", " river "])
    other = StopwordList.from_lines("other", ["river", "the"])
    assert one == other
    assert hash(one) == hash(other)
    assert one.digest != StopwordList.from_lines("one", ["the"]).digest
