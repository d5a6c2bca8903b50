"""Which texts become which scoring jobs."""

from collections.abc import Iterable

from django.db import transaction

from graphs import selectors
from graphs.models import ScoreSettings, ScoringJob

TEXTS_PER_JOB = 200


def plan_scoring(*, text_ids: Iterable[int], settings: ScoreSettings) -> list[ScoringJob]:
    """Queue those texts that have no score under these settings and wait in no active job.

    Planners of the same settings take turns, so that two of them never queue the same text.
    """
    with transaction.atomic():
        # A key share would be too weak, a full lock would hold up the workers that store scores under these settings.
        ScoreSettings.objects.select_for_update(no_key=True).get(pk=settings.pk)
        waiting = selectors.texts_in_active_jobs(settings=settings)
        texts = [pk for pk in selectors.unscored(text_ids=text_ids, settings=settings) if pk not in waiting]
        parts = [texts[start : start + TEXTS_PER_JOB] for start in range(0, len(texts), TEXTS_PER_JOB)]
        return ScoringJob.objects.bulk_create(
            ScoringJob(settings=settings, text_ids=part, total=len(part)) for part in parts
        )
