from django.db.models import Q, QuerySet

from corpora.models import Corpus, Document

WORDS = 12


def documents_matching(*, corpus: Corpus, text: str = "") -> QuerySet[Document]:
    """The documents of a corpus in which every word of `text` occurs, in the title, the abstract or the DOI."""
    found = Document.objects.filter(corpus=corpus)
    for word in text.split()[:WORDS]:
        found = found.filter(Q(title__icontains=word) | Q(text__body__icontains=word) | Q(doi__icontains=word))
    return found


def document_with_source(*, pk: int) -> Document | None:
    return Document.objects.select_related("corpus", "text").filter(pk=pk).first()
