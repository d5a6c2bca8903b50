"""Register embedding models and give the documents of a corpus their vectors."""

from django.db import IntegrityError, transaction

from corpora.embedding import PACKAGED_MODELS, Embedder, EmbedderUnavailable, ModelSpec, load_embedder
from corpora.models import Corpus, Document, Embedding, EmbeddingJob, EmbeddingModel
from corpora.selectors import pending_documents
from corpora.services.vector_index import ensure_index
from leases.models import State
from leases.services import Lease, assert_held, fail, finish, heartbeat

BATCH = 64


def register_embedding_model(
    *,
    key: str,
    revision: str,
    backend: str,
    name: str,
    dimensions: int,
    location: str = "",
    trust_remote_code: bool = False,
) -> EmbeddingModel:
    """The model under this key and revision, added where it is new; the first job that uses it builds its index."""
    return EmbeddingModel.objects.get_or_create(
        key=key,
        revision=revision,
        defaults={
            "backend": backend,
            "name": name,
            "dimensions": dimensions,
            "location": location,
            "trust_remote_code": trust_remote_code,
        },
    )[0]


def register_packaged_models() -> list[EmbeddingModel]:
    """Rows for the models that come with the installation."""
    return [
        register_embedding_model(
            key=model.key,
            revision=model.revision,
            backend=model.backend,
            name=model.name,
            dimensions=model.dimensions,
        )
        for model in PACKAGED_MODELS
    ]


def load_for(*, model: EmbeddingModel) -> Embedder:
    """The loaded model, which must have the dimensions it was registered with. Raises EmbedderUnavailable."""
    embedder = load_embedder(
        ModelSpec(
            backend=model.backend,
            revision=model.revision,
            location=model.location,
            trust_remote_code=model.trust_remote_code,
        )
    )
    if embedder.dimensions != model.dimensions:
        raise EmbedderUnavailable(
            f"{model.name} gives vectors of {embedder.dimensions} dimensions, but was registered with "
            f"{model.dimensions}. Register it again under another revision."
        )
    return embedder


def queue_embedding(*, corpus: Corpus, model: EmbeddingModel) -> EmbeddingJob:
    """A job for the documents without a vector; where one waits or runs already, that one."""
    pending = pending_documents(corpus_id=corpus.pk, model_id=model.pk).count()
    embedded = Document.objects.filter(corpus=corpus).count() - pending
    try:
        with transaction.atomic():
            return EmbeddingJob.objects.create(corpus=corpus, model=model, done=embedded, total=embedded + pending)
    except IntegrityError:
        return EmbeddingJob.objects.get(corpus=corpus, model=model, state__in=[State.QUEUED, State.RUNNING])


def run_embedding_job(*, lease: Lease) -> None:
    """What a worker does with a leased job: batch by batch, each stored with the progress it makes.

    Only documents without a vector are read, so a job that was interrupted goes on where it stopped.
    """
    job = EmbeddingJob.objects.select_related("model").get(pk=lease.pk)
    with heartbeat(lease):
        try:
            embedder = load_for(model=job.model)
        except EmbedderUnavailable as error:
            fail(lease=lease, error=str(error))
            return
        ensure_index(model=job.model)
        done = Embedding.objects.filter(document__corpus_id=job.corpus_id, model_id=job.model_id).count()
        while batch := _next_batch(job):
            try:
                vectors = embedder.embed_documents([body for _, body in batch])
            except ValueError as error:
                first, last = batch[0][0], batch[-1][0]
                fail(lease=lease, error=f"Documents {first} to {last}: {error}.")
                return
            rows = [
                Embedding(document_id=document, model_id=job.model_id, vector=vector)
                for (document, _), vector in zip(batch, vectors, strict=True)
            ]
            done += len(rows)
            with transaction.atomic():
                assert_held(lease=lease)
                Embedding.objects.bulk_create(rows, ignore_conflicts=True)
                # A job that makes progress is not what kills its workers, however often they are restarted.
                EmbeddingJob.objects.filter(pk=job.pk).update(done=done, total=max(job.total, done), attempts=0)
        with transaction.atomic():
            finish(lease=lease, done=done, total=done)


def _next_batch(job: EmbeddingJob) -> list[tuple[int, str]]:
    pending = pending_documents(corpus_id=job.corpus_id, model_id=job.model_id)
    return list(pending.order_by("pk").values_list("pk", "text__body")[:BATCH])
