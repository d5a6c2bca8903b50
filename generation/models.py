"""Batches of generated abstracts: a factorial grid of cells, the runs of each cell, and what each run wrote."""

import hashlib
import json
import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from leases.models import Leased, LeasedQuerySet


class Prompt(models.Model):
    """A prompting strategy in one frozen wording; a new wording is a new version."""

    key = models.SlugField(max_length=40)
    version = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(max_length=100)
    system = models.TextField(blank=True)
    template = models.TextField(help_text="Holds {query} and {abstracts}.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["key", "version"]
        constraints = [
            models.UniqueConstraint(fields=["key", "version"], name="prompt_version_once"),
            models.CheckConstraint(
                condition=Q(template__contains="{query}") & Q(template__contains="{abstracts}"),
                name="prompt_has_fields",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key}.{self.version} {self.name}"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(json.dumps([self.system, self.template]).encode()).hexdigest()


class LanguageModel(models.Model):
    """A model behind one of the back ends of generation/science/backends; settings and revision are frozen."""

    key = models.SlugField(max_length=60)
    revision = models.CharField(max_length=100)
    backend = models.CharField(max_length=60)
    name = models.CharField(max_length=200)
    options = models.JSONField(default=dict, blank=True)
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["key"]
        constraints = [models.UniqueConstraint(fields=["key", "revision"], name="language_model_revision_once")]

    def __str__(self) -> str:
        return self.name


class Batch(models.Model):
    """A full factorial of language model × prompt × embedding × temperature × query, `iterations` runs a cell."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        LAUNCHED = "launched", _("launched")
        PAUSED = "paused", _("paused")
        CANCELLED = "cancelled", _("cancelled")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=200)
    corpus = models.ForeignKey("corpora.Corpus", on_delete=models.PROTECT, related_name="batches")
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    iterations = models.PositiveSmallIntegerField(default=31)
    top_n = models.PositiveSmallIntegerField(default=5)
    max_new_tokens = models.PositiveSmallIntegerField(default=300)
    seed = models.PositiveBigIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    launched_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "batches"
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["draft", "launched", "paused", "cancelled"]), name="batch_state_known"
            ),
            models.CheckConstraint(condition=Q(iterations__range=(1, 1000)), name="batch_iterations_range"),
            models.CheckConstraint(condition=Q(top_n__range=(1, 100)), name="batch_top_n_range"),
            models.CheckConstraint(condition=Q(max_new_tokens__range=(1, 8192)), name="batch_max_new_tokens_range"),
        ]

    def __str__(self) -> str:
        return self.name


class Cell(models.Model):
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="cells")
    language_model = models.ForeignKey(LanguageModel, on_delete=models.PROTECT, related_name="cells")
    prompt = models.ForeignKey(Prompt, on_delete=models.PROTECT, related_name="cells")
    embedding_model = models.ForeignKey("corpora.EmbeddingModel", on_delete=models.PROTECT, related_name="+")
    temperature = models.DecimalField(max_digits=4, decimal_places=3)
    query = models.TextField()
    retrieval = models.ForeignKey(
        "corpora.Retrieval", on_delete=models.PROTECT, null=True, blank=True, related_name="cells"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "language_model", "prompt", "embedding_model", "temperature", "query"],
                name="cell_once",
            ),
            models.CheckConstraint(condition=Q(temperature__range=(0, 2)), name="cell_temperature_range"),
            models.CheckConstraint(condition=~Q(query=""), name="cell_has_query"),
        ]

    def __str__(self) -> str:
        return f"{self.language_model_id} · {self.prompt_id} · {self.embedding_model_id} · {self.temperature}"


class RunQuerySet(LeasedQuerySet):
    def of_launched_batches(self) -> "RunQuerySet":
        return self.filter(cell__batch__state=Batch.State.LAUNCHED)  # type: ignore[return-value]


class Run(Leased):
    """One iteration of a cell: leased by a worker, done when its abstract is stored."""

    MAX_ATTEMPTS = 3

    cell = models.ForeignKey(Cell, on_delete=models.CASCADE, related_name="runs")
    iteration = models.PositiveSmallIntegerField()
    seed = models.PositiveBigIntegerField()

    objects = RunQuerySet.as_manager()

    class Meta(Leased.Meta):
        constraints = [
            *Leased.Meta.constraints,
            models.UniqueConstraint(fields=["cell", "iteration"], name="run_iteration_once"),
            models.CheckConstraint(condition=Q(iteration__gte=1), name="run_iteration_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.cell_id} #{self.iteration}"


class Abstract(models.Model):
    """What a run wrote, with everything needed to say where it came from."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="abstract")
    text = models.ForeignKey("corpora.Text", on_delete=models.PROTECT, related_name="abstracts")
    raw_output = models.TextField()
    provenance = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return str(self.public_id)
