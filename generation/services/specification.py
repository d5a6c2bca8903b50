"""What a batch is asked to be, checked before anything is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from corpora.models import Corpus, EmbeddingModel
from generation.models import LanguageModel, Prompt

MOST_RUNS = 200_000
LARGEST_SEED = 2**63 - 1


class SpecError(ValueError):
    """A specification cannot be planned; `problems` says why, a sentence each."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = list(problems)


@dataclass(frozen=True)
class Combination:
    """One cell to be."""

    language_model: LanguageModel
    prompt: Prompt
    embedding_model: EmbeddingModel
    temperature: Decimal
    query: str

    @property
    def identity(self) -> list[str]:
        """What names the cell on any installation."""
        return [
            f"{self.language_model.key}@{self.language_model.revision}",
            f"{self.prompt.key}.{self.prompt.version}",
            f"{self.embedding_model.key}@{self.embedding_model.revision}",
            f"{self.temperature:.3f}",
            self.query,
        ]


@dataclass(frozen=True)
class BatchSpec:
    """A full factorial. The order of each factor's levels is the order of the cells."""

    name: str
    corpus: Corpus
    language_models: Sequence[LanguageModel]
    prompts: Sequence[Prompt]
    embedding_models: Sequence[EmbeddingModel]
    temperatures: Sequence[Decimal]
    queries: Sequence[str]
    iterations: int = 31
    top_n: int = 5
    max_new_tokens: int = 300
    seed: int = 0

    @property
    def combinations_per_model(self) -> int:
        return len(self.prompts) * len(self.embedding_models) * len(self.temperatures) * len(self.queries)

    @property
    def runs(self) -> int:
        return len(self.language_models) * self.combinations_per_model * self.iterations

    def combinations(self) -> list[Combination]:
        factors = product(self.language_models, self.prompts, self.embedding_models, self.temperatures, self.queries)
        return [Combination(*levels) for levels in factors]

    def check(self) -> None:
        """Raise SpecError with everything that is wrong."""
        problems = [*self._empty_factors(), *self._values_outside(), *self._repeats()]
        if not problems and self.runs > MOST_RUNS:
            said = _("%(runs)s runs are more than a batch may have (%(most)s); split it.")
            problems.append(said % {"runs": intcomma(self.runs), "most": intcomma(MOST_RUNS)})
        if problems:
            raise SpecError(problems)

    def _empty_factors(self) -> list[str]:
        factors = {
            _("language model"): self.language_models,
            _("prompt"): self.prompts,
            _("embedding model"): self.embedding_models,
            _("temperature"): self.temperatures,
            _("query"): self.queries,
        }
        problems = [
            _("Choose at least one %(factor)s.") % {"factor": name} for name, levels in factors.items() if not levels
        ]
        return problems if self.name.strip() else [_("Give the batch a name."), *problems]

    def _values_outside(self) -> list[str]:
        ranges = {
            _("iterations"): (self.iterations, 1, 1000),
            _("top N"): (self.top_n, 1, 100),
            _("new tokens"): (self.max_new_tokens, 1, 8192),
            _("seed"): (self.seed, 0, LARGEST_SEED),
        }
        problems = [
            _("%(name)s must be from %(least)d to %(most)d, not %(value)s.")
            % {"name": name.capitalize(), "least": least, "most": most, "value": value}
            for name, (value, least, most) in ranges.items()
            if not least <= value <= most
        ]
        outside = [f"{value}" for value in self.temperatures if not 0 <= value <= 2]
        if outside:
            problems.append(_("Temperatures lie from 0 to 2; %(values)s does not.") % {"values": ", ".join(outside)})
        elif any(value != round(value, 3) for value in self.temperatures):
            problems.append(_("Temperatures have at most three decimals."))
        if any(not query.strip() for query in self.queries):
            problems.append(_("A query is empty."))
        return problems

    def _repeats(self) -> list[str]:
        factors: dict[str, Sequence[object]] = {
            _("language model"): self.language_models,
            _("prompt"): self.prompts,
            _("embedding model"): self.embedding_models,
            _("temperature"): self.temperatures,
            _("query"): self.queries,
        }
        return [
            _("Each %(factor)s may stand once only.") % {"factor": name}
            for name, levels in factors.items()
            if len(set(levels)) < len(levels)
        ]
