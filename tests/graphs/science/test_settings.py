from dataclasses import FrozenInstanceError, replace

import pytest

from graphs.science.settings import SCORER_VERSION, GraphSettings
from graphs.science.stopwords import NO_STOPWORDS, StopwordList, default_stopwords


def test_the_default_settings_keep_their_identity() -> None:
    """Scores in a database are found by this hash: it changes only together with the scorer's version."""
    assert SCORER_VERSION == "2"
    assert GraphSettings().digest == "3a208cae07a759ef77a8efecb1028281ecc7ee443382c4da3a66056eab4d937e"


def test_every_setting_is_part_of_the_identity() -> None:
    default = GraphSettings()
    variants = [
        default,
        replace(default, window=4),
        replace(default, stopwords=NO_STOPWORDS),
        replace(default, minimum_token_length=2),
        replace(default, lemmatise=True),
        replace(default, weighting="count"),
        replace(default, self_loops=True),
    ]
    digests = {variant.digest for variant in variants}
    assert len(digests) == len(variants)
    assert len(variants) == len(default.as_dict())


def test_the_version_is_part_of_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    before = GraphSettings().digest
    monkeypatch.setattr("graphs.science.settings.SCORER_VERSION", "another")
    assert GraphSettings().digest != before


def test_a_stopword_lists_name_is_no_part_of_the_identity() -> None:
    renamed = StopwordList("another name", default_stopwords().words)
    assert GraphSettings(stopwords=renamed).digest == GraphSettings().digest
    assert GraphSettings(stopwords=renamed) == GraphSettings()


def test_settings_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        GraphSettings().window = 4  # type: ignore[misc]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"window": 1}, "window"),
        ({"window": 11}, "window"),
        ({"minimum_token_length": 0}, "length"),
        ({"weighting": "cubic"}, "weighting"),
    ],
)
def test_values_out_of_range_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GraphSettings(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize("window", [2, 3, 10])
def test_windows_from_two_to_ten_are_allowed(window: int) -> None:
    assert GraphSettings(window=window).as_dict()["window"] == window
