"""Which draws of which null models are to be made."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from corpora.models import Text
from graphs.models import NullChunk, NullComparison, ScoreSettings
from graphs.science.null_models import NULL_MODELS
from leases.models import State
from leases.services import cancel, retry

#: Seconds with NumPy, tenths of one with the compiled kernel: what a killed worker loses at most.
DRAWS_PER_CHUNK = 250


def plan_null_comparisons(
    *, text_ids: Iterable[int], settings: ScoreSettings, models: Sequence[str], draws: int = 1000, seed: int = 0
) -> list[int]:
    """Queue what is missing of these texts' comparisons; the keys of the chunks that wait to be sent.

    A comparison that is there is not made again: what is done stays, what failed or was cancelled is taken up.

    Raises
    ------
    ValueError
        If a null model is unknown, or draws or seed are out of range.
    """
    unknown = [model for model in models if model not in NULL_MODELS]
    if unknown:
        raise ValueError(f"no null model is called {unknown[0]!r}; there are: {', '.join(NULL_MODELS)}")
    if draws < 1 or seed < 0:
        raise ValueError("draws must be at least 1 and the seed at least 0")
    with transaction.atomic():
        texts = Text.objects.filter(pk__in=set(text_ids)).order_by("pk").values_list("pk", flat=True)
        wanted = [
            NullComparison(text_id=text, settings=settings, null_model=model, draws=draws, seed=seed)
            for text in texts
            for model in models
        ]
        # Of two planners at once the second waits here for the first, and then finds the chunks of the first.
        NullComparison.objects.bulk_create(wanted, ignore_conflicts=True)
        comparisons = NullComparison.objects.filter(
            text__in=texts, settings=settings, null_model__in=models, draws=draws, seed=seed
        )
        NullChunk.objects.bulk_create(
            NullChunk(comparison=comparison, start=start, stop=min(start + DRAWS_PER_CHUNK, draws))
            for comparison in comparisons.filter(chunks=None).order_by("pk")
            for start in range(0, draws, DRAWS_PER_CHUNK)
        )
        chunks = NullChunk.objects.filter(comparison__in=comparisons)
        retry(rows=chunks)
        return list(
            chunks.filter(state=State.QUEUED, sent_at=None).order_by("start", "pk").values_list("pk", flat=True)
        )


def cancel_null_comparisons(*, text_ids: Iterable[int]) -> int:
    """Stop drawing for these texts; what is drawn is kept, and used when somebody starts again."""
    return cancel(rows=NullChunk.objects.filter(comparison__text__in=list(text_ids)))
