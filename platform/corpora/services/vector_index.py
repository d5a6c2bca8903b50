"""The HNSW index of each embedding model: partial, since vectors of different models share a table, not a space."""

import logging
import time

from django.db import connection

from corpora.models import EmbeddingModel

logger = logging.getLogger(__name__)

LOCK = 0x6B67_766563  # any number that nothing else in this database locks
WAIT_SECONDS = 0.5


def index_name(*, model: EmbeddingModel) -> str:
    return f"embedding_hnsw_{model.pk}"


def ensure_index(*, model: EmbeddingModel) -> None:
    """Build the model's index where it is missing; many workers may ask at once.

    It is built concurrently, so that other models' vectors can be written meanwhile, which cannot be done inside a
    transaction; there (in tests) a plain build serves. Waiting for the lock is by polling: a session that sleeps in
    `pg_advisory_lock` holds a snapshot, for whose end the concurrent build would wait in turn.
    """
    if _is_valid(index_name(model=model)):
        return
    with connection.cursor() as cursor:
        while True:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
            if cursor.fetchone()[0]:
                break
            time.sleep(WAIT_SECONDS)
        try:
            if not _is_valid(index_name(model=model)):
                _build(model)
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


def _build(model: EmbeddingModel) -> None:
    name = index_name(model=model)
    concurrently = "" if connection.in_atomic_block else "CONCURRENTLY"
    started = time.monotonic()
    with connection.cursor() as cursor:
        # An interrupted concurrent build leaves an index behind that is never used.
        cursor.execute(f"DROP INDEX IF EXISTS {name}")
        # Parallel workers would need more shared memory than small machines and containers give.
        cursor.execute("SET max_parallel_maintenance_workers = 0")
        try:
            cursor.execute(
                f"CREATE INDEX {concurrently} {name} ON corpora_embedding USING hnsw "
                f"((vector::vector({int(model.dimensions)})) vector_cosine_ops) WHERE model_id = {int(model.pk)}"
            )
        finally:
            if not connection.needs_rollback:
                cursor.execute("RESET max_parallel_maintenance_workers")
    logger.info("built the index of %s in %.1f s", model.name, time.monotonic() - started)


def _is_valid(name: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [name])
        row = cursor.fetchone()
    return bool(row and row[0])
