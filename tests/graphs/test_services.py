"""A text is scored once under the same settings, whoever asks for it and how often."""

import threading

import pytest
from django.db import connection

from graphs import services
from graphs.models import Score, ScoreSettings, ScoringJob
from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.scoring import score_text
from graphs.science.settings import GraphSettings
from graphs.services import scoring
from leases.models import State
from leases.services import LeaseLost, cancel, claim
from tests.factories import expire, make_text
from tests.graphs.texts import sentences

pytestmark = pytest.mark.django_db


@pytest.fixture
def settings_row(db: None) -> ScoreSettings:
    return services.ensure_default_settings()


def make_texts(number: int, *, words: int = 30) -> list[int]:
    return [make_text(sentences(words=words, seed=seed)).pk for seed in range(number)]


def test_stored_scores_are_what_the_science_computes(settings_row: ScoreSettings) -> None:
    text = make_text(sentences(words=80))
    services.score_texts(text_ids=[text.pk], settings=settings_row)
    stored, expected = Score.objects.get(), score_text(text.body)
    assert {key: getattr(stored, key) for key in METRIC_KEYS} == expected.metrics.values()
    assert (stored.tokens, stored.nodes, stored.edges, stored.components) == (
        len(expected.words),
        expected.graph.nodes,
        expected.graph.size,
        1,
    )
    assert stored.undefined == {}


def test_an_undefined_metric_is_null_with_a_reason(settings_row: ScoreSettings) -> None:
    text = make_text("The of and.")
    services.score_texts(text_ids=[text.pk], settings=settings_row)
    stored = Score.objects.get()
    assert stored.nodes == 0
    assert all(getattr(stored, key) is None for key in METRIC_KEYS)
    assert stored.undefined.keys() == set(METRIC_KEYS)


def test_each_settings_have_scores_of_their_own(settings_row: ScoreSettings) -> None:
    (text,) = make_texts(1)
    wide = services.ensure_settings(settings=GraphSettings(window=6))
    for settings in (settings_row, wide, settings_row):
        services.score_texts(text_ids=[text], settings=settings)
    assert Score.objects.get(settings=wide).edges > Score.objects.get(settings=settings_row).edges


def test_scoring_takes_as_many_queries_for_many_texts_as_for_one(
    settings_row: ScoreSettings, django_assert_num_queries
) -> None:  # type: ignore[no-untyped-def]
    for texts in (make_texts(1), make_texts(12)):
        # which have no score, their bodies, savepoint, insert, release
        with django_assert_num_queries(5):
            services.score_texts(text_ids=texts, settings=settings_row)


def test_a_text_that_cannot_be_scored_does_not_keep_its_neighbours(
    settings_row: ScoreSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = make_texts(3)
    strange = sentences(words=30, seed=1)

    def fragile(body: str, settings: GraphSettings):  # type: ignore[no-untyped-def]
        if body == strange:
            raise ValueError("eigenvalues did not converge")
        return score_text(body, settings)

    monkeypatch.setattr(scoring, "score_text", fragile)
    (job,) = services.plan_scoring(text_ids=texts, settings=settings_row)
    lease = claim(model=ScoringJob, pk=job.pk)
    assert lease
    services.run_scoring(lease=lease)
    job.refresh_from_db()
    assert Score.objects.count() == 2
    assert (job.state, job.done) == (State.FAILED, 2)
    assert job.error == f"1 of 3 texts could not be scored: text {texts[1]}: eigenvalues did not converge"


def test_planning_makes_jobs_of_a_bounded_size(settings_row: ScoreSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphs.services.planning.TEXTS_PER_JOB", 4)
    texts = make_texts(10)
    jobs = services.plan_scoring(text_ids=texts, settings=settings_row)
    assert [job.total for job in jobs] == [4, 4, 2]
    assert [pk for job in jobs for pk in job.text_ids] == texts


def test_planning_leaves_out_what_is_scored_waiting_or_unknown(settings_row: ScoreSettings) -> None:
    scored, waiting, new = make_texts(3)
    services.score_texts(text_ids=[scored], settings=settings_row)
    services.plan_scoring(text_ids=[waiting], settings=settings_row)
    (job,) = services.plan_scoring(text_ids=[scored, waiting, new, new, 10**9], settings=settings_row)
    assert job.text_ids == [new]
    assert services.plan_scoring(text_ids=[scored, waiting, new], settings=settings_row) == []


def test_planning_again_takes_up_what_failed(settings_row: ScoreSettings) -> None:
    texts = make_texts(1)
    services.plan_scoring(text_ids=texts, settings=settings_row)
    cancel(rows=ScoringJob.objects.all())
    (job,) = services.plan_scoring(text_ids=texts, settings=settings_row)
    assert job.text_ids == texts


def test_a_job_goes_on_where_a_dead_worker_left_it(
    settings_row: ScoreSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "TEXTS_PER_SLICE", 2)
    texts = make_texts(7)
    (job,) = services.plan_scoring(text_ids=texts, settings=settings_row)
    dead = claim(model=ScoringJob, pk=job.pk)
    assert dead
    services.score_texts(text_ids=texts[:3], settings=settings_row, lease=dead)
    kept = set(Score.objects.values_list("pk", flat=True))
    expire(job)
    lease = claim(model=ScoringJob, pk=job.pk)
    assert lease
    services.run_scoring(lease=lease)
    job.refresh_from_db()
    assert (job.state, job.done, job.attempts) == (State.DONE, 7, 2)
    assert Score.objects.count() == 7
    assert kept < set(Score.objects.values_list("pk", flat=True))


def test_a_worker_that_lost_its_lease_stores_nothing(settings_row: ScoreSettings) -> None:
    texts = make_texts(2)
    (job,) = services.plan_scoring(text_ids=texts, settings=settings_row)
    lease = claim(model=ScoringJob, pk=job.pk)
    assert lease
    cancel(rows=ScoringJob.objects.all())
    with pytest.raises(LeaseLost):
        services.score_texts(text_ids=texts, settings=settings_row, lease=lease)
    services.run_scoring(lease=lease)
    assert not Score.objects.exists()
    job.refresh_from_db()
    assert job.state == State.CANCELLED


def test_a_job_of_another_scorer_version_fails_in_plain_words(settings_row: ScoreSettings) -> None:
    (job,) = services.plan_scoring(text_ids=make_texts(1), settings=settings_row)
    ScoreSettings.objects.update(sha256="0" * 64)
    lease = claim(model=ScoringJob, pk=job.pk)
    assert lease
    services.run_scoring(lease=lease)
    job.refresh_from_db()
    assert job.state == State.FAILED
    assert "scorer version" in job.error


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_store_one_score_a_text() -> None:
    settings = services.ensure_default_settings()
    texts = make_texts(20)
    barrier = threading.Barrier(2)
    errors: list[BaseException] = []
    original = scoring._store

    def store_together(*args, **kwargs) -> None:  # type: ignore[no-untyped-def]
        # Both have computed every score before either stores one.
        barrier.wait(20)
        original(*args, **kwargs)

    def work(order: list[int]) -> None:
        try:
            services.score_texts(text_ids=order, settings=settings)
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "_store", store_together)
        threads = [threading.Thread(target=work, args=[order]) for order in (texts, texts[::-1])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []
    assert sorted(Score.objects.values_list("text_id", flat=True)) == texts


@pytest.mark.django_db(transaction=True)
def test_two_planners_at_once_queue_a_text_once() -> None:
    settings = services.ensure_default_settings()
    texts = make_texts(5)
    barrier = threading.Barrier(4)

    def plan() -> None:
        try:
            barrier.wait(20)
            services.plan_scoring(text_ids=texts, settings=settings)
        finally:
            connection.close()

    threads = [threading.Thread(target=plan) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [job.text_ids for job in ScoringJob.objects.all()] == [texts]
