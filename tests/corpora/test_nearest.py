"""Nearest documents: exact in a small corpus; through the index, and hardly worse, in a large one."""

import numpy as np
import pytest
from django.db import connection, transaction
from pgvector import Vector

from corpora.embedding import unit_vectors
from corpora.models import Corpus, Document, Embedding, Text
from corpora.selectors import NotEmbedded, nearest_documents
from corpora.selectors import nearest as module
from corpora.services import ensure_index
from tests.factories import make_corpus, make_embedding_model

pytestmark = pytest.mark.django_db

DIMENSIONS = 32
MANY = 4000


def fill(corpus, model, vectors):
    """Documents in the order of their vectors, through the same statements as real ones, in bulk."""
    texts = [Text(sha256=Text.digest(f"{corpus.name} {n}"), body=f"{corpus.name} {n}") for n in range(len(vectors))]
    texts = Text.objects.bulk_create(texts)
    documents = Document.objects.bulk_create(
        Document(corpus=corpus, text=text, title=text.body, doi="") for text in texts
    )
    Embedding.objects.bulk_create(
        Embedding(document=document, model=model, vector=vector)
        for document, vector in zip(documents, vectors, strict=True)
    )
    return [document.pk for document in documents]


def cloud(size, seed):
    """Unit vectors around forty centres, as topics are."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(40, DIMENSIONS))
    return unit_vectors(centres[random.integers(40, size=size)] + 0.6 * random.normal(size=(size, DIMENSIONS)))


def plan(corpus, model, vector, top_n=5, exact=False):
    sql = module.search_statement(corpus=corpus, model=model, top_n=top_n, exact=exact)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL hnsw.iterative_scan = strict_order")
        cursor.execute(f"EXPLAIN {sql}", {"query": Vector(vector).to_text()})
        return "\n".join(line for (line,) in cursor.fetchall())


def brute_force(vectors, keys, query, top_n):
    similarity = np.asarray(vectors) @ query
    best = np.argsort(-similarity, kind="stable")[:top_n]
    return [(keys[at], float(similarity[at])) for at in best]


def test_small_corpus_is_ranked_exactly():
    corpus, model = make_corpus(bodies=["east", "north", "north-east"]), make_embedding_model(dimensions=2)
    for document, vector in zip(corpus.documents.order_by("pk"), [[1, 0], [0, 1], [1, 1]], strict=True):
        Embedding.objects.create(document=document, model=model, vector=vector)
    found = nearest_documents(corpus=corpus, model=model, vector=np.array([1.0, 0.1], np.float32), top_n=2)
    titles = dict(corpus.documents.values_list("pk", "text__body"))
    assert [(one.rank, titles[one.document_id]) for one in found] == [(1, "east"), (2, "north-east")]
    assert found[0].similarity == pytest.approx(1 / np.sqrt(1.01), abs=1e-6)


def test_fewer_documents_than_asked_for():
    corpus, model = make_corpus(bodies=["a", "b"]), make_embedding_model(dimensions=2)
    for document in corpus.documents.all():
        Embedding.objects.create(document=document, model=model, vector=[1, 1])
    found = nearest_documents(corpus=corpus, model=model, vector=np.array([1.0, 0], np.float32), top_n=50)
    assert [one.document_id for one in found] == sorted(corpus.documents.values_list("pk", flat=True))


def test_without_vectors_it_says_so():
    with pytest.raises(NotEmbedded, match="Tailings"):
        nearest_documents(corpus=make_corpus(), model=make_embedding_model(), vector=np.ones(8, np.float32), top_n=5)


def test_other_corpora_and_models_are_left_out():
    model, other_model = make_embedding_model(dimensions=2), make_embedding_model(key="other", dimensions=2)
    mine, other = make_corpus(bodies=["a"]), make_corpus(name="Other", bodies=["b"])
    Embedding.objects.create(document=mine.documents.get(), model=model, vector=[0, 1])
    Embedding.objects.create(document=mine.documents.get(), model=other_model, vector=[1, 0])
    Embedding.objects.create(document=other.documents.get(), model=model, vector=[1, 0])
    (found,) = nearest_documents(corpus=mine, model=model, vector=np.array([1.0, 0], np.float32), top_n=5)
    assert found.document_id == mine.documents.get().pk
    assert found.similarity == pytest.approx(0, abs=1e-6)


class TestLarge:
    @pytest.fixture
    def large(self):
        model = make_embedding_model(dimensions=DIMENSIONS)
        ensure_index(model=model)
        corpus = Corpus.objects.create(name="Large")
        vectors = cloud(MANY, seed=1)
        keys = fill(corpus, model, vectors)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE corpora_embedding, corpora_document, corpora_text")
        return corpus, model, vectors, keys

    def test_the_index_is_used_and_recalls_what_brute_force_finds(self, large):
        corpus, model, vectors, keys = large
        queries = cloud(20, seed=2)
        assert f"embedding_hnsw_{model.pk}" in plan(corpus, model, queries[0])
        assert "hnsw" not in plan(corpus, model, queries[0], exact=True)
        found, wanted, exact = 0, 0, 0
        for query in queries:
            truth = brute_force(vectors, keys, query, 10)
            got = nearest_documents(corpus=corpus, model=model, vector=query, top_n=10)
            assert [one.rank for one in got] == list(range(1, 11))
            assert [one.similarity for one in got] == sorted((one.similarity for one in got), reverse=True)
            found += len({one.document_id for one in got} & {key for key, _ in truth})
            wanted += 10
            compared = nearest_documents(corpus=corpus, model=model, vector=query, top_n=10, exact=True)
            exact += [one.document_id for one in compared] == [key for key, _ in truth]
            assert [one.similarity for one in compared] == pytest.approx([s for _, s in truth], abs=1e-5)
        assert found / wanted >= 0.97
        assert exact == len(queries)

    def test_a_corpus_that_is_a_small_part_of_the_vectors_loses_none(self, large):
        _, model, _, _ = large
        small = Corpus.objects.create(name="Small")
        vectors = cloud(30, seed=3)
        keys = fill(small, model, vectors)
        query = cloud(1, seed=4)[0]
        for exact in (False, True):
            got = nearest_documents(corpus=small, model=model, vector=query, top_n=20, exact=exact)
            assert [one.document_id for one in got] == [key for key, _ in brute_force(vectors, keys, query, 20)]
