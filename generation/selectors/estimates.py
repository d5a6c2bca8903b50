"""How many runs a design has and how long they will take, from what earlier runs took."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Avg, Count, FloatField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from generation.models import Abstract, LanguageModel
from generation.science.backends.registry import KINDS

# The latest runs of a model tell best how fast it is now.
LATEST = 200


@dataclass(frozen=True)
class Estimate:
    """`seconds` of computing on one worker; `assumed` names the models without earlier runs to go by."""

    cells: int
    runs: int
    seconds: float
    assumed: tuple[str, ...]

    @property
    def is_assumed(self) -> bool:
        return bool(self.assumed)


def estimate_runs(*, language_models: Sequence[LanguageModel], combinations: int, iterations: int) -> Estimate:
    """For each of the models, `combinations` cells (prompt × embedding × temperature × query) of `iterations` runs."""
    paces = {model.pk: seconds_per_run(model) for model in language_models}
    runs_each = combinations * iterations
    return Estimate(
        cells=len(language_models) * combinations,
        runs=len(language_models) * runs_each,
        seconds=sum(pace or typical_seconds(model) for model, pace in zip(language_models, paces.values(), strict=True))
        * runs_each,
        assumed=tuple(model.name for model in language_models if paces[model.pk] is None),
    )


def seconds_per_run(model: LanguageModel) -> float | None:
    """The mean computing time of the model's latest runs; None when it has none."""
    seconds = Cast(KeyTextTransform("seconds", "provenance"), FloatField())
    latest = Abstract.objects.filter(run__cell__language_model=model).order_by("-pk").annotate(seconds=seconds)[:LATEST]
    measured = latest.aggregate(mean=Avg("seconds"), n=Count("seconds"))
    return float(measured["mean"]) if measured["n"] else None


def typical_seconds(model: LanguageModel) -> float:
    return KINDS[model.backend].typical_seconds if model.backend in KINDS else 10.0
