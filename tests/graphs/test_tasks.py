"""Scoring through a real broker and real workers, one of which is killed in the middle."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db.models import Count
from django.db.models.functions import Now

from corpora.models import Text
from graphs import services, tasks
from graphs.models import NullChunk, NullComparison, Profile, Score, ScoringJob
from graphs.science.null_comparison import compare_score_with_null
from graphs.science.scoring import score_text
from kappagraph.demo import keeper, stack
from kappagraph.demo.processes import Child
from leases import sweeper
from leases.models import State
from tests import workers
from tests.factories import make_abstract, make_cell, make_corpus, make_retrieval, make_text
from tests.graphs.texts import sentences


def wait_until(condition: Callable[[], bool], *, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)


@pytest.mark.django_db
def test_starting_sends_a_message_a_job_after_the_commit(
    django_capture_on_commit_callbacks, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    sent: list[int] = []
    monkeypatch.setattr(tasks.score, "delay", sent.append)
    monkeypatch.setattr("graphs.services.planning.TEXTS_PER_JOB", 2)
    texts = [make_text(sentences(seed=seed)).pk for seed in range(3)]
    with django_capture_on_commit_callbacks(execute=True):
        jobs = tasks.start_scoring(text_ids=texts)
        assert sent == []
    assert sent == [job.pk for job in jobs]
    assert not ScoringJob.objects.filter(sent_at=None).exists()


@pytest.mark.django_db
def test_the_sweeper_scores_and_profiles_what_nobody_queued(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "send", [].extend)
    references = make_retrieval(corpus=make_corpus(bodies=[sentences(words=40, seed=seed) for seed in range(3)]))
    abstract = make_abstract(body=sentences(words=40, seed=9), cell=make_cell(retrieval=references))
    tasks.find_unscored()
    tasks.find_unscored()
    job = ScoringJob.objects.get()
    assert job.total == 4
    services.score_texts(text_ids=job.text_ids, settings=job.settings)
    tasks.find_unscored()
    assert Profile.objects.get().abstract == abstract


def test_a_worker_scores_and_profiles_an_abstract(celery_worker_process) -> None:  # type: ignore[no-untyped-def]
    references = make_retrieval(corpus=make_corpus(bodies=[sentences(words=40, seed=seed) for seed in range(3)]))
    abstract = make_abstract(body=sentences(words=40, seed=9), cell=make_cell(retrieval=references))
    texts = [abstract.text_id, *references.retrieved.values_list("text_id", flat=True)]
    tasks.start_scoring(text_ids=texts)
    wait_until(lambda: ScoringJob.objects.get().state == State.DONE)
    assert Score.objects.count() == 4
    assert Profile.objects.get().abstract == abstract


@pytest.fixture
def start_worker(
    transactional_db: None, test_environment: dict[str, str], tmp_path: Path
) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Workers of the test's own, in process groups of their own, whose leases run out after a second."""
    from config.celery import app

    app.control.purge()
    started: list[subprocess.Popen[bytes]] = []

    def start(queue: str, **settings: str) -> subprocess.Popen[bytes]:
        settings = {"LEASE_SECONDS": "1"} | settings
        started.append(
            workers.start_worker(
                queues=queue, environment=test_environment, folder=tmp_path, is_alone=False, **settings
            )
        )
        return started[-1]

    yield start
    for worker in started:
        workers.kill(worker)


def test_a_killed_worker_loses_no_score_and_doubles_none(start_worker, settings) -> None:  # type: ignore[no-untyped-def]
    settings.SWEEP_SECONDS = 0
    texts = [make_text(sentences(words=5000, seed=seed)).pk for seed in range(200)]
    (job,) = services.plan_scoring(text_ids=texts, settings=services.ensure_default_settings())
    # A queue of its own: no other worker of this test run may take the message from the one to be killed.
    tasks.score.apply_async([job.pk], queue="doomed")
    first = start_worker("doomed")
    wait_until(lambda: Score.objects.exists())
    workers.kill(first)
    # Scores and the count of them are committed together, the last time perhaps just after the kill.
    wait_until(lambda: ScoringJob.objects.get().done == Score.objects.count())
    job.refresh_from_db()
    stored = set(Score.objects.values_list("pk", flat=True))
    assert job.state == State.RUNNING
    assert 0 < len(stored) < 200

    start_worker("cpu")
    wait_until(lambda: ScoringJob.objects.expired().exists())
    sweeper.sweep()
    wait_until(lambda: ScoringJob.objects.get().state == State.DONE)
    job.refresh_from_db()
    assert (job.done, job.attempts) == (200, 2)
    assert stored < set(Score.objects.values_list("pk", flat=True))
    assert not Text.objects.annotate(times=Count("scores")).exclude(times=1).exists()


def test_draws_of_a_killed_worker_are_made_again_and_nothing_else_is(start_worker, settings) -> None:  # type: ignore[no-untyped-def]
    settings.SWEEP_SECONDS = 0
    text = make_text(sentences(words=150))
    chunks = services.plan_null_comparisons(
        text_ids=[text.pk], settings=services.ensure_default_settings(), models=["swap"], draws=3000
    )
    for chunk in chunks:
        tasks.draw_null.apply_async([chunk], queue="doomed")
    first = start_worker("doomed")
    wait_until(lambda: NullChunk.objects.filter(state=State.DONE).exists())
    workers.kill(first)
    kept = dict(NullChunk.objects.filter(state=State.DONE).values_list("pk", "finished_at"))
    assert 0 < len(kept) < len(chunks)

    start_worker("cpu")
    wait_until(lambda: not NullChunk.objects.filter(state=State.RUNNING, lease_expires_at__gt=Now()).exists())
    sweeper.sweep()
    wait_until(lambda: NullComparison.objects.get().finished_at is not None)
    finished = dict(NullChunk.objects.values_list("pk", "finished_at"))
    assert {pk: finished[pk] for pk in kept} == kept
    expected = compare_score_with_null(score_text(text.body), "swap", draws=3000)
    stored = NullComparison.objects.get().metrics
    for key, each in expected.metrics.items():
        assert stored[key]["z"] == pytest.approx(each.z, rel=1e-6)
        assert stored[key]["p"] == pytest.approx(each.p)


@pytest.fixture
def broker() -> Iterator[tuple[Child, str]]:
    """A broker of the test's own, which forgets everything when it dies, and its address."""
    # Directly under /tmp: a socket's path may not be long.
    with tempfile.TemporaryDirectory(prefix="kappagraph-", dir="/tmp") as name:
        folder = Path(name)
        server = keeper.valkey(folder, "own")
        child = Child(stack.valkey(server, folder))
        child.spawn()
        child.wait_ready()
        yield child, server.url()
        child.kill()


def test_a_killed_broker_loses_no_score_and_doubles_none(start_worker, broker, settings) -> None:  # type: ignore[no-untyped-def]
    from config.celery import app

    settings.SWEEP_SECONDS = 0
    child, address = broker

    def send(job: int) -> None:
        with app.connection_for_write(address) as connection:
            tasks.score.apply_async([job], connection=connection)

    texts = [make_text(sentences(words=400, seed=seed)).pk for seed in range(600)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphs.services.planning.TEXTS_PER_JOB", 50)
        patch.setattr(tasks.score, "delay", send)
        assert len(tasks.start_scoring(text_ids=texts)) == 12
        start_worker("cpu", REDIS_URL=address)
        wait_until(lambda: Score.objects.exists())
        assert child.process
        os.killpg(child.process.pid, signal.SIGKILL)
        child.process.wait()
        # What the worker has in hand it finishes; the other messages are gone with the broker.
        child.spawn()
        child.wait_ready()
        wait_until(lambda: not ScoringJob.objects.filter(state=State.RUNNING).exists())
        assert ScoringJob.objects.filter(state=State.QUEUED).exists()
        sweeper.sweep()
        wait_until(lambda: not ScoringJob.objects.exclude(state=State.DONE).exists())
    assert Score.objects.count() == 600
    assert not Text.objects.annotate(times=Count("scores")).exclude(times=1).exists()
