"""Leases on a real job row: one owner at a time, late results refused, nothing left behind."""

import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now

from corpora.models import EmbeddingJob
from leases import services
from leases.models import State
from leases.services import LeaseLost
from tests.factories import expire, make_corpus, make_embedding_model

pytestmark = pytest.mark.django_db


def make_job() -> EmbeddingJob:
    return EmbeddingJob.objects.create(corpus=make_corpus(), model=make_embedding_model())


def test_a_claimed_row_runs_under_a_token_and_an_owner() -> None:
    job = make_job()
    lease = services.claim(model=EmbeddingJob, pk=job.pk)
    job.refresh_from_db()
    assert lease is not None
    assert (job.state, job.lease_token, job.attempts) == (State.RUNNING, lease.token, 1)
    assert job.lease_owner
    assert job.lease_expires_at is not None
    assert job.lease_expires_at > job.queued_at


def test_a_running_row_is_not_claimed_again() -> None:
    job = make_job()
    assert services.claim(model=EmbeddingJob, pk=job.pk)
    assert services.claim(model=EmbeddingJob, pk=job.pk) is None


def test_an_expired_lease_is_taken_over_and_the_late_result_is_refused() -> None:
    job = make_job()
    first = services.claim(model=EmbeddingJob, pk=job.pk)
    expire(job)
    second = services.claim(model=EmbeddingJob, pk=job.pk)
    assert first is not None
    assert second is not None
    assert second.token > first.token
    for write in (services.finish, services.renew, services.release):
        with pytest.raises(LeaseLost):
            write(lease=first)
    with transaction.atomic(), pytest.raises(LeaseLost):
        services.assert_held(lease=first)
    services.finish(lease=second, done=1)
    job.refresh_from_db()
    assert (job.state, job.done) == (State.DONE, 1)


def test_a_row_that_kills_its_worker_each_time_gives_up() -> None:
    job = make_job()
    for _ in range(EmbeddingJob.MAX_ATTEMPTS):
        assert services.claim(model=EmbeddingJob, pk=job.pk)
        expire(job)
    assert services.claim(model=EmbeddingJob, pk=job.pk) is None
    job.refresh_from_db()
    assert job.state == State.FAILED
    assert "died" in job.error
    assert job.finished_at is not None


def test_release_gives_the_row_back_with_its_reason() -> None:
    job = make_job()
    lease = services.claim(model=EmbeddingJob, pk=job.pk)
    assert lease is not None
    services.release(lease=lease, error="the server answered 503")
    job.refresh_from_db()
    assert (job.state, job.error) == (State.QUEUED, "the server answered 503")
    assert services.claim(model=EmbeddingJob, pk=job.pk)


def test_cancel_takes_the_lease_from_a_running_worker() -> None:
    job = make_job()
    lease = services.claim(model=EmbeddingJob, pk=job.pk)
    assert lease is not None
    assert services.cancel(rows=EmbeddingJob.objects.filter(pk=job.pk)) == 1
    with pytest.raises(LeaseLost):
        services.finish(lease=lease)


def test_retry_brings_a_failed_row_back_with_fresh_attempts() -> None:
    job = make_job()
    lease = services.claim(model=EmbeddingJob, pk=job.pk)
    assert lease is not None
    services.fail(lease=lease, error="no such model")
    assert services.retry(rows=EmbeddingJob.objects.all()) == 1
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == (State.QUEUED, 0, "")


def test_the_database_refuses_a_running_row_without_a_lease() -> None:
    job = make_job()
    with pytest.raises(IntegrityError, match="running_has_lease"), transaction.atomic():
        EmbeddingJob.objects.filter(pk=job.pk).update(state=State.RUNNING)


def test_the_database_refuses_an_unknown_state() -> None:
    job = make_job()
    with pytest.raises(IntegrityError, match="state_known"), transaction.atomic():
        EmbeddingJob.objects.filter(pk=job.pk).update(state="lost")


@pytest.mark.django_db(transaction=True)
def test_of_many_claims_at_once_exactly_one_wins() -> None:
    job = make_job()
    barrier = threading.Barrier(8)
    won: list[services.Lease] = []

    def compete() -> None:
        try:
            barrier.wait(10)
            lease = services.claim(model=EmbeddingJob, pk=job.pk)
            if lease:
                won.append(lease)
        finally:
            connection.close()

    threads = [threading.Thread(target=compete) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_keeps_a_lease_alive(settings) -> None:  # type: ignore[no-untyped-def]
    settings.LEASE_SECONDS = 0.3
    job = make_job()
    lease = services.claim(model=EmbeddingJob, pk=job.pk)
    assert lease is not None
    with services.heartbeat(lease):
        threading.Event().wait(0.8)
        assert EmbeddingJob.objects.filter(pk=job.pk, lease_expires_at__gt=Now()).exists()
    services.finish(lease=lease)
