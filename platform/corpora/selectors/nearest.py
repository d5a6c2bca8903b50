"""The documents nearest to a vector: exactly in a small corpus, through the HNSW index in a large one."""

from dataclasses import dataclass

from django.db import connection, transaction
from pgvector import Vector

from corpora.embedding import Vectors
from corpora.models import Corpus, Embedding, EmbeddingModel

EXACT_BELOW = 2000
SEARCH_BREADTH = 200

# The index is on `vector::vector(D)` of one model, so a query without that cast cannot use it and compares them all.
EXACT = """
SELECT e.document_id, d.text_id, e.vector <=> %(query)s::vector AS distance
FROM corpora_embedding e JOIN corpora_document d ON d.id = e.document_id
WHERE e.model_id = {model} AND d.corpus_id = {corpus}
ORDER BY distance, e.document_id LIMIT {top_n}
"""
INDEXED = """
SELECT document_id, text_id, distance FROM (
    SELECT e.document_id, d.text_id, e.vector::vector({dimensions}) <=> %(query)s::vector AS distance
    FROM corpora_embedding e JOIN corpora_document d ON d.id = e.document_id
    WHERE e.model_id = {model} AND d.corpus_id = {corpus}
    ORDER BY e.vector::vector({dimensions}) <=> %(query)s::vector LIMIT {top_n}
) AS nearest ORDER BY distance, document_id
"""


class NotEmbedded(Exception):
    """The corpus has no vectors, or not for all its documents, under the model."""


@dataclass(frozen=True)
class Neighbour:
    """`similarity` is the cosine, −1 to 1."""

    rank: int
    document_id: int
    text_id: int
    similarity: float


def nearest_documents(
    *, corpus: Corpus, model: EmbeddingModel, vector: Vectors, top_n: int, exact: bool | None = None
) -> list[Neighbour]:
    """The `top_n` documents of the corpus nearest to `vector`, best first; ties in the order of the documents' keys.

    `exact` is decided by the number of vectors where it is not given. The index is scanned iteratively until enough
    documents of this corpus are found; should it give up before that, all are compared.
    """
    available = Embedding.objects.filter(model=model, document__corpus=corpus).count()
    if not available:
        raise NotEmbedded(f"No document of {corpus} has a vector under {model} yet.")
    if exact is None:
        exact = available < EXACT_BELOW
    rows = [] if exact else _search(INDEXED, corpus, model, vector, top_n)
    if len(rows) < min(top_n, available):
        rows = _search(EXACT, corpus, model, vector, top_n)
    return [
        Neighbour(rank, document, text, max(-1.0, min(1.0, 1.0 - distance)))
        for rank, (document, text, distance) in enumerate(rows, start=1)
    ]


def search_statement(*, corpus: Corpus, model: EmbeddingModel, top_n: int, exact: bool) -> str:
    """The SQL of a search; what stands in it are whole numbers, which a partial index needs to see."""
    return (EXACT if exact else INDEXED).format(
        corpus=int(corpus.pk), model=int(model.pk), dimensions=int(model.dimensions), top_n=int(top_n)
    )


def _search(
    statement: str, corpus: Corpus, model: EmbeddingModel, vector: Vectors, top_n: int
) -> list[tuple[int, int, float]]:
    sql = search_statement(corpus=corpus, model=model, top_n=top_n, exact=statement is EXACT)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL hnsw.iterative_scan = strict_order")
        cursor.execute(f"SET LOCAL hnsw.ef_search = {max(SEARCH_BREADTH, 2 * int(top_n))}")
        cursor.execute(sql, {"query": Vector(vector).to_text()})
        return list(cursor.fetchall())
