"""What a worker does: claim a group of a cell's runs, write their texts together, store each on its own."""

import logging
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import transaction

from corpora.embedding import EmbedderUnavailable
from corpora.models import Retrieved, Text
from corpora.selectors import NotEmbedded
from generation.models import Abstract, Batch, Cell, Run
from generation.science.backends.protocol import Backend, Failure, OptionsError, Outcome, Output, Request
from generation.science.backends.registry import available, load
from generation.science.cleaning import clean_abstract
from generation.science.messages import Source, render_messages
from generation.services.provenance import cell_provenance, run_provenance
from generation.services.retrievals import ensure_retrieval
from leases.services import Lease, LeaseLost, assert_held, claim_many, fail, finish, heartbeat, release

logger = logging.getLogger(__name__)


class CannotGenerate(Exception):
    """No run of the cell can be done until a person has changed something; the message says what."""


def generate_group(*, cell_id: int) -> bool:
    """Generate one group of a cell's free runs; whether more may be free.

    Nothing is claimed unless the batch is launched. A failure belongs to the run that had it: the others are stored.
    """
    related = ("batch__corpus", "language_model", "prompt", "embedding_model", "retrieval")
    cell = Cell.objects.select_related(*related).filter(pk=cell_id, batch__state=Batch.State.LAUNCHED).first()
    if cell is None:
        return False
    try:
        backend = _load(cell)
        size = backend.group_size
    except CannotGenerate as error:
        backend, size, reason = None, cell.batch.iterations, str(error)
    free = Run.objects.filter(cell=cell).claimable().order_by("iteration")
    leases = claim_many(model=Run, pks=list(free.values_list("pk", flat=True)[:size]))
    if not leases:
        return False
    if backend is None:
        _give_up(leases, reason)
    else:
        with heartbeat(*leases):
            _generate(cell, backend, leases)
    return bool(free.exists())


def _load(cell: Cell) -> Backend:
    model = cell.language_model
    state = available(model.backend, model.options)
    if not state.can_run:
        raise CannotGenerate(f"{model} cannot run on this worker: {state.reason}. {state.remedy}")
    try:
        return load(model.backend, model.options, cache=settings.STATE_DIR / "models")
    except OptionsError as error:
        raise CannotGenerate(f"{model}: {error}") from error


def _generate(cell: Cell, backend: Backend, leases: Sequence[Lease]) -> None:
    seeds = dict(Run.objects.filter(pk__in=[lease.pk for lease in leases]).values_list("pk", "seed"))
    try:
        request, retrieved = _request(cell)
        outcomes = backend.generate(request, [seeds[lease.pk] for lease in leases])
        common = cell_provenance(cell=cell, request=request, retrieved=retrieved, model=backend.describe())
    except (CannotGenerate, NotEmbedded, EmbedderUnavailable) as error:
        _give_up(leases, str(error))
    except Exception as error:
        # Unknown, so perhaps passing: back to the queue, until the attempts are used up.
        logger.exception("cell %d could not be generated", cell.pk)
        for lease in leases:
            _quietly(release, lease=lease, error=f"{type(error).__name__}: {error}"[:2000])
    else:
        for lease, outcome in zip(leases, outcomes, strict=True):
            _quietly(_store, lease=lease, outcome=outcome, common=common)


def _request(cell: Cell) -> tuple[Request, list[Retrieved]]:
    retrieval = ensure_retrieval(cell=cell)
    retrieved = list(retrieval.retrieved.select_related("document", "text").order_by("rank"))
    if not retrieved:
        raise CannotGenerate("nothing was retrieved for the query: is the corpus empty?")
    sources = tuple(Source(row.document.title, row.text.body) for row in retrieved)
    request = Request(
        messages=render_messages(cell.prompt, query=cell.query, sources=sources),
        query=cell.query,
        sources=sources,
        temperature=float(cell.temperature),
        max_new_tokens=cell.batch.max_new_tokens,
    )
    return request, retrieved


def _store(*, lease: Lease, outcome: Outcome, common: dict[str, Any]) -> None:
    if isinstance(outcome, Failure):
        (release if outcome.is_transient else fail)(lease=lease, error=outcome.error)
        return
    store_abstract(lease=lease, output=outcome, common=common)


def store_abstract(*, lease: Lease, output: Output, common: dict[str, Any]) -> None:
    """The abstract, its text and its provenance, with the run done: all of it or nothing, and only under the lease."""
    # PostgreSQL stores no NUL characters.
    raw = output.text.replace("\x00", "")
    cleaned = clean_abstract(raw)
    if not cleaned.text:
        fail(lease=lease, error=f"the model wrote no abstract; its output was {raw[:200]!r}")
        return
    with transaction.atomic():
        assert_held(lease=lease)
        run = Run.objects.get(pk=lease.pk)
        Abstract.objects.create(
            run=run,
            text_id=Text.objects.intern([cleaned.text])[cleaned.text],
            raw_output=raw,
            provenance=run_provenance(common=common, run=run, output=output, cleaned=cleaned),
        )
        finish(lease=lease)


def _give_up(leases: Sequence[Lease], error: str) -> None:
    for lease in leases:
        _quietly(fail, lease=lease, error=error)


def _quietly(write: Any, *, lease: Lease, **arguments: Any) -> None:
    """A lost lease means that the run was cancelled or is another worker's by now: drop what we hold."""
    try:
        write(lease=lease, **arguments)
    except LeaseLost:
        logger.info("run %d was cancelled or taken over", lease.pk)
