"""What a batch can be made of, and whether the workers can run it."""

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import QuerySet

from generation.models import LanguageModel, Prompt
from generation.science.backends.registry import KINDS, Availability, available

REPORT_KEY = "generation:backends"


@dataclass(frozen=True)
class OfferedModel:
    model: LanguageModel
    availability: Availability
    is_baseline: bool
    kind: str


def current_prompts() -> QuerySet[Prompt]:
    """The newest version of every prompt."""
    return Prompt.objects.order_by("key", "-version").distinct("key")


def offered_language_models() -> list[OfferedModel]:
    """The active models, by name. Whether one can run is what a worker last said, else what this process sees."""
    report: dict[str, Any] | None = cache.get(REPORT_KEY)
    return [
        OfferedModel(
            model=model,
            availability=_availability(model, report),
            is_baseline=model.backend in KINDS and KINDS[model.backend].is_baseline,
            kind=KINDS[model.backend].label if model.backend in KINDS else model.backend,
        )
        for model in LanguageModel.objects.filter(is_active=True).order_by("name", "pk")
    ]


def _availability(model: LanguageModel, report: dict[str, Any] | None) -> Availability:
    if report is None or model.backend not in report["kinds"]:
        return available(model.backend, model.options)
    said = Availability(**report["kinds"][model.backend])
    key = model.options.get("api_key_env")
    if said.can_run and key and key not in report["keys"]:
        return Availability(False, f"the environment variable {key} is not set", f"set {key} for the worker")
    return said
