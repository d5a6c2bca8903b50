"""How far the scoring of a batch or a corpus has come."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from corpora.models import Corpus, Document
from generation.models import Abstract, Batch
from graphs.models import Score, ScoreSettings


@dataclass(frozen=True)
class Progress:
    """So many texts scored of so many."""

    scored: int
    total: int

    @property
    def is_complete(self) -> bool:
        return self.scored == self.total


def batch_progress(*, batch: Batch, settings: ScoreSettings | None) -> Progress:
    """Abstracts of a batch that are scored, of those that have been written."""
    return _progress(Abstract.objects.filter(run__cell__batch=batch), settings)


def corpus_progress(*, corpus: Corpus, settings: ScoreSettings | None) -> Progress:
    return _progress(Document.objects.filter(corpus=corpus), settings)


def _progress(rows: QuerySet[Abstract] | QuerySet[Document], settings: ScoreSettings | None) -> Progress:
    scored = Exists(Score.objects.filter(text=OuterRef("text"), settings=settings))
    return Progress(**rows.aggregate(scored=Count("pk", filter=Q(scored)), total=Count("pk")))
