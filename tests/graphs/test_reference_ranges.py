"""Ranges over a corpus: what they are taken over, and that they stay as they were."""

import pytest

from graphs import selectors, services
from graphs.models import ReferenceRange, Score
from graphs.science.metric_registry import RADAR_AXES
from graphs.science.normalisation import NormalisationRange
from graphs.science.scoring import score_text
from tests.factories import make_abstract, make_cell, make_corpus, make_retrieval
from tests.graphs.texts import sentences

pytestmark = pytest.mark.django_db

BODIES = [sentences(words=40 + 10 * seed, seed=seed) for seed in range(4)]


def score_corpus(corpus) -> None:  # type: ignore[no-untyped-def]
    services.score_texts(
        text_ids=list(corpus.documents.values_list("text_id", flat=True)), settings=services.ensure_default_settings()
    )


def test_the_range_is_what_the_science_takes_over_the_same_texts() -> None:
    corpus = make_corpus(bodies=BODIES)
    other = make_corpus(name="Others", bodies=[sentences(words=300, seed=9)])
    score_corpus(corpus)
    score_corpus(other)
    settings = services.ensure_default_settings()
    frozen = services.freeze_reference_range(corpus=corpus, settings=settings)
    expected = NormalisationRange.over("Tailings", [score_text(body).metrics for body in BODIES])
    found = frozen.as_normalisation()
    assert (found.name, found.graphs) == ("Tailings", 4)
    for axis in RADAR_AXES:
        assert found.axes[axis].smallest == pytest.approx(expected.axes[axis].smallest, rel=1e-9)  # type: ignore[union-attr]
        assert found.axes[axis].largest == pytest.approx(expected.axes[axis].largest, rel=1e-9)  # type: ignore[union-attr]


def test_a_text_in_two_documents_counts_once_and_one_without_a_metric_is_left_out() -> None:
    corpus = make_corpus(bodies=[*BODIES, BODIES[0], "The of and."])
    score_corpus(corpus)
    frozen = services.freeze_reference_range(corpus=corpus, settings=services.ensure_default_settings())
    assert (frozen.texts, frozen.left_out) == (4, 1)


def test_a_frozen_range_stays_while_the_corpus_grows() -> None:
    corpus = make_corpus(bodies=BODIES[:2])
    settings = services.ensure_default_settings()
    score_corpus(corpus)
    before = services.freeze_reference_range(corpus=corpus, settings=settings)
    assert services.freeze_reference_range(corpus=corpus, settings=settings) == before
    grown = make_corpus(name="More", bodies=BODIES[2:])
    grown.documents.update(corpus=corpus, doi="")
    score_corpus(corpus)
    after = services.freeze_reference_range(corpus=corpus, settings=settings)
    assert after != before
    assert after.texts == 4
    before.refresh_from_db()
    assert before.texts == 2
    assert list(selectors.reference_ranges(settings=settings)) == [after, before]


@pytest.mark.parametrize(
    ("bodies", "scored", "reason"), [(BODIES, False, "4 texts of Tailings"), (BODIES[:1], True, "fewer than two texts")]
)
def test_what_has_no_range_is_not_frozen(bodies: list[str], scored: bool, reason: str) -> None:
    corpus = make_corpus(bodies=bodies)
    if scored:
        score_corpus(corpus)
    with pytest.raises(ValueError, match=reason):
        services.freeze_reference_range(corpus=corpus, settings=services.ensure_default_settings())
    assert not ReferenceRange.objects.exists()


def test_areas_by_a_frozen_range_do_not_depend_on_the_retrieved_set() -> None:
    corpus = make_corpus(bodies=BODIES)
    settings = services.ensure_default_settings()
    body = sentences(words=55, seed=70)
    abstracts = [
        make_abstract(body=body, cell=make_cell(retrieval=make_retrieval(corpus=each)))
        for each in (corpus, make_corpus(name="Others", bodies=[sentences(words=90, seed=s) for s in (20, 21)]))
    ]
    for abstract in abstracts:
        services.score_texts(text_ids=selectors.texts_of_abstract(abstract=abstract), settings=settings)
    frozen = services.freeze_reference_range(corpus=corpus, settings=settings)
    areas = []
    for reference_range in (None, frozen):
        profiles = [
            selectors.compare_abstract(abstract=abstract, settings=settings, reference_range=reference_range).profile
            for abstract in abstracts
        ]
        areas.append({profile.order_free.new for profile in profiles if profile and profile.order_free})
    by_run, by_corpus = areas
    assert len(by_run) == 2
    assert len(by_corpus) == 1
    assert Score.objects.count() == 7
