"""What pages, commands and other apps may ask of batches."""

from generation.selectors.abstracts import (
    AbstractFilter,
    abstracts_of,
    batches_with_counts,
    models_ignoring_temperature,
    repeated_texts,
)
from generation.selectors.catalogue import OfferedModel, current_prompts, offered_language_models
from generation.selectors.estimates import Estimate, estimate_runs
from generation.selectors.progress import BatchProgress, CellProgress, batch_progress

__all__ = [
    "AbstractFilter",
    "BatchProgress",
    "CellProgress",
    "Estimate",
    "OfferedModel",
    "abstracts_of",
    "batch_progress",
    "batches_with_counts",
    "current_prompts",
    "estimate_runs",
    "models_ignoring_temperature",
    "offered_language_models",
    "repeated_texts",
]
