"""The baseline: sentences taken from the sources by TextRank, no language model at all.

It shows what mere copying achieves, and lets a whole experiment run where no model is installed. It does not read the
question; the retrieved sources are what it knows of it.

Sentences are ranked by TextRank [1] (the implementation of `sumy`). At temperature 0 the best ones are taken until the
length is reached. Above 0 they are drawn one after another without replacement, each time with probability
softmax(z / T) over those left, z being the standardised scores: the Plackett-Luce model, drawn exactly by adding Gumbel
noise and sorting. The text keeps the sentences in the order of the sources.

References
----------
.. [1] R. Mihalcea and P. Tarau, "TextRank: Bringing order into texts", Proc. EMNLP, 2004, pp. 404-411.
"""

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from generation.science.backends.options import read_whole_number, refuse_unknown
from generation.science.backends.protocol import Failure, Outcome, Output, Request
from generation.science.backends.versions import library_versions
from generation.science.sentences import split_sentences

__all__ = ["ExtractiveBackend"]

WORD = re.compile(r"\w+(?:[-']\w+)*")
# Shorter ones are headings and left-overs of a copyright line.
SHORTEST_SENTENCE = 5


class OfflineTokenizer:
    """What sumy asks of a tokenizer; its own would download data."""

    def to_sentences(self, text: str) -> tuple[str, ...]:
        return tuple(split_sentences(text))

    def to_words(self, sentence: str) -> tuple[str, ...]:
        return tuple(WORD.findall(sentence))


class ExtractiveBackend:
    """TextRank extraction (baseline). Option `words`: the length aimed at, 180 by default."""

    group_size = 64

    def __init__(self, *, words: int = 180) -> None:
        self.words = words

    @classmethod
    def from_options(cls, options: Mapping[str, Any], *, cache: Path) -> Self:
        refuse_unknown(options, ["words"])
        return cls(words=read_whole_number(options, "words", 180, least=20, most=1000))

    def describe(self) -> dict[str, Any]:
        return {
            "model": "TextRank extraction (baseline)",
            "baseline": True,
            "words": self.words,
            "versions": library_versions("sumy", "numpy"),
        }

    def generate(self, request: Request, seeds: Sequence[int]) -> list[Outcome]:
        started = time.perf_counter()
        sentences = candidate_sentences(request)
        if not sentences:
            return [
                Failure("the retrieved abstracts hold no whole sentence to take", is_transient=False) for _ in seeds
            ]
        scores = textrank_scores(sentences)
        chosen = [self._choose(sentences, scores, request, seed) for seed in seeds]
        seconds = (time.perf_counter() - started) / len(seeds)
        return [
            Output(
                text=" ".join(sentences[index] for index in picked),
                finish_reason="stop",
                prompt_tokens=None,
                tokens=sum(len(WORD.findall(sentences[index])) for index in picked),
                seconds=seconds,
                details={"baseline": True, "sentences": len(picked), "candidates": len(sentences)},
            )
            for picked in chosen
        ]

    def _choose(self, sentences: list[str], scores: np.ndarray, request: Request, seed: int) -> list[int]:
        limit = min(self.words, request.max_new_tokens)
        picked: list[int] = []
        words = 0
        for index in ranking(scores, temperature=request.temperature, seed=seed):
            length = len(WORD.findall(sentences[index]))
            if not picked or words + length <= limit:
                picked.append(int(index))
                words += length
        return sorted(picked)


def candidate_sentences(request: Request) -> list[str]:
    """The distinct sentences of the sources, in order."""
    found = (sentence for source in request.sources for sentence in split_sentences(source.abstract))
    return [sentence for sentence in dict.fromkeys(found) if len(WORD.findall(sentence)) >= SHORTEST_SENTENCE]


def textrank_scores(sentences: Sequence[str]) -> np.ndarray:
    """TextRank of each sentence among all, shape (n,), positive."""
    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
    from sumy.summarizers.text_rank import TextRankSummarizer

    if len(sentences) == 1:
        return np.ones(1)
    tokenizer = OfflineTokenizer()
    document = ObjectDocumentModel([Paragraph([Sentence(sentence, tokenizer) for sentence in sentences])])
    ranks = TextRankSummarizer().rate_sentences(document)
    return np.array([float(ranks[sentence]) for sentence in document.sentences])


def ranking(scores: np.ndarray, *, temperature: float, seed: int) -> np.ndarray:
    """Indices from first taken to last: by score at temperature 0, else one Plackett-Luce draw."""
    if temperature == 0:
        return np.argsort(-scores, kind="stable")
    spread = scores.std()
    standardised = (scores - scores.mean()) / spread if spread > 0 else np.zeros_like(scores)
    noise = np.random.default_rng(seed).gumbel(size=len(scores))
    return np.argsort(-(standardised / temperature + noise), kind="stable")
