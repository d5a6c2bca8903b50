"""Writes: score settings, scoring jobs, scores, profiles, reference ranges and comparisons with null models."""

from graphs.services.null_drawing import run_null_chunk
from graphs.services.null_planning import cancel_null_comparisons, plan_null_comparisons
from graphs.services.planning import cancel_scoring, plan_scoring
from graphs.services.profiles import profile_abstracts, profile_ready_abstracts
from graphs.services.reference_ranges import freeze_reference_range
from graphs.services.scoring import run_scoring, score_texts
from graphs.services.settings import ensure_default_settings, ensure_settings

__all__ = [
    "cancel_null_comparisons",
    "cancel_scoring",
    "ensure_default_settings",
    "ensure_settings",
    "freeze_reference_range",
    "plan_null_comparisons",
    "plan_scoring",
    "profile_abstracts",
    "profile_ready_abstracts",
    "run_null_chunk",
    "run_scoring",
    "score_texts",
]
