"""The corpora's work for the queue: each task claims its row and calls one service; `start_…` queues and sends."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from celery import shared_task
from django.contrib.auth.models import AbstractBaseUser
from django.core.files import File
from django.db import transaction

from corpora import services
from corpora.models import Corpus, CorpusImport, EmbeddingJob, EmbeddingModel, Retrieval
from leases import sweeper
from leases.models import Leased
from leases.services import LeaseLost, claim, release, retry

logger = logging.getLogger(__name__)


@shared_task(name="corpora.import")
def import_export(pk: int) -> None:
    _work(CorpusImport, pk, services.run_import)


@shared_task(name="corpora.embed")
def embed(pk: int) -> None:
    _work(EmbeddingJob, pk, services.run_embedding_job)


@shared_task(name="corpora.retrieve")
def retrieve(pk: int) -> None:
    _work(Retrieval, pk, services.run_retrieval)


def start_import(
    *, corpus: Corpus, file: "File[Any]", file_name: str, created_by: AbstractBaseUser | None
) -> CorpusImport:
    staged = services.stage_import(corpus=corpus, file=file, file_name=file_name, created_by=created_by)
    _send_on_commit(CorpusImport, staged.pk)
    return staged


def start_confirmed_import(*, corpus_import: CorpusImport) -> bool:
    confirmed = services.confirm_import(corpus_import=corpus_import)
    if confirmed:
        _send_on_commit(CorpusImport, corpus_import.pk)
    return confirmed


def start_embedding(*, corpus: Corpus, model: EmbeddingModel) -> EmbeddingJob:
    job = services.queue_embedding(corpus=corpus, model=model)
    _send_on_commit(EmbeddingJob, job.pk)
    return job


def start_retrieval(*, corpus: Corpus, model: EmbeddingModel, query: str, top_n: int) -> Retrieval:
    retrieval = services.request_retrieval(corpus=corpus, model=model, query=query, top_n=top_n)
    _send_on_commit(Retrieval, retrieval.pk)
    return retrieval


def start_again(*, row: Leased) -> bool:
    """Put a failed or cancelled row back into its queue."""
    model = type(row)
    again = bool(retry(rows=model._default_manager.filter(pk=row.pk)))
    if again:
        _send_on_commit(model, row.pk)
    return again


def _work(model: type[Leased], pk: int, run: Callable[..., None]) -> None:
    """Run under the row's lease. What fails unexpectedly goes back to the queue, until its attempts are used up."""
    lease = claim(model=model, pk=pk)
    if lease is None:
        return
    try:
        try:
            run(lease=lease)
        except LeaseLost:
            raise
        except Exception as error:
            logger.exception("%s %d failed", model.__name__, pk)
            release(lease=lease, error=f"{type(error).__name__}: {error}")
    except LeaseLost:
        logger.info("%s %d was cancelled or taken over", model.__name__, pk)


_TASKS: dict[type[Leased], Any] = {CorpusImport: import_export, EmbeddingJob: embed, Retrieval: retrieve}


def _send_on_commit(model: type[Leased], pk: int) -> None:
    # Robust: where the broker is down the row stays queued, and the sweeper sends it once the broker is back.
    transaction.on_commit(lambda: _send(model, [pk]), robust=True)


def _send(model: type[Leased], pks: list[int]) -> None:
    sweeper.mark_sent(model=model, pks=pks)
    for pk in pks:
        _TASKS[model].delay(pk)


def _register() -> None:
    for model in _TASKS:
        sweeper.register(model=model, send=partial(_send, model))


_register()
