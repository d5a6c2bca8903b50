"""One generated abstract with all that made it, and the texts that are scored with it or with a corpus."""

from uuid import UUID

from corpora.models import Corpus, Document, Retrieved
from generation.models import Abstract


def find_abstract(*, public_id: UUID) -> Abstract | None:
    origin = ("text", "run__cell__batch__corpus", "run__cell__language_model", "run__cell__prompt")
    vectors = ("run__cell__embedding_model", "run__cell__retrieval")
    return Abstract.objects.select_related(*origin, *vectors).filter(public_id=public_id).first()


def texts_of_abstract(*, abstract: Abstract) -> list[int]:
    """Its own text and those of its retrieved set."""
    retrieved = Retrieved.objects.filter(retrieval=abstract.run.cell.retrieval_id).order_by("rank")
    return [abstract.text_id, *retrieved.values_list("text_id", flat=True)]


def texts_of_corpus(*, corpus: Corpus) -> list[int]:
    return list(Document.objects.filter(corpus=corpus).order_by("pk").values_list("text_id", flat=True))
