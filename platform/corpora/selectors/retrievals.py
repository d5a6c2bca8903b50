from django.db.models import Prefetch, QuerySet

from corpora.models import Corpus, EmbeddingModel, Retrieval, Retrieved
from leases.models import State


def retrievals_of(*, corpus: Corpus) -> QuerySet[Retrieval]:
    """Test queries and the frozen lists of batches, the latest first."""
    return Retrieval.objects.filter(corpus=corpus).select_related("model").order_by("-pk")


def retrieval_with_results(*, pk: int) -> Retrieval | None:
    results = Retrieved.objects.select_related("document", "text").order_by("rank")
    return (
        Retrieval.objects.select_related("corpus", "model")
        .prefetch_related(Prefetch("retrieved", queryset=results))
        .filter(pk=pk)
        .first()
    )


def reusable_retrieval(*, corpus: Corpus, model: EmbeddingModel, query: str, top_n: int) -> Retrieval | None:
    """The latest finished list for just this question, for those who may share it."""
    done = Retrieval.objects.filter(corpus=corpus, model=model, query=query, top_n=top_n, state=State.DONE)
    return done.order_by("-pk").first()
