"""The extraction baseline."""

from pathlib import Path

import numpy as np
import pytest

from generation.science.backends.extractive import (
    ExtractiveBackend,
    candidate_sentences,
    ranking,
    textrank_scores,
)
from generation.science.backends.protocol import Failure, OptionsError, Request
from generation.science.messages import Source


@pytest.fixture
def backend():
    return ExtractiveBackend.from_options({}, cache=Path("unused"))


def test_every_sentence_comes_from_the_sources_in_their_order(backend, request_at):
    request = request_at(0.7, max_new_tokens=40)
    candidates = candidate_sentences(request)
    assert len(candidates) == 6
    for outcome in backend.generate(request, range(20)):
        places = [outcome.text.index(sentence) for sentence in candidates if sentence in outcome.text]
        assert places == sorted(places)
        assert " ".join(sentence for sentence in candidates if sentence in outcome.text) == outcome.text


def test_temperature_zero_is_the_same_for_every_seed(backend, request_at):
    found = {outcome.text for outcome in backend.generate(request_at(0.0), [1, 2, 3])}
    assert len(found) == 1


def test_seeds_differ_above_zero_and_repeat_alone_and_together(backend, request_at):
    request = request_at(0.7)
    together = [outcome.text for outcome in backend.generate(request, range(12))]
    assert len(set(together)) >= 3
    assert [backend.generate(request, [seed])[0].text for seed in range(12)] == together


def test_the_length_is_kept(backend, request_at):
    for outcome in backend.generate(request_at(0.7, max_new_tokens=20), range(20)):
        assert outcome.tokens <= 20


def test_it_says_that_it_is_a_baseline(backend, request_at):
    assert backend.describe()["baseline"] is True
    assert backend.generate(request_at(0.7), [1])[0].details["baseline"] is True


def test_the_order_is_a_plackett_luce_draw():
    """The first taken has probability softmax(z / T), whatever the scores' unit."""
    scores = np.array([0.1, 0.2, 0.4, 0.3])
    z = (scores - scores.mean()) / scores.std()
    expected = np.exp(z / 0.8) / np.exp(z / 0.8).sum()
    draws = 20_000
    first = np.bincount([ranking(scores, temperature=0.8, seed=seed)[0] for seed in range(draws)], minlength=4)
    assert np.abs(first / draws - expected).max() < 4 * np.sqrt(0.25 / draws)
    for seed in range(5):
        assert list(ranking(scores * 7, temperature=0.8, seed=seed)) == list(
            ranking(scores, temperature=0.8, seed=seed)
        )


def test_equal_scores_are_drawn_evenly():
    found = {tuple(ranking(np.ones(3), temperature=0.5, seed=seed)) for seed in range(100)}
    assert len(found) == 6


def test_scores_are_textranks_own():
    """Against power iteration written out here: words in common over the sum of the logs of the lengths."""
    sentences = ["one two three four", "two three five six", "seven eight nine ten one"]
    words = [set(sentence.split()) for sentence in sentences]
    lists = [sentence.split() for sentence in sentences]
    n = len(sentences)
    weights = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            shared = sum(1 for word in lists[i] if word in words[j])
            weights[i, j] = shared / (np.log(len(lists[i])) + np.log(len(lists[j])))
    weights /= weights.sum(axis=1, keepdims=True) + 1e-7
    matrix = 0.15 / n + 0.85 * weights
    rank = np.ones(n) / n
    for _ in range(200):
        rank = matrix.T @ rank
    found = textrank_scores(sentences)
    assert np.allclose(found / found.sum(), rank / rank.sum(), atol=1e-3)


def test_sources_without_a_sentence_fail(backend):
    request = Request((), "q", (Source("t", "Too short."),), 0.5, 50)
    (outcome,) = backend.generate(request, [1])
    assert isinstance(outcome, Failure)


def test_one_sentence_is_taken_whole_even_if_too_long(backend):
    sentence = "This single sentence is longer than the limit that was set for it."
    request = Request((), "q", (Source("t", sentence),), 0.5, 3)
    assert backend.generate(request, [1])[0].text == sentence


@pytest.mark.parametrize("options", [{"words": 5}, {"words": "many"}, {"words": True}, {"sentences": 3}])
def test_options_that_do_not_fit_are_refused(options):
    with pytest.raises(OptionsError):
        ExtractiveBackend.from_options(options, cache=Path("unused"))
