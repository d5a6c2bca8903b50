"""Generation by real workers over a real broker."""

import http.server
import json
import threading
import time
from decimal import Decimal

import pytest

from corpora.models import Corpus
from corpora.services import queue_embedding, register_packaged_models, run_embedding_job
from generation import tasks
from generation.models import Abstract, Batch, Run
from generation.services import (
    BatchSpec,
    plan_batch,
    register_language_model,
    register_language_models,
    register_prompts,
)
from leases.models import State
from leases.services import claim, claim_many
from leases.sweeper import sweep
from tests.factories import expire, make_corpus
from tests.workers import kill, start_worker

LEASE_SECONDS = 3


def until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, Run.objects.order_by("pk").values_list("state", "attempts", "error")
        time.sleep(0.1)


def make_spec(language_models, **changes):
    """A batch on two documents; built here since these tests commit."""
    corpus = Corpus.objects.first()
    if corpus is None:
        bodies = [
            "Thickened tailings settle slowly in deep cones. Flocculants bridge the fine particles.",
            "Filtered tailings can be stacked without a dam. The water can be used again in the mill.",
        ]
        corpus = make_corpus(bodies=bodies)
        job = queue_embedding(corpus=corpus, model=register_packaged_models()[0])
        run_embedding_job(lease=claim(model=type(job), pk=job.pk))
    defaults = {
        "name": "Settling",
        "corpus": corpus,
        "language_models": language_models,
        "prompts": register_prompts()[:1],
        "embedding_models": register_packaged_models()[:1],
        "temperatures": [Decimal("0.1"), Decimal("0.7")],
        "queries": ["How do tailings settle?"],
        "iterations": 4,
        "top_n": 2,
        "seed": 7,
    }
    return BatchSpec(**(defaults | changes))


def test_a_launched_batch_is_written_by_the_workers(celery_worker_process):
    batch = plan_batch(spec=make_spec(register_language_models()[:1]))
    assert tasks.start_batch(batch=batch)
    until(lambda: not Run.objects.exclude(state=State.DONE).exists())
    assert Abstract.objects.count() == 8
    assert batch.cells.values("retrieval").distinct().count() == 1
    assert set(Run.objects.values_list("attempts", flat=True)) == {1}


def test_a_paused_batch_goes_on_when_resumed(celery_worker_process):
    batch = plan_batch(spec=make_spec(register_language_models()[:1]))
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.PAUSED)
    Run.objects.update(sent_at=None)
    sweep()
    time.sleep(1)
    assert not Abstract.objects.exists()
    assert tasks.start_resumed_batch(batch=batch)
    until(lambda: Abstract.objects.count() == 8)


@pytest.fixture
def slow_server():
    """A server that speaks chat completions, counts what it is asked and holds answers back until it may give them."""
    asked, may_answer = [], threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(body["seed"])
            if not may_answer.is_set() and len(asked) > 4:
                may_answer.wait(60)
            message = {"role": "assistant", "content": f"Abstract: a text of seed {body['seed']}."}
            answer = json.dumps({"model": "slow", "choices": [{"message": message, "finish_reason": "stop"}]}).encode()
            try:
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
            except BrokenPipeError:
                pass  # whoever asked was killed

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1", asked, may_answer
    may_answer.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def quiet_gpu_queue():
    """The workers of other tests, where there are any, leave the queue to the workers of this one."""
    from config.celery import app

    app.control.purge()
    app.control.cancel_consumer("gpu", reply=True, timeout=2)
    yield
    app.control.purge()
    app.control.add_consumer("gpu", reply=True, timeout=2)


def test_a_worker_killed_in_mid_batch_neither_loses_nor_doubles_a_run(
    transactional_db, test_environment, quiet_gpu_queue, slow_server, tmp_path, settings
):
    settings.LEASE_SECONDS, settings.SWEEP_SECONDS = LEASE_SECONDS, 0

    def start():
        return start_worker(
            queues="gpu",
            environment=test_environment,
            folder=tmp_path,
            is_alone=False,
            LEASE_SECONDS=str(LEASE_SECONDS),
        )

    address, asked, may_answer = slow_server
    options = {"base_url": address, "model": "slow", "group_size": 3, "concurrency": 1}
    model = register_language_model(key="slow", revision="1", backend="openai", name="Slow", options=options)
    batch = plan_batch(spec=make_spec([model], temperatures=[Decimal(0)], iterations=6))
    first = start()
    try:
        tasks.start_batch(batch=batch)
        # The first group of three is stored; the server holds the answer to the second run of the next group.
        until(lambda: len(asked) == 5)
    finally:
        kill(first)
    assert Abstract.objects.count() == 3
    assert Run.objects.filter(state=State.RUNNING).count() == 3
    may_answer.set()
    second = start()
    try:

        def all_done():
            sweep()
            return not Run.objects.exclude(state=State.DONE).exists()

        until(all_done)
    finally:
        kill(second)
    assert Abstract.objects.count() == 6
    assert sorted(Run.objects.values_list("attempts", flat=True)) == [1, 1, 1, 2, 2, 2]
    bodies = set(Abstract.objects.values_list("text__body", flat=True))
    assert bodies == {f"a text of seed {seed}." for seed in Run.objects.values_list("seed", flat=True)}


@pytest.fixture
def sent(monkeypatch):
    """The cells that messages were sent for."""
    cells = []
    monkeypatch.setattr(tasks.generate, "delay", cells.append)
    return cells


def launched(**changes):
    batch = plan_batch(spec=make_spec(register_language_models()[:1], **changes))
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.LAUNCHED)
    return batch


@pytest.mark.django_db
def test_the_sweeper_sends_a_cell_once_for_all_its_lost_runs(sent):
    batch = launched()
    sweep()
    assert sent == list(batch.cells.order_by("pk").values_list("pk", flat=True))
    sent.clear()
    sweep()
    assert sent == []


@pytest.mark.django_db
def test_the_sweeper_leaves_drafts_and_paused_batches_alone(sent):
    batch = launched()
    for state in (Batch.State.DRAFT, Batch.State.PAUSED, Batch.State.CANCELLED):
        Batch.objects.filter(pk=batch.pk).update(state=state)
        sweep()
    assert sent == []


@pytest.mark.django_db
def test_while_workers_write_a_waiting_run_is_not_taken_for_lost(sent, settings):
    settings.SWEEP_SECONDS = 0
    batch = launched()
    first, second = batch.cells.order_by("pk")
    sweep()
    sent.clear()
    claim_many(model=Run, pks=list(first.runs.values_list("pk", flat=True)))
    sweep()
    assert sent == []
    for run in first.runs.all():
        expire(run)
    sweep()
    assert sent == [first.pk, second.pk]


@pytest.mark.django_db
def test_a_cell_with_more_free_runs_is_sent_again(sent, monkeypatch):
    answers = iter([True, False])
    monkeypatch.setattr(tasks.services, "generate_group", lambda **_: next(answers))
    tasks.generate(7)
    assert sent == [7]
    tasks.generate(7)
    assert sent == [7]
