"""A generated abstract beside the abstracts it was written from, in three queries at most, however many those are."""

from dataclasses import dataclass

from corpora.models import Retrieved
from generation.models import Abstract
from graphs.models import ReferenceRange, Score, ScoreSettings
from graphs.readings import Reading, read_metrics
from graphs.science.profile import Profile, compute_profile
from graphs.selectors.pairs import named
from graphs.selectors.scores import scores_by_text, scoring_error


@dataclass(frozen=True)
class Reference:
    """A retrieved document and the score of its text, where there is one."""

    retrieved: Retrieved
    score: Score | None


@dataclass(frozen=True)
class AbstractComparison:
    """All that is known about the graphs of an abstract and its retrieved set."""

    score: Score | None
    references: list[Reference]
    profile: Profile | None
    readings: list[Reading]
    error: str

    @property
    def total(self) -> int:
        return len(self.references) + 1

    @property
    def scored(self) -> int:
        return sum(1 for each in (self.score, *(row.score for row in self.references)) if each)

    @property
    def is_complete(self) -> bool:
        return self.scored == self.total

    @property
    def no_areas(self) -> str:
        """Why there is no radar, with metrics by the names that people know."""
        return named((self.profile and self.profile.areas_undefined) or "")

    @property
    def is_waiting(self) -> bool:
        return not self.is_complete and not self.error


def compare_abstract(
    *, abstract: Abstract, settings: ScoreSettings | None, reference_range: ReferenceRange | None = None
) -> AbstractComparison:
    """Compare under these settings; without settings nothing has been scored yet.

    The radar's axes run over the compared texts, or over the frozen range.
    """
    cell = abstract.run.cell
    retrieved = list(Retrieved.objects.filter(retrieval=cell.retrieval_id).select_related("document").order_by("rank"))
    texts = {abstract.text_id, *(row.text_id for row in retrieved)}
    scores = scores_by_text(text_ids=texts, settings=settings) if settings else {}
    score = scores.get(abstract.text_id)
    references = [Reference(row, scores.get(row.text_id)) for row in retrieved]
    compared = [reference.score.as_metrics() for reference in references if reference.score]
    complete = score is not None and len(compared) == len(references) > 0
    frozen = reference_range.as_normalisation() if reference_range else None
    profile = compute_profile(score.as_metrics(), compared, frozen) if score and complete else None
    missing = texts - scores.keys()
    return AbstractComparison(
        score=score,
        references=references,
        profile=profile,
        readings=read_metrics(score.as_metrics(), profile) if score else [],
        error=scoring_error(text_ids=missing, settings=settings) if settings and missing else "",
    )
