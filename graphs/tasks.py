"""Scoring on queue `cpu`; every few seconds the sweeper looks for texts and abstracts that nobody has queued."""

from collections.abc import Iterable, Sequence

from celery import shared_task

from corpora.models import Corpus
from graphs import selectors, services
from graphs.models import NullChunk, ScoreSettings, ScoringJob
from graphs.science.null_models import NULL_MODELS
from leases import sweeper
from leases.services import claim

# At most so many texts are queued by one look: the rest is found by the next.
TEXTS_PER_LOOK = 2000

# At most so many chunks are sent while somebody waits for the page; the sweeper sends the rest as workers go on.
CHUNKS_AT_ONCE = 400


@shared_task(name="graphs.score")
def score(job_id: int) -> None:
    if lease := claim(model=ScoringJob, pk=job_id):
        services.run_scoring(lease=lease)


def start_scoring(
    *, text_ids: Iterable[int], settings: ScoreSettings | None = None, corpus: Corpus | None = None
) -> list[ScoringJob]:
    """Queue the scoring of texts, under the default settings unless others are given; what is scored is left out."""
    settings = settings or services.ensure_default_settings()
    jobs = services.plan_scoring(text_ids=text_ids, settings=settings, corpus=corpus)
    sweeper.mark_sent(model=ScoringJob, pks=[job.pk for job in jobs])
    for job in jobs:
        score.delay_on_commit(job.pk)
    return jobs


def send(job_ids: list[int]) -> None:
    for job_id in job_ids:
        score.delay(job_id)


@shared_task(name="graphs.draw_null")
def draw_null(chunk_id: int) -> None:
    if lease := claim(model=NullChunk, pk=chunk_id):
        services.run_null_chunk(lease=lease)


def start_null_comparison(
    *,
    text_ids: Iterable[int],
    models: Sequence[str] = tuple(NULL_MODELS),
    draws: int = 1000,
    seed: int = 0,
    settings: ScoreSettings | None = None,
) -> int:
    """Queue comparisons of texts with null models, in chunks of draws; how many chunks wait to be drawn."""
    settings = settings or services.ensure_default_settings()
    chunks = services.plan_null_comparisons(text_ids=text_ids, settings=settings, models=models, draws=draws, seed=seed)
    first = chunks[:CHUNKS_AT_ONCE]
    sweeper.mark_sent(model=NullChunk, pks=first)
    for chunk in first:
        draw_null.delay_on_commit(chunk)
    return len(chunks)


def send_null_chunks(chunk_ids: list[int]) -> None:
    for chunk_id in chunk_ids:
        draw_null.delay(chunk_id)


def find_unscored() -> None:
    settings = services.ensure_default_settings()
    text_ids = selectors.texts_to_find(settings=settings, limit=TEXTS_PER_LOOK)
    if text_ids:
        start_scoring(text_ids=text_ids, settings=settings)
    services.profile_ready_abstracts(settings=settings)


sweeper.register(model=ScoringJob, send=send)
sweeper.register(model=NullChunk, send=send_null_chunks)
sweeper.register_finder(find_unscored)
