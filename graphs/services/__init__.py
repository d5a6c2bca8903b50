"""Writes: score settings, scoring jobs, scores and profiles."""

from graphs.services.planning import plan_scoring
from graphs.services.profiles import profile_abstracts, profile_ready_abstracts
from graphs.services.scoring import run_scoring, score_texts
from graphs.services.settings import ensure_default_settings, ensure_settings

__all__ = [
    "ensure_default_settings",
    "ensure_settings",
    "plan_scoring",
    "profile_abstracts",
    "profile_ready_abstracts",
    "run_scoring",
    "score_texts",
]
