"""What pages, commands and tasks may do with batches."""

from generation.services.catalogue import (
    register_language_model,
    register_language_models,
    register_prompts,
    report_backends,
)
from generation.services.control import (
    BatchNotReady,
    cancel_batch,
    launch_batch,
    pause_batch,
    resume_batch,
    retry_failures,
)
from generation.services.planning import plan_batch
from generation.services.runs import generate_group
from generation.services.specification import BatchSpec, SpecError
from generation.services.toml_spec import read_spec

__all__ = [
    "BatchNotReady",
    "BatchSpec",
    "SpecError",
    "cancel_batch",
    "generate_group",
    "launch_batch",
    "pause_batch",
    "plan_batch",
    "read_spec",
    "register_language_model",
    "register_language_models",
    "register_prompts",
    "report_backends",
    "resume_batch",
    "retry_failures",
]
