"""Texts, the corpora they come from, their vectors, and what a query retrieved."""

import hashlib

from django.conf import settings
from django.db import connections, models
from django.db.models import Q
from django.db.models.functions import Now
from pgvector.django import VectorField

from leases.models import Leased

SHA256 = r"^[0-9a-f]{64}$"


class TextQuerySet(models.QuerySet["Text"]):
    def intern(self, bodies: list[str]) -> dict[str, int]:
        """The keys of these texts by their body, storing those that are new; one statement each way.

        They are stored in the order of their digests, so that two imports of the same texts wait for each other and
        do not lock each other out.
        """
        unique = dict(sorted((Text.digest(body), body) for body in bodies))
        with connections[self.db].cursor() as cursor:
            cursor.execute(
                """
                INSERT INTO corpora_text (sha256, body) SELECT * FROM unnest(%s::text[], %s::text[])
                ON CONFLICT (sha256) DO NOTHING
                """,
                [list(unique), list(unique.values())],
            )
            cursor.execute("SELECT sha256, id FROM corpora_text WHERE sha256 = ANY(%s)", [list(unique)])
            keys = dict(cursor.fetchall())
        return {body: keys[sha256] for sha256, body in unique.items()}


class Text(models.Model):
    """An analysed or rated text, stored once. Immutable: the database refuses a change of `body`."""

    sha256 = models.CharField(max_length=64, unique=True)
    body = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TextQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(sha256__regex=SHA256), name="text_sha256_is_sha256"),
            models.CheckConstraint(condition=~Q(body=""), name="text_not_empty"),
        ]

    def __str__(self) -> str:
        return self.body[:80]

    @staticmethod
    def digest(body: str) -> str:
        return hashlib.sha256(body.encode()).hexdigest()


class Corpus(models.Model):
    name = models.CharField(max_length=200, unique=True)
    description = models.TextField(blank=True)
    is_synthetic = models.BooleanField(default=False, help_text="Written for demonstrations, by no real author.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name_plural = "corpora"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Document(models.Model):
    """One bibliographic record with an abstract."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="documents")
    text = models.ForeignKey(Text, on_delete=models.PROTECT, related_name="documents")
    title = models.TextField()
    doi = models.CharField("DOI", max_length=500, blank=True, help_text="Lower case, without a resolver's address.")
    authors = models.TextField(blank=True)
    year = models.PositiveSmallIntegerField(null=True, blank=True)
    source = models.TextField(blank=True)
    row_number = models.PositiveIntegerField(null=True, blank=True, help_text="Where it stood in the imported file.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "doi"], condition=~Q(doi=""), name="document_doi_once_in_corpus"),
        ]

    def __str__(self) -> str:
        return self.title


class CorpusImport(Leased):
    """An uploaded file on its way into a corpus: the dry run's report first, then the import's."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="imports")
    file = models.FileField(upload_to="imports/")
    file_name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    dry_run = models.BooleanField(default=True)
    rows_read = models.PositiveIntegerField(default=0)
    report = models.JSONField(default=dict, blank=True)
    problems = models.FileField(upload_to="imports/", blank=True, help_text="Every row left out or odd, as CSV.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta(Leased.Meta):
        pass

    def __str__(self) -> str:
        return f"{self.file_name} → {self.corpus_id}"


class EmbeddingModel(models.Model):
    """A model and revision whose vectors may be compared with each other."""

    key = models.SlugField(max_length=60)
    revision = models.CharField(max_length=100)
    backend = models.CharField(max_length=60)
    name = models.CharField(max_length=200)
    dimensions = models.PositiveSmallIntegerField()
    location = models.CharField(
        max_length=500, blank=True, help_text="A folder on the workers or a name on a model hub; empty when packaged."
    )
    trust_remote_code = models.BooleanField(default=False, help_text="Run code that the model brings along.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key", "revision"], name="embedding_model_revision_once"),
            models.CheckConstraint(condition=Q(dimensions__range=(1, 2000)), name="embedding_model_indexable"),
        ]

    def __str__(self) -> str:
        return self.name


class Embedding(models.Model):
    """A document's vector under one embedding model; an HNSW index a model is made when the model is registered."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="embeddings")
    model = models.ForeignKey(EmbeddingModel, on_delete=models.PROTECT, related_name="embeddings")
    vector = VectorField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["document", "model"], name="embedding_once")]

    def __str__(self) -> str:
        return f"{self.document_id} · {self.model_id}"


class EmbeddingJob(Leased):
    """Embed every document of a corpus that has no vector under this model yet."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="embedding_jobs")
    model = models.ForeignKey(EmbeddingModel, on_delete=models.PROTECT, related_name="jobs")
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)

    class Meta(Leased.Meta):
        constraints = [
            *Leased.Meta.constraints,
            models.UniqueConstraint(
                fields=["corpus", "model"],
                condition=Q(state__in=["queued", "running"]),
                name="embedding_job_one_active",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.corpus_id} · {self.model_id}"


class Retrieval(Leased):
    """The documents of a corpus nearest to a query. Made once, then frozen: generated texts rest on it."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="retrievals")
    model = models.ForeignKey(EmbeddingModel, on_delete=models.PROTECT, related_name="retrievals")
    query = models.TextField()
    top_n = models.PositiveSmallIntegerField(default=5)
    seconds = models.FloatField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta(Leased.Meta):
        constraints = [
            *Leased.Meta.constraints,
            models.CheckConstraint(condition=Q(top_n__range=(1, 100)), name="retrieval_top_n_range"),
            models.CheckConstraint(condition=~Q(query=""), name="retrieval_has_query"),
        ]

    def __str__(self) -> str:
        return self.query


class Retrieved(models.Model):
    retrieval = models.ForeignKey(Retrieval, on_delete=models.CASCADE, related_name="retrieved")
    rank = models.PositiveSmallIntegerField()
    similarity = models.FloatField(help_text="Cosine similarity, −1 to 1.")
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="+")
    text = models.ForeignKey(Text, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["rank"]
        constraints = [
            models.UniqueConstraint(fields=["retrieval", "rank"], name="retrieved_rank_once"),
            models.UniqueConstraint(fields=["retrieval", "document"], name="retrieved_document_once"),
            models.CheckConstraint(condition=Q(rank__gte=1), name="retrieved_rank_from_one"),
            models.CheckConstraint(
                condition=Q(similarity__gte=-1.0001, similarity__lte=1.0001),
                name="retrieved_similarity_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.document_id}"
