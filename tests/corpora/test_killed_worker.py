"""A worker that is killed in the middle of embedding a corpus neither loses nor doubles a vector."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corpora.models import Corpus, Document, Embedding, Text
from corpora.services import queue_embedding, register_packaged_models
from kappagraph.demo.identity import dies_with_parent
from leases.models import State

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = 2500
SENTENCE = "Thickened tailings settle slowly while froth depth, pulp density and collector dosage govern recovery. "


@pytest.fixture
def start_worker(transactional_db, test_environment, tmp_path):
    """A worker with the sweeper in it, on a broker database of its own and with leases of seconds."""
    environment = test_environment | {
        "LEASE_SECONDS": "3",
        "SWEEP_SECONDS": "1",
        "REDIS_URL": re.sub(r"(virtual_host=)\d+|/\d+$", lambda m: f"{m[1] or '/'}7", test_environment["REDIS_URL"]),
    }
    workers = []

    def start():
        log = (tmp_path / f"worker-{len(workers)}.log").open("wb")
        command = [sys.executable, "-m", "celery", "-A", "config", "worker", "-B", "-s", str(tmp_path / "schedule")]
        options = ["-Q", "gpu,io", "--concurrency=1", "--without-mingle", "--without-gossip", "--loglevel=INFO"]
        worker = subprocess.Popen(
            [*dies_with_parent(signal.SIGKILL), *command, *options],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        workers.append(worker)
        return worker

    yield start
    for worker in workers:
        kill(worker)


def kill(worker):
    """The worker and its children at once, as a power cut or the kernel's out-of-memory killer would."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def wait_until(reached, job, seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        job.refresh_from_db()
        if reached(job):
            return
        time.sleep(0.05)
    pytest.fail(f"the job is {job.state} at {job.done} of {job.total}, attempt {job.attempts}: {job.error}")


def test_embedding_survives_its_worker(start_worker):
    corpus = Corpus.objects.create(name="Large")
    bodies = [f"Paper {number}. {SENTENCE * 6}" for number in range(DOCUMENTS)]
    texts = Text.objects.bulk_create(Text(sha256=Text.digest(body), body=body) for body in bodies)
    Document.objects.bulk_create(
        Document(corpus=corpus, text=text, title=text.body[:20], doi=f"10.5555/{number}")
        for number, text in enumerate(texts)
    )
    model = next(model for model in register_packaged_models() if model.backend == "wordllama")
    job = queue_embedding(corpus=corpus, model=model)

    first = start_worker()
    wait_until(lambda job: job.done >= 128, job)
    kill(first)
    job.refresh_from_db()
    assert job.state == State.RUNNING, "it was killed in the middle"
    assert 0 < job.done < DOCUMENTS
    kept = dict(Embedding.objects.values_list("document_id", "pk"))
    assert len(kept) == job.done, "progress and vectors are stored together"

    start_worker()
    wait_until(lambda job: job.state == State.DONE, job)
    assert (job.done, job.total) == (DOCUMENTS, DOCUMENTS)
    assert job.lease_token == 2, "claimed once by each worker"
    stored = dict(Embedding.objects.filter(model=model).values_list("document_id", "pk"))
    assert len(stored) == Embedding.objects.count() == DOCUMENTS
    assert kept.items() <= stored.items(), "what the first worker stored was not embedded again"
