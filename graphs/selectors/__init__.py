"""Reads: scores, what waits to be scored, and a generated abstract beside its retrieved set."""

from graphs.selectors.abstracts import find_abstract, texts_of_abstract, texts_of_corpus
from graphs.selectors.batch_nulls import BatchNulls, MetricTally, ModelTally, batch_nulls, texts_of_batch
from graphs.selectors.comparisons import AbstractComparison, Reference, compare_abstract
from graphs.selectors.neighbours import Neighbour, Neighbourhood, neighbourhood_of
from graphs.selectors.nulls import NullReading, NullStanding, null_standings
from graphs.selectors.pairs import PairReading, TextPair, compare_texts
from graphs.selectors.progress import BatchScoring, CorpusScoring, Progress, batch_scoring, corpus_scoring
from graphs.selectors.ranges import CorpusRange, corpus_range, reference_ranges
from graphs.selectors.scores import default_score_settings, score_of_text, scores_by_text, scoring_error
from graphs.selectors.unscored import abstracts_ready_to_profile, texts_in_active_jobs, texts_to_find, unscored

__all__ = [
    "AbstractComparison",
    "BatchNulls",
    "BatchScoring",
    "CorpusRange",
    "CorpusScoring",
    "MetricTally",
    "ModelTally",
    "Neighbour",
    "Neighbourhood",
    "NullReading",
    "NullStanding",
    "PairReading",
    "Progress",
    "Reference",
    "TextPair",
    "abstracts_ready_to_profile",
    "batch_nulls",
    "batch_scoring",
    "compare_abstract",
    "compare_texts",
    "corpus_range",
    "corpus_scoring",
    "default_score_settings",
    "find_abstract",
    "neighbourhood_of",
    "null_standings",
    "reference_ranges",
    "score_of_text",
    "scores_by_text",
    "scoring_error",
    "texts_in_active_jobs",
    "texts_of_abstract",
    "texts_of_batch",
    "texts_of_corpus",
    "texts_to_find",
    "unscored",
]
