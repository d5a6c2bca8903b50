"""Stored scores: a text is scored once under one settings hash, and held against its retrieved set and null models."""

from graphs.models.nulls import NullChunk, NullComparison
from graphs.models.profiles import Profile, ReferenceRange
from graphs.models.scores import Score, ScoringJob
from graphs.models.settings import ScoreSettings

__all__ = ["NullChunk", "NullComparison", "Profile", "ReferenceRange", "Score", "ScoreSettings", "ScoringJob"]
