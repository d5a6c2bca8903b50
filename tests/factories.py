"""Rows for tests: plain functions with keyword arguments and sensible defaults, real services where one exists."""

from typing import Any

from django.db import connection

from accounts.models import User
from corpora.models import Corpus, Document, EmbeddingModel, Text
from leases.models import Leased


def make_user(*, username: str = "rita", **fields: Any) -> User:
    return User.objects.create_user(username=username, password=fields.pop("password", "a long password"), **fields)


def make_researcher(*, username: str = "renata", **fields: Any) -> User:
    return make_user(username=username, is_staff=True, **fields)


def make_text(body: str = "Flotation separates minerals by their surfaces.") -> Text:
    return Text.objects.get_or_create(sha256=Text.digest(body), body=body)[0]


def make_corpus(*, name: str = "Tailings", bodies: list[str] | None = None) -> Corpus:
    """A corpus with one document for each body."""
    corpus = Corpus.objects.create(name=name)
    for number, body in enumerate(bodies or ["Thickened tailings settle slowly."], start=1):
        Document.objects.create(
            corpus=corpus,
            text=make_text(body),
            title=f"Document {number}",
            doi=f"10.5555/test.{number}",
            row_number=number,
        )
    return corpus


def make_embedding_model(*, key: str = "test", dimensions: int = 8, backend: str = "wordllama") -> EmbeddingModel:
    return EmbeddingModel.objects.get_or_create(
        key=key, revision="1", defaults={"backend": backend, "name": key, "dimensions": dimensions}
    )[0]


def expire(row: Leased) -> None:
    """Let the lease of a row run out, as if its worker had died a while ago."""
    table = connection.ops.quote_name(row._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET lease_expires_at = clock_timestamp() - interval '1 s' WHERE id = %s",  # noqa: S608
            [row.pk],
        )
