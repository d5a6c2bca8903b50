import doctest

import pytest

from graphs.science import lemmatisation
from graphs.science.construction import content_words
from graphs.science.lemmatisation import lemmatise
from graphs.science.settings import GraphSettings

PAIRS = {
    "rivers": "river",
    "studies": "study",
    "ties": "tie",
    "processes": "process",
    "boxes": "box",
    "approaches": "approach",
    "caches": "cache",
    "uses": "use",
    "topics": "topic",
    "metrics": "metric",
    "hypotheses": "hypothesis",
    "matrices": "matrix",
    "women": "woman",
    "co-authors": "co-author",
    "sub-criteria": "sub-criterion",
}
UNCHANGED = [
    *(
        "analysis",
        "focus",
        "mass",
        "physics",
        "genomics",
        "thermodynamics",
        "series",
        "species",
        "bias",
        "data",
        "lens",
    ),
    *("settled", "settling", "settlement", "gas", "is", "s", "", "3s", "α-fe2o3s", "fe2o3", "3.5", "p53s"),
]


@pytest.mark.parametrize(("plural", "singular"), PAIRS.items())
def test_plurals_become_singulars(plural: str, singular: str) -> None:
    assert lemmatise(plural) == singular


@pytest.mark.parametrize("word", UNCHANGED)
def test_everything_else_stays(word: str) -> None:
    assert lemmatise(word) == word


@pytest.mark.parametrize("word", [*PAIRS, *UNCHANGED, *lemmatisation._IRREGULAR, *lemmatisation._SINGULAR])
def test_a_singular_is_left_alone(word: str) -> None:
    assert lemmatise(lemmatise(word)) == lemmatise(word)


def test_it_is_off_unless_asked_for_and_comes_after_stop_words() -> None:
    text = "The rivers carry sands, and ours is a river of sand."
    assert content_words(text, GraphSettings()) == ["rivers", "carry", "sands", "river", "sand"]
    assert content_words(text, GraphSettings(lemmatise=True)) == ["river", "carry", "sand", "river", "sand"]


def test_the_examples_are_right() -> None:
    assert doctest.testmod(lemmatisation).failed == 0
