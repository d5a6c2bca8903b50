"""What the sweeper finds to score, and how progress is counted."""

import pytest

from corpora.models import Retrieval
from generation.models import Abstract, Batch
from graphs import selectors, services
from graphs.models import Profile, ScoreSettings, ScoringJob
from graphs.science.settings import GraphSettings
from leases.models import State
from leases.services import cancel, claim, fail, finish
from tests.factories import make_abstract, make_batch, make_cell, make_corpus, make_retrieval, make_text
from tests.graphs.texts import sentences

pytestmark = pytest.mark.django_db


@pytest.fixture
def settings_row(db: None) -> ScoreSettings:
    return services.ensure_default_settings()


def make_written(*, references: int = 2, seed: int = 100):  # type: ignore[no-untyped-def]
    bodies = [sentences(words=30, seed=seed + number) for number in range(references)]
    retrieval = make_retrieval(corpus=make_corpus(name=f"Corpus {seed}", bodies=bodies))
    return make_abstract(body=sentences(words=30, seed=seed + 50), cell=make_cell(retrieval=retrieval))


def texts_of(abstract) -> set[int]:  # type: ignore[no-untyped-def]
    return {abstract.text_id, *abstract.run.cell.retrieval.retrieved.values_list("text_id", flat=True)}


def found(settings: ScoreSettings, limit: int = 100) -> set[int]:
    return set(selectors.texts_to_find(settings=settings, limit=limit))


def test_finds_abstracts_and_what_they_were_written_from_and_nothing_else(settings_row: ScoreSettings) -> None:
    abstract = make_written()
    make_text("An uploaded text that belongs to no batch.")
    make_corpus(name="Only imported", bodies=["A document that nothing retrieved."])
    make_retrieval(corpus=make_corpus(name="Test query", bodies=["A document that a test query retrieved."]))
    assert found(settings_row) == texts_of(abstract)


def test_finds_the_retrieved_set_before_anything_is_written(settings_row: ScoreSettings) -> None:
    retrieval = make_retrieval()
    make_cell(retrieval=retrieval)
    assert found(settings_row) == {retrieval.retrieved.get().text_id}


def test_does_not_find_what_is_scored_under_these_settings(settings_row: ScoreSettings) -> None:
    abstract = make_written()
    services.score_texts(text_ids=[abstract.text_id], settings=settings_row)
    assert found(settings_row) == texts_of(abstract) - {abstract.text_id}
    assert found(services.ensure_settings(settings=GraphSettings(window=5))) == texts_of(abstract)


def test_does_not_find_what_waits_failed_or_was_cancelled(settings_row: ScoreSettings) -> None:
    abstract = make_written(references=3)
    waiting, failed, cancelled, left = sorted(texts_of(abstract))
    for text in (waiting, failed, cancelled):
        services.plan_scoring(text_ids=[text], settings=settings_row)
    jobs = {job.text_ids[0]: job for job in ScoringJob.objects.all()}
    lease = claim(model=ScoringJob, pk=jobs[failed].pk)
    assert lease
    fail(lease=lease, error="no")
    cancel(rows=ScoringJob.objects.filter(pk=jobs[cancelled].pk))
    assert found(settings_row) == {left}


def test_finds_again_what_a_finished_job_did_not_store(settings_row: ScoreSettings) -> None:
    abstract = make_written()
    (job,) = services.plan_scoring(text_ids=[abstract.text_id], settings=settings_row)
    lease = claim(model=ScoringJob, pk=job.pk)
    assert lease
    finish(lease=lease)
    assert abstract.text_id in found(settings_row)


def test_finding_is_bounded(settings_row: ScoreSettings) -> None:
    make_written(references=5)
    assert len(found(settings_row, limit=2)) == 2


def test_finding_takes_three_queries(settings_row: ScoreSettings, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    for seed in (100, 200):
        make_written(references=4, seed=seed)
        # jobs, abstracts, retrieved
        with django_assert_num_queries(3):
            found(settings_row)


def test_an_abstract_is_ready_to_profile_once_all_its_texts_are_scored(settings_row: ScoreSettings) -> None:
    ready, unready = make_written(seed=100), make_written(seed=200)
    nothing_retrieved = make_abstract(
        body="Written from nothing.",
        cell=make_cell(
            retrieval=Retrieval.objects.create(
                corpus=make_corpus(name="Empty"), model=ready.run.cell.embedding_model, query="Why?", state=State.DONE
            )
        ),
    )
    texts = texts_of(ready) | texts_of(unready) - {max(texts_of(unready) - {unready.text_id})}
    services.score_texts(text_ids=[*texts, nothing_retrieved.text_id], settings=settings_row)
    assert selectors.abstracts_ready_to_profile(settings=settings_row, limit=10) == [ready.pk]


def test_scoring_of_a_batch_counts_its_own_abstracts(settings_row: ScoreSettings) -> None:
    first, other = make_written(seed=100), make_written(seed=200)
    make_abstract(body=sentences(words=30, seed=1), cell=first.run.cell)
    services.score_texts(text_ids=[*texts_of(first), other.text_id], settings=settings_row)
    services.profile_ready_abstracts(settings=settings_row)
    batch: Batch = first.run.cell.batch
    scoring = selectors.batch_scoring(batch=batch)
    assert (scoring.scored, scoring.total, scoring.profiled) == (1, 2, 1)
    assert scoring.is_under_way
    assert not scoring.is_complete
    empty = selectors.batch_scoring(batch=make_batch(corpus=batch.corpus))
    assert (empty.total, empty.is_complete, empty.is_under_way) == (0, True, False)


def test_scoring_of_a_batch_counts_what_is_kept(settings_row: ScoreSettings) -> None:
    abstract = make_written(references=5)
    make_abstract(body=sentences(words=400, seed=3), cell=abstract.run.cell)
    texts = [*texts_of(abstract), *Abstract.objects.values_list("text_id", flat=True)]
    services.score_texts(text_ids=texts, settings=settings_row)
    services.profile_ready_abstracts(settings=settings_row)
    kept = [profile for profile in Profile.objects.all() if profile.order_free_area_difference > 0]
    scoring = selectors.batch_scoring(batch=abstract.run.cell.batch)
    assert (scoring.profiled, scoring.kept) == (2, len(kept))
    assert len(kept) > 0
    other = services.ensure_settings(settings=GraphSettings(window=5))
    services.score_texts(text_ids=texts, settings=other)
    services.profile_ready_abstracts(settings=other)
    assert selectors.batch_scoring(batch=abstract.run.cell.batch) == scoring


def test_scoring_that_failed_is_not_under_way(settings_row: ScoreSettings) -> None:
    abstract = make_written()
    services.plan_scoring(text_ids=[abstract.text_id], settings=settings_row)
    cancel(rows=ScoringJob.objects.all())
    scoring = selectors.batch_scoring(batch=abstract.run.cell.batch)
    assert scoring.error == "the scoring job was cancelled"
    assert not scoring.is_under_way


def test_scoring_of_a_corpus_counts_its_documents(settings_row: ScoreSettings) -> None:
    corpus = make_corpus(bodies=[sentences(seed=seed) for seed in range(3)])
    make_corpus(name="Another", bodies=[sentences(seed=9)])
    text = corpus.documents.first().text_id
    services.score_texts(text_ids=[text], settings=settings_row)
    scoring = selectors.corpus_scoring(corpus=corpus)
    assert (scoring.scored, scoring.total) == (1, 3)


def test_the_latest_failure_of_a_text_is_told(settings_row: ScoreSettings) -> None:
    text, other = make_text("One."), make_text("Two.")
    for error in ("first", "second"):
        (job,) = services.plan_scoring(text_ids=[text.pk], settings=settings_row)
        lease = claim(model=ScoringJob, pk=job.pk)
        assert lease
        fail(lease=lease, error=error)
    assert selectors.scoring_error(text_ids=[text.pk, other.pk], settings=settings_row) == "second"
    assert selectors.scoring_error(text_ids=[other.pk], settings=settings_row) == ""
    (job,) = services.plan_scoring(text_ids=[text.pk, other.pk], settings=settings_row)
    assert selectors.scoring_error(text_ids=[text.pk, other.pk], settings=settings_row) == ""
    cancel(rows=ScoringJob.objects.filter(pk=job.pk))
    assert selectors.scoring_error(text_ids=[other.pk], settings=settings_row) == "the scoring job was cancelled"
