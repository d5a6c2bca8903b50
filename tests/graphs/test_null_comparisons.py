"""A text against null models: the same figures however the draws are split, and nothing lost or made twice."""

import threading

import pytest
from django.db import IntegrityError, connection, transaction

from graphs import selectors, services, tasks
from graphs.models import NullChunk, NullComparison, ScoreSettings
from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.null_comparison import compare_score_with_null
from graphs.science.null_models import NULL_MODELS
from graphs.science.scoring import score_text
from leases import sweeper
from leases.models import State
from leases.services import cancel, claim
from tests.factories import expire, make_text
from tests.graphs.texts import sentences

pytestmark = pytest.mark.django_db


@pytest.fixture
def settings_row(db: None) -> ScoreSettings:
    return services.ensure_default_settings()


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphs.services.null_planning.DRAWS_PER_CHUNK", 15)


def plan(text, settings: ScoreSettings, *, models=("shuffle",), draws: int = 40, seed: int = 3) -> list[int]:  # type: ignore[no-untyped-def]
    return services.plan_null_comparisons(text_ids=[text.pk], settings=settings, models=models, draws=draws, seed=seed)


def run(*chunks: int) -> None:
    for chunk in chunks:
        lease = claim(model=NullChunk, pk=chunk)
        assert lease
        services.run_null_chunk(lease=lease)


def test_chunks_joined_are_the_comparison_made_in_one_go(settings_row: ScoreSettings) -> None:
    text = make_text(sentences(words=60))
    chunks = plan(text, settings_row)
    assert [(each.start, each.stop) for each in NullChunk.objects.order_by("start")] == [(0, 15), (15, 30), (30, 40)]
    run(*reversed(chunks))
    stored = NullComparison.objects.get()
    score = score_text(text.body)
    expected = compare_score_with_null(score, "shuffle", draws=40, seed=3)
    assert stored.metrics.keys() == set(METRIC_KEYS)
    for key, figures in stored.metrics.items():
        wanted = expected.metrics[key]
        assert figures["observed"] == pytest.approx(score.metrics.values()[key], rel=1e-10)
        for name in ("mean", "sd", "z", "p", "p_holm"):
            assert figures[name] == pytest.approx(getattr(wanted, name), rel=1e-9)
    assert (stored.edges, stored.connected) == (score.graph.size, expected.connected)
    assert stored.edges_mean == pytest.approx(expected.edges_mean)
    assert stored.edges_sd == pytest.approx(expected.edges_sd)
    assert stored.finished_at is not None
    assert all(sum(bins["counts"]) == 40 for bins in stored.distributions.values() if bins)
    assert not NullChunk.objects.exclude(drawn=b"").exists()


def test_nothing_stands_until_the_last_chunk(settings_row: ScoreSettings) -> None:
    text = make_text(sentences(words=30))
    first, *others = plan(text, settings_row)
    run(first)
    (standing,) = selectors.null_standings(text_id=text.pk, settings=settings_row)
    assert (standing.drawn, standing.is_active, standing.is_finished, standing.readings) == (15, True, False, [])
    run(*others)
    (standing,) = selectors.null_standings(text_id=text.pk, settings=settings_row)
    assert (standing.drawn, standing.is_active, standing.is_finished) == (40, False, True)
    assert [each.metric.key for each in standing.readings] == list(METRIC_KEYS)


def test_every_null_model_in_the_registry_s_order(settings_row: ScoreSettings) -> None:
    text = make_text(sentences(words=40))
    run(*plan(text, settings_row, models=tuple(reversed(NULL_MODELS)), draws=10))
    standings = selectors.null_standings(text_id=text.pk, settings=settings_row)
    assert [each.null_model.key for each in standings] == list(NULL_MODELS)
    swap = next(each for each in standings if each.null_model.key == "swap")
    assert swap.comparison.edges_mean == swap.comparison.edges
    assert swap.comparison.edges_sd == 0


def test_asking_again_makes_nothing_new(settings_row: ScoreSettings) -> None:
    text = make_text(sentences(words=30))
    chunks = plan(text, settings_row)
    assert plan(text, settings_row) == chunks
    run(*chunks)
    assert plan(text, settings_row) == []
    assert NullChunk.objects.count() == 3
    plan(text, settings_row, seed=4)
    assert NullComparison.objects.count() == 2


def test_cancelling_keeps_what_is_drawn_and_starting_goes_on_from_there(settings_row: ScoreSettings) -> None:
    text, other = make_text(sentences(words=30)), make_text(sentences(words=30, seed=5))
    first, *rest = plan(text, settings_row)
    plan(other, settings_row)
    run(first)
    assert services.cancel_null_comparisons(text_ids=[text.pk]) == 2
    assert NullChunk.objects.filter(comparison__text=other, state=State.QUEUED).count() == 3
    (standing,) = selectors.null_standings(text_id=text.pk, settings=settings_row)
    assert (standing.drawn, standing.is_active, standing.error) == (15, False, "it was cancelled")
    assert plan(text, settings_row) == rest
    run(*rest)
    assert NullComparison.objects.get(text=text).finished_at is not None


def test_a_chunk_of_a_dead_worker_is_drawn_once_more_and_the_late_answer_dropped(settings_row: ScoreSettings) -> None:
    chunks = plan(make_text(sentences(words=30)), settings_row, draws=15)
    dead = claim(model=NullChunk, pk=chunks[0])
    assert dead
    expire(NullChunk.objects.get())
    run(*chunks)
    stored = NullComparison.objects.values().get()
    services.run_null_chunk(lease=dead)
    assert NullComparison.objects.values().get() == stored
    assert NullChunk.objects.get().attempts == 2


def test_a_cancelled_chunk_stores_nothing(settings_row: ScoreSettings) -> None:
    (chunk,) = plan(make_text(sentences(words=30)), settings_row, draws=10)
    lease = claim(model=NullChunk, pk=chunk)
    assert lease
    cancel(rows=NullChunk.objects.all())
    services.run_null_chunk(lease=lease)
    assert NullChunk.objects.get().drawn == b""
    assert NullComparison.objects.get().metrics is None


def test_settings_of_another_scorer_version_fail_in_plain_words(settings_row: ScoreSettings) -> None:
    text = make_text(sentences(words=30))
    (chunk,) = plan(text, settings_row, draws=10)
    ScoreSettings.objects.update(sha256="0" * 64)
    run(chunk)
    (standing,) = selectors.null_standings(text_id=text.pk, settings=settings_row)
    assert "scorer version" in standing.error
    assert not standing.is_active


@pytest.mark.parametrize("body", ["The of and.", "Clay.", "Clay settles.", "Clay clay clay clay."])
@pytest.mark.parametrize("model", list(NULL_MODELS))
def test_a_text_with_hardly_a_graph_has_reasons_instead_of_figures(
    settings_row: ScoreSettings, body: str, model: str
) -> None:
    text = make_text(body)
    run(*plan(text, settings_row, models=[model], draws=20))
    (standing,) = selectors.null_standings(text_id=text.pk, settings=settings_row)
    assert standing.is_finished
    assert standing.error == ""
    assert all(each.z is None and each.reason and not each.counts for each in standing.readings)


@pytest.mark.parametrize("wrong", [{"models": ["magic"]}, {"draws": 0}, {"seed": -1}])
def test_what_cannot_be_drawn_is_refused(settings_row: ScoreSettings, wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"null model|draws"):
        plan(make_text(), settings_row, **wrong)
    assert not NullComparison.objects.exists()


def test_a_finished_comparison_is_whole(settings_row: ScoreSettings) -> None:
    plan(make_text(), settings_row)
    with pytest.raises(IntegrityError), transaction.atomic():
        NullComparison.objects.update(metrics={})


def test_planning_takes_as_many_queries_for_many_texts_as_for_one(
    settings_row: ScoreSettings, django_assert_max_num_queries
) -> None:  # type: ignore[no-untyped-def]
    for number in (1, 9):
        texts = [make_text(sentences(words=30, seed=seed)).pk for seed in range(number)]
        with django_assert_max_num_queries(12):
            services.plan_null_comparisons(text_ids=texts, settings=settings_row, models=list(NULL_MODELS), draws=20)


def test_starting_sends_a_message_a_chunk_after_the_commit(
    django_capture_on_commit_callbacks, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    sent: list[int] = []
    monkeypatch.setattr(tasks.draw_null, "delay", sent.append)
    text = make_text(sentences(words=30))
    with django_capture_on_commit_callbacks(execute=True):
        assert tasks.start_null_comparison(text_ids=[text.pk], draws=30) == 8
        assert sent == []
    assert sorted(sent) == list(NullChunk.objects.order_by("pk").values_list("pk", flat=True))
    assert not NullChunk.objects.filter(sent_at=None).exists()


@pytest.mark.django_db(transaction=True)
def test_the_last_two_chunks_at_once_make_one_comparison() -> None:
    text = make_text(sentences(words=30))
    chunks = plan(text, services.ensure_default_settings(), draws=30)
    barrier = threading.Barrier(2)
    errors: list[BaseException] = []

    def work(chunk: int) -> None:
        try:
            lease = claim(model=NullChunk, pk=chunk)
            assert lease
            barrier.wait(20)
            services.run_null_chunk(lease=lease)
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=[chunk]) for chunk in chunks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert NullComparison.objects.get().finished_at is not None


def test_who_starts_waits_for_the_first_messages_only(
    settings_row: ScoreSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks, "CHUNKS_AT_ONCE", 3)
    monkeypatch.setattr(tasks.draw_null, "delay", sent.append)
    monkeypatch.setattr(tasks.draw_null, "delay_on_commit", sent.append)
    monkeypatch.setattr(sweeper, "_senders", [(NullChunk, NullChunk.objects.all, tasks.send_null_chunks)])
    monkeypatch.setattr(sweeper, "_finders", [])
    assert tasks.start_null_comparison(text_ids=[make_text().pk], draws=30) == 8
    assert len(sent) == 3
    assert NullChunk.objects.filter(sent_at=None).count() == 5
    sweeper.sweep()
    assert sorted(sent) == sorted(NullChunk.objects.values_list("pk", flat=True))
