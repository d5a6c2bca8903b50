"""Test questions to a corpus, and their ranked answers."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from corpora.models import EmbeddingJob, Retrieval, Retrieved
from corpora.services import queue_embedding, register_packaged_models, run_embedding_job, run_retrieval
from leases.models import State
from leases.services import claim
from tests.factories import make_corpus, make_embedding_model, make_researcher, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def researcher(client):
    client.force_login(make_researcher())
    return client


@pytest.fixture
def model():
    return register_packaged_models()[0]


@pytest.fixture
def corpus(model):
    corpus = make_corpus(bodies=["Froth flotation separates copper minerals.", "A choir sang hymns at night."])
    run_embedding_job(lease=claim(model=EmbeddingJob, pk=queue_embedding(corpus=corpus, model=model).pk))
    return corpus


def ask(client, corpus, embedding_model, **fields):
    data = {"query": "How is copper floated?", "model": embedding_model.pk, "top_n": 2} | fields
    return client.post(reverse("studio:corpus_ask", args=[corpus.pk]), data)


def answer(client, retrieval, **headers):
    return client.get(reverse("studio:retrieval", args=[retrieval.pk]), headers=headers)


def test_a_question_is_queued_then_answered_by_rank(researcher, corpus, model):
    response = ask(researcher, corpus, model)
    retrieval = Retrieval.objects.get()
    assert response.url == reverse("studio:retrieval", args=[retrieval.pk])
    text = answer(researcher, retrieval).content.decode()
    assert "Waiting for a worker" in text
    assert "hx-get" in text
    run_retrieval(lease=claim(model=Retrieval, pk=retrieval.pk))
    text = answer(researcher, retrieval, **{"HX-Request": "true", "HX-Target": "answer"}).content.decode()
    assert "<html" not in text
    assert "hx-get" not in text
    assert text.index("Froth flotation") < text.index("A choir sang")
    first = Retrieved.objects.get(rank=1)
    assert f"similarity {first.similarity:.3f}" in text
    assert "How is copper floated?" in researcher.get(reverse("studio:corpus", args=[corpus.pk])).content.decode()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"query": " "}, "This field is required"),
        ({"query": "x" * 2001}, "at most 2000"),
        ({"top_n": 0}, "greater than or equal to 1"),
        ({"top_n": 101}, "less than or equal to 100"),
        ({"model": 999_999}, "no vectors under that model"),
        ({"model": ""}, "Embed the corpus first"),
    ],
)
def test_bad_questions_are_answered_on_the_page(researcher, corpus, model, fields, words):
    response = ask(researcher, corpus, model, **fields)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert not Retrieval.objects.exists()


def test_only_models_with_vectors_of_this_corpus_can_be_asked(researcher, corpus):
    other = make_embedding_model(key="other")
    assert ask(researcher, corpus, other).status_code == 422
    bare = make_corpus(name="Bare")
    assert "embed the corpus first" in researcher.get(reverse("studio:corpus", args=[bare.pk])).content.decode()


def test_why_a_question_failed_is_shown(researcher, corpus, model):
    ask(researcher, corpus, model)
    Retrieval.objects.update(state=State.FAILED, error="wordllama is not installed")
    assert "wordllama is not installed" in answer(researcher, Retrieval.objects.get()).content.decode()


def test_reviewers_are_refused(client, corpus, model):
    client.force_login(make_user())
    assert ask(client, corpus, model).status_code == 403
    retrieval = Retrieval.objects.create(corpus=corpus, model=model, query="How?")
    assert answer(client, retrieval).status_code == 403


def test_queries_do_not_grow_with_the_answer(researcher, model):
    """The user (the session is cached), the retrieval, and its documents with their texts."""

    def count(size):
        corpus = make_corpus(name=f"Corpus {size}", bodies=[f"Text {size} {number}" for number in range(size)])
        retrieval = Retrieval.objects.create(corpus=corpus, model=model, query="How?", state=State.DONE)
        Retrieved.objects.bulk_create(
            Retrieved(retrieval=retrieval, rank=rank, similarity=0.5, document=document, text=document.text)
            for rank, document in enumerate(corpus.documents.select_related("text"), start=1)
        )
        with CaptureQueriesContext(connection) as captured:
            assert answer(researcher, retrieval).status_code == 200
        return len(captured)

    assert count(2) == count(30) == 3
