"""Ask a corpus for the documents nearest to a query, and freeze the answer."""

import time

from django.db import transaction
from django.db.models.functions import Now

from corpora.embedding import EmbedderUnavailable
from corpora.models import Corpus, Document, EmbeddingModel, Retrieval, Retrieved
from corpora.selectors import NotEmbedded, nearest_documents, pending_documents, reusable_retrieval
from corpora.selectors.nearest import Neighbour
from corpora.services.embedding import load_for
from leases.models import State
from leases.services import Lease, assert_held, fail, finish, heartbeat


def retrieve(
    *, corpus: Corpus, model: EmbeddingModel, query: str, top_n: int, reuse: bool = False, partial: bool = False
) -> Retrieval:
    """Retrieve at once, in the calling worker, and freeze the list.

    Each call makes a list of its own, as a batch wants it; with `reuse` an earlier finished list for the same corpus,
    model, query and `top_n` is given back instead. Unless `partial`, every document must have its vector, since a list
    from half a corpus is a list from another corpus.

    Raises
    ------
    NotEmbedded
        Where vectors are missing.
    EmbedderUnavailable
        Where the model cannot run in this process.
    """
    if reuse and (earlier := reusable_retrieval(corpus=corpus, model=model, query=query, top_n=top_n)):
        return earlier
    if not partial and (pending := pending_documents(corpus_id=corpus.pk, model_id=model.pk).count()):
        documents = Document.objects.filter(corpus=corpus).count()
        raise NotEmbedded(
            f"{pending} of {documents} documents of {corpus} lack a vector under {model}: embed it first."
        )
    neighbours, seconds = _neighbours(corpus, model, query, top_n)
    with transaction.atomic():
        retrieval = Retrieval.objects.create(
            corpus=corpus,
            model=model,
            query=query,
            top_n=top_n,
            state=State.DONE,
            seconds=seconds,
            finished_at=Now(),
        )
        _freeze(retrieval, neighbours)
    return retrieval


def request_retrieval(*, corpus: Corpus, model: EmbeddingModel, query: str, top_n: int = 5) -> Retrieval:
    """Queue a retrieval for a worker that holds the model."""
    return Retrieval.objects.create(corpus=corpus, model=model, query=query, top_n=top_n)


def run_retrieval(*, lease: Lease) -> None:
    """What a worker does with a leased retrieval; it answers from the vectors there are."""
    retrieval = Retrieval.objects.select_related("corpus", "model").get(pk=lease.pk)
    with heartbeat(lease):
        try:
            neighbours, seconds = _neighbours(retrieval.corpus, retrieval.model, retrieval.query, retrieval.top_n)
        except (NotEmbedded, EmbedderUnavailable, ValueError) as error:
            fail(lease=lease, error=str(error))
            return
        with transaction.atomic():
            assert_held(lease=lease)
            _freeze(retrieval, neighbours)
            finish(lease=lease, seconds=seconds)


def _neighbours(corpus: Corpus, model: EmbeddingModel, query: str, top_n: int) -> tuple[list[Neighbour], float]:
    """The documents, and the seconds it took once the model was loaded."""
    embedder = load_for(model=model)
    started = time.monotonic()
    found = nearest_documents(corpus=corpus, model=model, vector=embedder.embed_query(query), top_n=top_n)
    return found, time.monotonic() - started


def _freeze(retrieval: Retrieval, neighbours: list[Neighbour]) -> None:
    Retrieved.objects.bulk_create(
        [
            Retrieved(
                retrieval=retrieval,
                rank=neighbour.rank,
                similarity=neighbour.similarity,
                document_id=neighbour.document_id,
                text_id=neighbour.text_id,
            )
            for neighbour in neighbours
        ]
    )
