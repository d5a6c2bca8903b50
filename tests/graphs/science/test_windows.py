import doctest

import pytest

from graphs.science import construction, score_text, score_windows, windows
from graphs.science.settings import GraphSettings

TEXT = (
    "Slow rivers carry fine sand, and fine sand settles where slow rivers meet the sea; "
    "dredging removes sand that rivers carry."
)


def test_every_window_gives_what_it_gives_alone() -> None:
    scores = score_windows(TEXT, GraphSettings(weighting="count"))
    assert list(scores) == list(range(2, 11))
    for window, score in scores.items():
        alone = score_text(TEXT, GraphSettings(weighting="count", window=window))
        assert score.settings == alone.settings
        assert score.metrics == alone.metrics
        assert score.words == alone.words


def test_a_wider_window_never_has_fewer_edges() -> None:
    edges = [score.metrics.edges for score in score_windows(TEXT).values()]
    assert edges == sorted(edges)
    assert edges[0] < edges[-1]


def test_the_text_is_tokenised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    plain = construction.tokenise
    monkeypatch.setattr(construction, "tokenise", lambda text: calls.append(text) or plain(text))
    score_windows(TEXT, windows=(5, 2))
    assert calls == [TEXT]


def test_windows_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="2 to 10"):
        score_windows(TEXT, windows=(3, 11))


def test_the_example_is_right() -> None:
    assert doctest.testmod(windows).failed == 0
