"""The sweeper sends again what nobody works on, and only that."""

import pytest

from corpora.models import EmbeddingJob
from leases import services, sweeper
from tests.factories import expire, make_corpus, make_embedding_model

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    sent: list[int] = []
    monkeypatch.setattr(sweeper, "_senders", [(EmbeddingJob, EmbeddingJob.objects.all, sent.extend)])
    monkeypatch.setattr(sweeper, "_finders", [])
    return sent


def make_job(name: str) -> EmbeddingJob:
    return EmbeddingJob.objects.create(corpus=make_corpus(name=name), model=make_embedding_model())


def test_queued_and_expired_rows_are_sent_and_live_and_finished_ones_are_not(sent: list[int]) -> None:
    queued, expired, alive, done = (make_job(name) for name in ("queued", "expired", "alive", "done"))
    for job in (expired, alive, done):
        lease = services.claim(model=EmbeddingJob, pk=job.pk)
        assert lease is not None
        if job is done:
            services.finish(lease=lease)
    expire(expired)
    assert sweeper.sweep() == {"EmbeddingJob": 2}
    assert sorted(sent) == sorted([queued.pk, expired.pk])


def test_a_row_sent_a_moment_ago_is_left_alone(sent: list[int]) -> None:
    make_job("queued")
    sweeper.sweep()
    sweeper.sweep()
    assert len(sent) == 1


def test_a_finder_in_trouble_does_not_stop_the_sweep(sent: list[int], caplog: pytest.LogCaptureFixture) -> None:
    def stumble() -> None:
        raise ValueError("no")

    sweeper.register_finder(stumble)
    job = make_job("queued")
    sweeper.sweep()
    assert sent == [job.pk]
    assert "could not look for new work" in caplog.text
