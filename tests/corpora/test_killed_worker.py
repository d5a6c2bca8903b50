"""A worker that is killed in the middle of embedding a corpus neither loses nor doubles a vector."""

import time

import pytest

from corpora.models import Corpus, Document, Embedding, Text
from corpora.services import queue_embedding, register_packaged_models
from leases.models import State
from tests.workers import kill, start_worker

DOCUMENTS = 2500
SENTENCE = "Thickened tailings settle slowly while froth depth, pulp density and collector dosage govern recovery. "


@pytest.fixture
def start(transactional_db, test_environment, tmp_path):
    workers = []

    def start():
        workers.append(start_worker(queues="gpu,io", environment=test_environment, folder=tmp_path))
        return workers[-1]

    yield start
    for worker in workers:
        kill(worker)


def wait_until(reached, job, seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        job.refresh_from_db()
        if reached(job):
            return
        time.sleep(0.05)
    pytest.fail(f"the job is {job.state} at {job.done} of {job.total}, attempt {job.attempts}: {job.error}")


def test_embedding_survives_its_worker(start):
    corpus = Corpus.objects.create(name="Large")
    bodies = [f"Paper {number}. {SENTENCE * 6}" for number in range(DOCUMENTS)]
    texts = Text.objects.bulk_create(Text(sha256=Text.digest(body), body=body) for body in bodies)
    Document.objects.bulk_create(
        Document(corpus=corpus, text=text, title=text.body[:20], doi=f"10.5555/{number}")
        for number, text in enumerate(texts)
    )
    model = next(model for model in register_packaged_models() if model.backend == "wordllama")
    job = queue_embedding(corpus=corpus, model=model)

    first = start()
    wait_until(lambda job: job.done >= 128, job)
    kill(first)
    job.refresh_from_db()
    assert job.state == State.RUNNING, "it was killed in the middle"
    assert 0 < job.done < DOCUMENTS
    kept = dict(Embedding.objects.values_list("document_id", "pk"))
    assert len(kept) == job.done, "progress and vectors are stored together"

    start()
    wait_until(lambda job: job.state == State.DONE, job)
    assert (job.done, job.total) == (DOCUMENTS, DOCUMENTS)
    assert job.lease_token == 2, "claimed once by each worker"
    stored = dict(Embedding.objects.filter(model=model).values_list("document_id", "pk"))
    assert len(stored) == Embedding.objects.count() == DOCUMENTS
    assert kept.items() <= stored.items(), "what the first worker stored was not embedded again"
