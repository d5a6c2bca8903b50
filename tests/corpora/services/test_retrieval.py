"""Frozen lists of what a query retrieved, made by a real small model."""

import pytest
from django.db import IntegrityError, transaction

from corpora.models import Embedding, EmbeddingJob, EmbeddingModel, Retrieval, Retrieved
from corpora.selectors import NotEmbedded, retrieval_with_results, reusable_retrieval
from corpora.services import (
    queue_embedding,
    register_packaged_models,
    request_retrieval,
    retrieve,
    run_embedding_job,
    run_retrieval,
)
from leases.models import State
from leases.services import claim
from tests.factories import make_corpus

pytestmark = pytest.mark.django_db

BODIES = [
    "Froth flotation separates copper minerals from gangue by surface chemistry.",
    "Acid rock drainage forms where sulphide tailings meet air and water.",
    "A choir sang hymns in the cathedral throughout the winter evening.",
    "Dam stability depends on the phreatic surface and on drained strength.",
]
QUERY = "How are copper minerals separated by flotation?"


@pytest.fixture
def model():
    return next(model for model in register_packaged_models() if model.backend == "wordllama")


@pytest.fixture
def corpus(model):
    corpus = make_corpus(bodies=BODIES)
    run_embedding_job(lease=claim(model=EmbeddingJob, pk=queue_embedding(corpus=corpus, model=model).pk))
    return corpus


def test_registering_twice_keeps_one_row(model):
    register_packaged_models()
    assert EmbeddingModel.objects.filter(key=model.key).count() == 1


def test_the_list_is_ranked_and_frozen(corpus, model):
    retrieval = retrieval_with_results(pk=retrieve(corpus=corpus, model=model, query=QUERY, top_n=3).pk)
    results = list(retrieval.retrieved.all())
    assert retrieval.state == State.DONE
    assert [one.rank for one in results] == [1, 2, 3]
    assert results[0].text.body == BODIES[0]
    assert results[0].similarity > results[1].similarity >= results[2].similarity
    with pytest.raises(IntegrityError), transaction.atomic():
        Retrieved.objects.filter(pk=results[0].pk).update(similarity=0)


def test_each_call_makes_its_own_list_unless_told_to_reuse(corpus, model):
    ask = {"corpus": corpus, "model": model, "query": QUERY, "top_n": 2}
    assert reusable_retrieval(**ask) is None
    first = retrieve(**ask)
    second = retrieve(**ask)
    assert first != second
    assert retrieve(**ask, reuse=True) == second
    assert retrieve(**ask | {"top_n": 3}, reuse=True) not in {first, second}
    assert retrieve(**ask | {"query": "Which dams fail?"}, reuse=True) not in {first, second}
    assert Retrieval.objects.count() == 4


def test_a_corpus_embedded_by_half_is_refused_unless_allowed(corpus, model):
    Embedding.objects.filter(document=corpus.documents.first()).delete()
    with pytest.raises(NotEmbedded, match="1 of 4 documents"):
        retrieve(corpus=corpus, model=model, query=QUERY, top_n=2)
    assert retrieve(corpus=corpus, model=model, query=QUERY, top_n=2, partial=True).retrieved.count() == 2


def test_a_requested_retrieval_is_answered_by_a_worker(corpus, model):
    retrieval = request_retrieval(corpus=corpus, model=model, query=QUERY, top_n=2)
    assert retrieval.state == State.QUEUED
    run_retrieval(lease=claim(model=Retrieval, pk=retrieval.pk))
    retrieval.refresh_from_db()
    assert retrieval.state == State.DONE
    assert retrieval.seconds > 0
    assert retrieval.retrieved.order_by("rank")[0].text.body == BODIES[0]


def test_a_corpus_without_vectors_fails_with_a_reason(model):
    retrieval = request_retrieval(corpus=make_corpus(name="Bare"), model=model, query=QUERY)
    run_retrieval(lease=claim(model=Retrieval, pk=retrieval.pk))
    retrieval.refresh_from_db()
    assert retrieval.state == State.FAILED
    assert "No document of Bare has a vector" in retrieval.error
