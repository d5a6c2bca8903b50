"""Reads: scores, what waits to be scored, and a generated abstract beside its retrieved set."""

from graphs.selectors.abstracts import find_abstract, texts_of_abstract, texts_of_corpus
from graphs.selectors.comparisons import AbstractComparison, Reference, compare_abstract
from graphs.selectors.nulls import NullReading, NullStanding, null_standings
from graphs.selectors.progress import BatchScoring, Progress, batch_scoring, corpus_scoring
from graphs.selectors.scores import default_score_settings, score_of_text, scores_by_text, scoring_error
from graphs.selectors.unscored import abstracts_ready_to_profile, texts_in_active_jobs, texts_to_find, unscored

__all__ = [
    "AbstractComparison",
    "BatchScoring",
    "NullReading",
    "NullStanding",
    "Progress",
    "Reference",
    "abstracts_ready_to_profile",
    "batch_scoring",
    "compare_abstract",
    "corpus_scoring",
    "default_score_settings",
    "find_abstract",
    "null_standings",
    "score_of_text",
    "scores_by_text",
    "scoring_error",
    "texts_in_active_jobs",
    "texts_of_abstract",
    "texts_of_corpus",
    "texts_to_find",
    "unscored",
]
