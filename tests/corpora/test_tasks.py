"""Tasks under their leases: what fails goes back, what is cancelled is dropped, what the broker lost is sent again."""

import pytest
from django.core.files.base import ContentFile

from corpora import tasks
from corpora.models import CorpusImport, EmbeddingJob, Retrieval
from corpora.services import queue_embedding, request_retrieval, stage_import
from leases import sweeper
from leases.models import State
from leases.services import cancel
from tests.factories import make_corpus, make_embedding_model

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def job():
    return queue_embedding(corpus=make_corpus(), model=make_embedding_model())


@pytest.fixture
def sent(monkeypatch):
    """What would go to the broker."""
    sent = []
    for model, task in tasks._TASKS.items():
        monkeypatch.setattr(task, "delay", lambda pk, model=model: sent.append((model, pk)))
    return sent


def test_an_unexpected_failure_gives_the_row_back_until_its_attempts_are_used_up(job, monkeypatch):
    def break_down(lease):
        raise OSError("disk full")

    monkeypatch.setattr(tasks.services, "run_embedding_job", break_down)
    tasks.embed(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == (State.QUEUED, 1, "OSError: disk full")
    for _ in range(EmbeddingJob.MAX_ATTEMPTS):
        tasks.embed(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (State.FAILED, "OSError: disk full")


def test_a_job_cancelled_while_it_runs_is_dropped(job, monkeypatch):
    def run_on(lease):
        cancel(rows=EmbeddingJob.objects.filter(pk=job.pk))
        raise OSError("too late")

    monkeypatch.setattr(tasks.services, "run_embedding_job", run_on)
    tasks.embed(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (State.CANCELLED, "")


def test_a_message_that_comes_twice_does_nothing(job, monkeypatch):
    calls = []
    monkeypatch.setattr(tasks.services, "run_embedding_job", lambda lease: calls.append(lease))
    tasks.embed(job.pk)
    tasks.embed(job.pk)
    assert len(calls) == 1


def test_messages_are_sent_when_the_row_is_committed(sent, django_capture_on_commit_callbacks):
    corpus, model = make_corpus(), make_embedding_model()
    with django_capture_on_commit_callbacks(execute=True):
        job = tasks.start_embedding(corpus=corpus, model=model)
        assert sent == []
    with django_capture_on_commit_callbacks(execute=True):
        row = tasks.start_import(corpus=corpus, file=ContentFile(b"x", "a.csv"), file_name="a.csv", created_by=None)
        retrieval = tasks.start_retrieval(corpus=corpus, model=model, query="How?", top_n=3)
    assert sent == [(EmbeddingJob, job.pk), (CorpusImport, row.pk), (Retrieval, retrieval.pk)]
    job.refresh_from_db()
    assert job.sent_at


def test_rows_that_the_broker_lost_are_sent_again(job, sent):
    row = stage_import(corpus=job.corpus, file=ContentFile(b"x", "a.csv"), file_name="a.csv")
    retrieval = request_retrieval(corpus=job.corpus, model=job.model, query="How?")
    done = queue_embedding(corpus=make_corpus(name="Done"), model=job.model)
    EmbeddingJob.objects.filter(pk=done.pk).update(state=State.DONE)
    sweeper.sweep()
    assert set(sent) == {(EmbeddingJob, job.pk), (CorpusImport, row.pk), (Retrieval, retrieval.pk)}


def test_a_failed_row_starts_again_only_once(job, sent, django_capture_on_commit_callbacks):
    assert not tasks.start_again(row=job)
    EmbeddingJob.objects.filter(pk=job.pk).update(state=State.FAILED)
    with django_capture_on_commit_callbacks(execute=True):
        assert tasks.start_again(row=job)
        assert not tasks.start_again(row=job)
    assert sent == [(EmbeddingJob, job.pk)]
