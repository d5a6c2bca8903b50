from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils.translation import gettext

from corpora.embedding import BACKENDS, PACKAGED_MODELS, missing_modules
from corpora.models import Corpus, Document, Embedding, EmbeddingJob, EmbeddingModel


@dataclass(frozen=True)
class OfferedModel:
    """A model that can be chosen. `missing` names what is not installed beside the caller; workers may have it."""

    key: str
    revision: str
    name: str
    dimensions: int
    description: str
    missing: list[str]
    remedy: str

    @property
    def identity(self) -> str:
        return f"{self.key}@{self.revision}"


@dataclass(frozen=True)
class EmbeddingState:
    """How far a corpus is embedded under one model, and its latest job."""

    model: EmbeddingModel
    embedded: int
    documents: int
    job: EmbeddingJob | None

    @property
    def is_complete(self) -> bool:
        return 0 < self.documents <= self.embedded


def pending_documents(*, corpus_id: int, model_id: int) -> QuerySet[Document]:
    """The documents of a corpus that have no vector under a model yet."""
    has_vector = Embedding.objects.filter(document=OuterRef("pk"), model_id=model_id)
    return Document.objects.filter(~Exists(has_vector), corpus_id=corpus_id)


def offered_models() -> list[OfferedModel]:
    """The packaged models, then those that were registered by hand."""
    packaged = [
        OfferedModel(
            key=model.key,
            revision=model.revision,
            name=model.name,
            dimensions=model.dimensions,
            description=model.description,
            missing=missing_modules(model.backend, *model.modules),
            remedy=BACKENDS[model.backend].remedy,
        )
        for model in PACKAGED_MODELS
    ]
    known = {(model.key, model.revision) for model in packaged}
    others = EmbeddingModel.objects.exclude(location="").order_by("name", "pk")
    return packaged + [
        OfferedModel(
            key=model.key,
            revision=model.revision,
            name=model.name,
            dimensions=model.dimensions,
            description=gettext("Loaded from %(place)s.") % {"place": model.location},
            missing=missing_modules(model.backend) if model.backend in BACKENDS else [model.backend],
            remedy=BACKENDS[model.backend].remedy if model.backend in BACKENDS else "",
        )
        for model in others
        if (model.key, model.revision) not in known
    ]


def embedding_states(*, corpus: Corpus) -> list[EmbeddingState]:
    """For every model under which the corpus has a vector or a job."""
    documents = Document.objects.filter(corpus=corpus).count()
    vectors = Embedding.objects.filter(document__corpus=corpus).order_by().values("model").annotate(n=Count("pk"))
    embedded = dict(vectors.values_list("model", "n"))
    newest = EmbeddingJob.objects.filter(corpus=corpus).order_by("model", "-pk").distinct("model")
    jobs = {job.model_id: job for job in newest.select_related("model")}
    models = EmbeddingModel.objects.filter(pk__in={*embedded, *jobs}).order_by("name", "pk")
    return [EmbeddingState(model, embedded.get(model.pk, 0), documents, jobs.get(model.pk)) for model in models]


def ready_models(*, corpus: Corpus) -> QuerySet[EmbeddingModel]:
    """The models under which at least one document of the corpus has a vector."""
    with_vectors = Embedding.objects.filter(model=OuterRef("pk"), document__corpus=corpus)
    return EmbeddingModel.objects.filter(Exists(with_vectors)).order_by("name", "pk")
