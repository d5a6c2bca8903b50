"""Which texts become which scoring jobs."""

from collections.abc import Iterable

from django.db import transaction

from corpora.models import Corpus
from graphs import selectors
from graphs.models import ScoreSettings, ScoringJob
from leases.services import cancel

#: A third of a second with the compiled kernel, about one with NumPy.
TEXTS_PER_JOB = 500


def plan_scoring(*, text_ids: Iterable[int], settings: ScoreSettings, corpus: Corpus | None = None) -> list[ScoringJob]:
    """Queue those texts that have no score under these settings and wait in no active job.

    Jobs that a corpus's page started name it, so that the page can watch and cancel them.

    Planners of the same settings take turns, so that two of them never queue the same text.
    """
    with transaction.atomic():
        # A key share would be too weak, a full lock would hold up the workers that store scores under these settings.
        ScoreSettings.objects.select_for_update(no_key=True).get(pk=settings.pk)
        waiting = selectors.texts_in_active_jobs(settings=settings)
        texts = [pk for pk in selectors.unscored(text_ids=text_ids, settings=settings) if pk not in waiting]
        parts = [texts[start : start + TEXTS_PER_JOB] for start in range(0, len(texts), TEXTS_PER_JOB)]
        return ScoringJob.objects.bulk_create(
            ScoringJob(settings=settings, corpus=corpus, text_ids=part, total=len(part)) for part in parts
        )


def cancel_scoring(*, corpus: Corpus) -> int:
    """Stop the jobs that the corpus's page started; the number of them. What is scored is kept."""
    return cancel(rows=ScoringJob.objects.filter(corpus=corpus))
