"""How far the scoring of a batch or a corpus has come, under the default settings."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from corpora.models import Corpus, Document, Retrieved
from generation.models import Abstract, Batch
from graphs.models import Profile, Score
from graphs.science.settings import GraphSettings
from graphs.selectors.scores import default_score_settings, scoring_error


@dataclass(frozen=True)
class Progress:
    """So many texts scored of so many."""

    scored: int
    total: int

    @property
    def is_complete(self) -> bool:
        return self.scored == self.total


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
    written = Abstract.objects.filter(run__cell__batch=batch)
    profile = _under_default(Profile).filter(abstract=OuterRef("pk"))
    counts = written.aggregate(
        total=Count("pk"),
        scored=_count(_score_of_text()),
        profiled=_count(Exists(profile)),
        kept=_count(Exists(profile.filter(order_free_area_difference__gt=0))),
    )
    error = _scoring_error(batch) if counts["profiled"] < counts["total"] else ""
    return BatchScoring(**counts, error=error)


def corpus_scoring(*, corpus: Corpus) -> Progress:
    """Documents of a corpus whose text is scored."""
    documents = Document.objects.filter(corpus=corpus)
    return Progress(**documents.aggregate(total=Count("pk"), scored=_count(_score_of_text())))


def _scoring_error(batch: Batch) -> str:
    """Why a text of the batch, written or retrieved, is not waited for any more."""
    settings = default_score_settings()
    if settings is None:
        return ""
    written = Abstract.objects.filter(run__cell__batch=batch).exclude(_score_of_text())
    retrieved = Retrieved.objects.filter(retrieval__cells__batch=batch).exclude(_score_of_text())
    texts = written.values_list("text_id").union(retrieved.values_list("text_id"))
    return scoring_error(text_ids=[text for (text,) in texts], settings=settings)


def _score_of_text() -> Exists:
    return Exists(_under_default(Score).filter(text=OuterRef("text")))


def _under_default(model: type[Score] | type[Profile]) -> Any:
    return model._default_manager.filter(settings__sha256=GraphSettings().digest)


def _count(condition: Exists) -> Count:
    return Count("pk", filter=Q(condition))
