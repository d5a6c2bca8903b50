"""Profiles: the stored figures are those of graphs.science, and an undefined one has its reason."""

import pytest

from graphs import selectors, services
from graphs.models import Profile, Score
from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.profile import compute_profile
from graphs.science.scoring import score_text
from tests.factories import make_abstract, make_cell, make_corpus, make_retrieval
from tests.graphs.texts import sentences

pytestmark = pytest.mark.django_db

BODY = sentences(words=70, seed=99)
REFERENCES = [sentences(words=40 + 10 * seed, seed=seed) for seed in range(5)]


def make_scored(*, body: str = BODY, references: list[str] = REFERENCES, skip: int = 0):  # type: ignore[no-untyped-def]
    """An abstract with its retrieved set, all scored but the first `skip` references."""
    abstract = make_abstract(body=body, cell=make_cell(retrieval=make_retrieval(corpus=make_corpus(bodies=references))))
    texts = list(abstract.run.cell.retrieval.retrieved.values_list("text_id", flat=True))[skip:]
    settings = services.ensure_default_settings()
    services.score_texts(text_ids=[abstract.text_id, *texts], settings=settings)
    return abstract, settings


def test_a_profile_holds_what_the_science_computes() -> None:
    abstract, settings = make_scored()
    assert services.profile_abstracts(abstract_ids=[abstract.pk], settings=settings) == 1
    stored = Profile.objects.get()
    expected = compute_profile(score_text(BODY).metrics, [score_text(body).metrics for body in REFERENCES])
    assert stored.differences == expected.differences
    assert expected.paper_order
    assert expected.order_free
    assert stored.references == 5
    assert stored.retrieval == abstract.run.cell.retrieval
    assert stored.undefined == {}
    assert (stored.area_new, stored.area_reference, stored.area_difference) == (
        expected.paper_order.new,
        expected.paper_order.average,
        expected.paper_order.difference,
    )
    assert (stored.order_free_area_new, stored.order_free_area_reference, stored.order_free_area_difference) == (
        expected.order_free.new,
        expected.order_free.average,
        expected.order_free.difference,
    )


def test_an_undefined_metric_leaves_differences_and_areas_null_with_reasons() -> None:
    abstract, settings = make_scored(references=[*REFERENCES[:2], "The of and."])
    services.profile_abstracts(abstract_ids=[abstract.pk], settings=settings)
    stored = Profile.objects.get()
    assert all(stored.differences[key] is None for key in METRIC_KEYS)
    assert stored.undefined.keys() == {*METRIC_KEYS, "areas"}
    assert stored.undefined["global_efficiency"] == "undefined in 1 of 3 reference graphs"
    assert stored.area_difference is None
    assert stored.order_free_area_difference is None


def test_a_text_like_all_its_references_has_differences_but_no_areas() -> None:
    abstract, settings = make_scored(references=[BODY])
    services.profile_abstracts(abstract_ids=[abstract.pk], settings=settings)
    stored = Profile.objects.get()
    assert set(stored.differences.values()) == {0.0}
    assert stored.area_new is None
    assert "same value in all 2 graphs" in stored.undefined["areas"]


def test_a_profile_waits_until_the_last_reference_is_scored() -> None:
    abstract, settings = make_scored(skip=1)
    assert services.profile_abstracts(abstract_ids=[abstract.pk], settings=settings) == 0
    assert services.profile_ready_abstracts(settings=settings) == 0
    missing = abstract.run.cell.retrieval.retrieved.first().text_id
    services.score_texts(text_ids=[missing], settings=settings)
    assert services.profile_ready_abstracts(settings=settings) == 1
    assert services.profile_ready_abstracts(settings=settings) == 0


def test_profiling_twice_keeps_the_first_profile() -> None:
    abstract, settings = make_scored()
    for _ in range(2):
        services.profile_abstracts(abstract_ids=[abstract.pk], settings=settings)
    assert Profile.objects.count() == 1


def test_profiling_takes_as_many_queries_for_many_abstracts_as_for_one(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    abstract, settings = make_scored()
    others = [make_abstract(body=sentences(words=50, seed=seed), cell=abstract.run.cell) for seed in range(20, 26)]
    services.score_texts(text_ids=[other.text_id for other in others], settings=settings)
    for abstracts in ([abstract.pk], [other.pk for other in others]):
        # abstracts, retrieved texts, scores, insert
        with django_assert_num_queries(4):
            assert services.profile_abstracts(abstract_ids=abstracts, settings=settings) == len(abstracts)


def test_the_comparison_of_the_page_agrees_with_the_stored_profile(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    abstract, settings = make_scored()
    services.profile_abstracts(abstract_ids=[abstract.pk], settings=settings)
    # retrieved documents, scores
    with django_assert_num_queries(2):
        comparison = selectors.compare_abstract(abstract=abstract, settings=settings)
    stored = Profile.objects.get()
    assert comparison.is_complete
    assert {row.metric.key: row.difference for row in comparison.readings} == stored.differences
    assert comparison.profile
    assert comparison.profile.order_free
    assert comparison.profile.order_free.difference == stored.order_free_area_difference


def test_a_comparison_says_how_far_the_scoring_has_come() -> None:
    abstract, settings = make_scored(skip=2)
    comparison = selectors.compare_abstract(abstract=abstract, settings=settings)
    assert (comparison.scored, comparison.total) == (4, 6)
    assert comparison.is_waiting
    assert comparison.profile is None
    assert selectors.compare_abstract(abstract=abstract, settings=None).scored == 0


def test_scores_of_one_text_under_the_default_settings() -> None:
    abstract, _ = make_scored()
    score = selectors.score_of_text(text_id=abstract.text_id)
    assert score == Score.objects.get(text=abstract.text_id)
    assert selectors.score_of_text(text_id=10**9) is None
