"""From texts to stored scores, a few at a time, each text once."""

import logging
from collections.abc import Sequence

from django.db import transaction

from corpora.models import Text
from graphs import selectors
from graphs.models import Score, ScoreSettings, ScoringJob
from graphs.science import engine
from graphs.science.scoring import score_text
from graphs.science.settings import GraphSettings
from graphs.services.profiles import profile_ready_abstracts
from graphs.services.score_rows import insert_scores
from leases.services import Lease, LeaseLost, assert_held, fail, finish, heartbeat

logger = logging.getLogger(__name__)

#: What a killed worker loses at most: a tenth of a second with the compiled kernel.
TEXTS_PER_SLICE = 100


def score_texts(*, text_ids: Sequence[int], settings: ScoreSettings, lease: Lease | None = None) -> dict[int, str]:
    """Score those texts that have no score under these settings, and say which could not be scored and why.

    Two workers may do this for the same text at the same time: one row is stored. Under a lease nothing is stored
    unless the lease still holds.

    Raises
    ------
    LeaseLost
        If the lease no longer holds.
    ValueError
        If the settings were made for another version of the scorer.
    """
    scores, failures = _score(selectors.unscored(text_ids=text_ids, settings=settings), settings)
    _store(scores, lease)
    return failures


def run_scoring(*, lease: Lease) -> None:
    """Work through a scoring job, storing as it goes: what is stored is not done again after a crash."""
    job = ScoringJob.objects.select_related("settings").get(pk=lease.pk)
    try:
        if reason := _unusable(job.settings):
            return fail(lease=lease, error=reason)
        with heartbeat(lease):
            failures = _run(job, lease)
            profile_ready_abstracts(settings=job.settings)
        if failures:
            listed = "; ".join(f"text {pk}: {reason}" for pk, reason in failures.items())
            fail(lease=lease, error=f"{len(failures)} of {job.total} texts could not be scored: {listed}")
        else:
            finish(lease=lease, done=job.total)
    except LeaseLost:
        logger.info("scoring job %d went to another worker or was cancelled", lease.pk)


def _unusable(settings: ScoreSettings) -> str:
    try:
        settings.as_graph_settings()
    except ValueError as error:
        return str(error)
    return ""


def _run(job: ScoringJob, lease: Lease) -> dict[int, str]:
    failures: dict[int, str] = {}
    left = selectors.unscored(text_ids=job.text_ids, settings=job.settings)
    done = job.total - len(left)
    for start in range(0, len(left), TEXTS_PER_SLICE):
        scores, failed = _score(left[start : start + TEXTS_PER_SLICE], job.settings)
        failures |= failed
        done += len(scores)
        _store(scores, lease, done=done)
    return failures


def _score(text_ids: Sequence[int], settings: ScoreSettings) -> tuple[list[Score], dict[int, str]]:
    engine.prefer_kernel()
    graph_settings = settings.as_graph_settings()
    scores, failures = [], {}
    for pk, body in Text.objects.filter(pk__in=text_ids).order_by("pk").values_list("pk", "body"):
        try:
            scores.append(_scored(pk, body, settings, graph_settings))
        except (ArithmeticError, MemoryError, ValueError) as error:
            # One strange text must not keep its neighbours from being scored.
            logger.exception("text %d could not be scored", pk)
            failures[pk] = str(error) or type(error).__name__
    return scores, failures


def _scored(pk: int, body: str, settings: ScoreSettings, graph_settings: GraphSettings) -> Score:
    scored = score_text(body, graph_settings)
    metrics = scored.metrics
    return Score(
        text_id=pk,
        settings=settings,
        tokens=len(scored.words),
        nodes=metrics.nodes,
        edges=metrics.edges,
        components=metrics.components,
        **metrics.values(),
        undefined=metrics.undefined,
    )


def _store(scores: list[Score], lease: Lease | None, **progress: int) -> None:
    # In the order of the texts, so that two workers with texts in common wait for each other and never in a circle.
    with transaction.atomic():
        if lease:
            assert_held(lease=lease)
        insert_scores(scores)
        if lease and progress:
            lease.rows().update(**progress)
