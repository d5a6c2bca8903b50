"""From a chunk of draws to a finished comparison."""

import logging

import numpy as np
from django.db import transaction
from django.db.models.functions import Now
from numpy.typing import NDArray

from graphs.models import NullChunk, NullComparison
from graphs.science import engine
from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.null_comparison import compare_with_null
from graphs.science.null_draws import NullDraws, draw_null, join_draws
from graphs.science.null_models import NullSource
from graphs.science.score_record import comparison_record
from graphs.science.scoring import TextScore, score_text
from graphs.services.draw_bytes import pack, unpack
from leases.models import State
from leases.services import Lease, LeaseLost, assert_held, fail, finish, heartbeat

logger = logging.getLogger(__name__)

BINS = 32


def run_null_chunk(*, lease: Lease) -> None:
    """Make the draws of a chunk; whoever stores the last chunk joins them all."""
    chunk = NullChunk.objects.select_related("comparison__text", "comparison__settings").get(pk=lease.pk)
    comparison = chunk.comparison
    try:
        try:
            with heartbeat(lease):
                score, drawn = _draw(chunk)
        except (ArithmeticError, MemoryError, ValueError) as error:
            logger.exception("null chunk %d could not be drawn", chunk.pk)
            return fail(lease=lease, error=str(error) or type(error).__name__)
        with transaction.atomic():
            assert_held(lease=lease)
            # Chunks of a comparison end one after the other, so that exactly one of them is the last.
            NullComparison.objects.select_for_update().get(pk=comparison.pk)
            finish(lease=lease, drawn=pack(drawn))
            if not comparison.chunks.exclude(state=State.DONE).exists():
                _join(comparison, score)
    except LeaseLost:
        logger.info("null chunk %d went to another worker or was cancelled", lease.pk)


def _draw(chunk: NullChunk) -> tuple[TextScore, NullDraws]:
    engine.prefer_kernel()
    comparison = chunk.comparison
    score = score_text(comparison.text.body, comparison.settings.as_graph_settings())
    source = NullSource.of_text(score.words, score.graph, score.settings)
    draws = chunk.stop - chunk.start
    return score, draw_null(source, comparison.null_model, draws=draws, seed=comparison.seed, start=chunk.start)


def _join(comparison: NullComparison, score: TextScore) -> None:
    chunks = comparison.chunks.select_related("comparison").order_by("start")
    drawn = join_draws([unpack(chunk) for chunk in chunks])
    result = compare_with_null(score.metrics, drawn)
    observed = score.metrics.values()
    NullComparison.objects.filter(pk=comparison.pk).update(
        metrics={key: {"observed": observed[key]} | each for key, each in comparison_record(result).items()},
        distributions={
            key: _bins(drawn.values[drawn.defined[:, column], column], observed[key])
            for column, key in enumerate(METRIC_KEYS)
        },
        edges=score.metrics.edges,
        edges_mean=result.edges_mean,
        edges_sd=result.edges_sd,
        connected=result.connected,
        finished_at=Now(),
    )
    # The figures stand; the draws follow from the seed and can be made again.
    chunks.update(drawn=b"")


def _bins(values: NDArray[np.float64], observed: float | None) -> dict[str, object] | None:
    """Counts of the draws in equal bins over draws and observed value; None where nothing can be drawn as bars."""
    if not len(values) or observed is None:
        return None
    low, high = min(float(values.min()), observed), max(float(values.max()), observed)
    if high - low <= 1e-12 * max(abs(low), abs(high), 1.0):
        return None
    counts, _ = np.histogram(values, bins=BINS, range=(low, high))
    return {"low": low, "high": high, "counts": counts.tolist()}
