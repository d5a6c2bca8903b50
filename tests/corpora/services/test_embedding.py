"""Jobs that give documents their vectors: in batches, resumable, fenced, and with one index a model."""

import threading

import numpy as np
import pytest
from django.db import DataError, connection

from corpora import embedding
from corpora.models import Embedding, EmbeddingJob
from corpora.services import embedding as service
from corpora.services import ensure_index, queue_embedding, run_embedding_job
from corpora.services.vector_index import index_name
from leases.models import State
from leases.services import LeaseLost, cancel, claim
from tests.factories import make_corpus, make_embedding_model

pytestmark = pytest.mark.django_db


class CountingEmbedder:
    """Eight numbers from the text itself; notes how often it is called."""

    dimensions = 8

    def __init__(self):
        self.batches = []

    def embed_documents(self, texts):
        self.batches.append(len(texts))
        return embedding.unit_vectors(np.array([np.frombuffer(t.encode().ljust(8)[:8], np.uint8) for t in texts]))

    def embed_query(self, text):
        return self.embed_documents([text])[0]


@pytest.fixture
def embedder(monkeypatch):
    embedder = CountingEmbedder()
    monkeypatch.setattr(service, "load_embedder", lambda spec: embedder)
    return embedder


@pytest.fixture
def corpus():
    return make_corpus(bodies=[f"Tailings {number}" for number in range(150)])


@pytest.fixture
def model():
    return make_embedding_model()


def run(job):
    run_embedding_job(lease=claim(model=EmbeddingJob, pk=job.pk))
    job.refresh_from_db()


def test_embeds_all_in_batches(corpus, model, embedder):
    job = queue_embedding(corpus=corpus, model=model)
    assert (job.done, job.total) == (0, 150)
    run(job)
    assert (job.state, job.done, job.total) == (State.DONE, 150, 150)
    assert embedder.batches == [64, 64, 22]
    assert Embedding.objects.filter(model=model).count() == 150


def test_only_what_has_no_vector_yet(corpus, model, embedder):
    run(queue_embedding(corpus=corpus, model=model))
    Embedding.objects.filter(document__in=corpus.documents.all()[:10]).delete()
    other = make_corpus(name="Other", bodies=["Another text"])
    embedder.batches.clear()
    job = queue_embedding(corpus=corpus, model=model)
    assert (job.done, job.total) == (140, 150)
    run(job)
    assert embedder.batches == [10]
    assert not Embedding.objects.filter(document__corpus=other).exists()


def test_progress_gives_a_job_its_attempts_back(corpus, model, embedder):
    job = queue_embedding(corpus=corpus, model=model)
    EmbeddingJob.objects.filter(pk=job.pk).update(attempts=EmbeddingJob.MAX_ATTEMPTS - 1)
    run(job)
    assert (job.state, job.attempts) == (State.DONE, 0)


def test_a_second_request_gets_the_job_that_waits(corpus, model):
    assert queue_embedding(corpus=corpus, model=model) == queue_embedding(corpus=corpus, model=model)


def test_a_cancelled_job_keeps_what_is_stored_and_writes_no_more(corpus, model, embedder, monkeypatch):
    job = queue_embedding(corpus=corpus, model=model)
    original = embedder.embed_documents

    def cancel_after_two(texts):
        if len(embedder.batches) == 2:
            cancel(rows=EmbeddingJob.objects.filter(pk=job.pk))
        return original(texts)

    monkeypatch.setattr(embedder, "embed_documents", cancel_after_two)
    with pytest.raises(LeaseLost):
        run(job)
    job.refresh_from_db()
    assert (job.state, job.done) == (State.CANCELLED, 128)
    assert Embedding.objects.count() == 128


def test_a_model_that_cannot_run_fails_the_job_with_the_remedy(corpus, model, monkeypatch):
    def refuse(spec):
        raise embedding.EmbedderUnavailable("torch is not installed on this worker: run `make models` there.")

    monkeypatch.setattr(service, "load_embedder", refuse)
    job = queue_embedding(corpus=corpus, model=model)
    run(job)
    assert job.state == State.FAILED
    assert "make models" in job.error


def test_a_model_of_other_dimensions_is_refused(corpus, embedder):
    job = queue_embedding(corpus=corpus, model=make_embedding_model(key="wide", dimensions=16))
    run(job)
    assert job.state == State.FAILED
    assert "8 dimensions" in job.error
    assert "16" in job.error


def test_a_text_without_direction_fails_the_job(corpus, model, embedder, monkeypatch):
    monkeypatch.setattr(embedder, "embed_documents", lambda texts: embedding.unit_vectors(np.zeros((len(texts), 8))))
    job = queue_embedding(corpus=corpus, model=model)
    run(job)
    assert job.state == State.FAILED
    assert "no direction" in job.error


def has_index(model):
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = %s", [index_name(model=model)])
        return cursor.fetchall()


@pytest.mark.django_db(transaction=True)
def test_the_index_is_built_once_by_workers_that_ask_together():
    model = make_embedding_model()
    failures = []

    def ask():
        try:
            ensure_index(model=model)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    ((definition,),) = has_index(model)
    assert "hnsw" in definition
    assert f"model_id = {model.pk}" in definition
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX {index_name(model=model)}")


@pytest.mark.django_db(transaction=True)
def test_an_index_whose_build_failed_is_built_anew():
    model = make_embedding_model()
    document = make_corpus().documents.get()
    wrong = Embedding.objects.create(document=document, model=model, vector=[1.0, 2.0])
    with pytest.raises(DataError):
        ensure_index(model=model)
    assert has_index(model), "PostgreSQL keeps the index of a failed build, marked as invalid"
    wrong.delete()
    ensure_index(model=model)
    with connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = %s::regclass", [index_name(model=model)])
        assert cursor.fetchone() == (True,)
        cursor.execute(f"DROP INDEX {index_name(model=model)}")
