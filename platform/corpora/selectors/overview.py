from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from corpora.models import Corpus, CorpusImport, Document, EmbeddingJob
from leases.models import State


def corpora_with_counts() -> QuerySet[Corpus]:
    """Every corpus with the numbers of its documents and of the models that have finished embedding it."""
    documents = Document.objects.filter(corpus=OuterRef("pk")).order_by().values("corpus").annotate(n=Count("pk"))
    models = (
        EmbeddingJob.objects.filter(corpus=OuterRef("pk"), state=State.DONE)
        .order_by()
        .values("corpus")
        .annotate(n=Count("model", distinct=True))
    )
    zero = IntegerField()
    return Corpus.objects.annotate(
        document_count=Coalesce(Subquery(documents.values("n")), 0, output_field=zero),
        embedded_models=Coalesce(Subquery(models.values("n")), 0, output_field=zero),
    )


def corpus_named(*, name: str) -> Corpus | None:
    return Corpus.objects.filter(name=name).first()


def imports_of(*, corpus: Corpus) -> QuerySet[CorpusImport]:
    """The latest first."""
    return CorpusImport.objects.filter(corpus=corpus).select_related("created_by").order_by("-pk")
