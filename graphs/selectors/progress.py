"""How far the scoring of a batch or a corpus has come, under the default settings."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q

from corpora.models import Corpus, Document, Retrieved
from generation.models import Abstract, Batch
from graphs.models import Profile, Score, ScoreSettings, ScoringJob
from graphs.selectors.scores import default_score_settings, scoring_error
from leases.models import State


@dataclass(frozen=True)
class Progress:
    """So many texts scored of so many."""

    scored: int
    total: int

    @property
    def is_complete(self) -> bool:
        return self.scored == self.total


@dataclass(frozen=True)
class CorpusScoring(Progress):
    """Also how many jobs wait or run, and why the last one failed."""

    active: int
    error: str


@dataclass(frozen=True)
class BatchScoring(Progress):
    """Also how many abstracts could be compared with their retrieved set, and how many of those are kept."""

    profiled: int
    kept: int
    error: str

    @property
    def is_under_way(self) -> bool:
        return self.profiled < self.total and not self.error


def batch_scoring(*, batch: Batch) -> BatchScoring:
    """Abstracts of a batch that are scored, of those that have been written."""
    total = Abstract.objects.filter(run__cell__batch=batch).count()
    settings = default_score_settings()
    if settings is None:
        return BatchScoring(scored=0, total=total, profiled=0, kept=0, error="")
    # A text has one score and an abstract one profile under these settings: the joined rows are the abstracts.
    scored = Score.objects.filter(settings=settings, text__abstracts__run__cell__batch=batch).count()
    profiles = Profile.objects.filter(settings=settings, abstract__run__cell__batch=batch)
    is_kept = Q(order_free_area_difference__gt=0)
    counts = profiles.aggregate(profiled=Count("pk"), kept=Count("pk", filter=is_kept))
    error = _scoring_error(batch, settings) if counts["profiled"] < total else ""
    return BatchScoring(scored=scored, total=total, **counts, error=error)


def corpus_scoring(*, corpus: Corpus) -> CorpusScoring:
    """Documents of a corpus whose text is scored, and the jobs that its page started."""
    settings = default_score_settings()
    total = Document.objects.filter(corpus=corpus).count()
    scored = Score.objects.filter(settings=settings, text__documents__corpus=corpus).count() if settings else 0
    jobs = ScoringJob.objects.filter(corpus=corpus, settings=settings).order_by("pk")
    states = list(jobs.exclude(state=State.DONE).values_list("state", "error"))
    active = sum(state in (State.QUEUED, State.RUNNING) for state, _ in states)
    errors = [error for state, error in states if state == State.FAILED]
    return CorpusScoring(
        scored=scored, total=total, active=active, error=errors[-1] if errors and scored < total and not active else ""
    )


def _scoring_error(batch: Batch, settings: ScoreSettings) -> str:
    """Why a text of the batch, written or retrieved, is not waited for any more."""
    scored = Exists(Score.objects.filter(text=OuterRef("text"), settings=settings))
    written = Abstract.objects.filter(run__cell__batch=batch).exclude(scored)
    retrieved = Retrieved.objects.filter(retrieval__cells__batch=batch).exclude(scored)
    texts = written.values_list("text_id").union(retrieved.values_list("text_id"))
    return scoring_error(text_ids=[text for (text,) in texts], settings=settings)
