"""A study: items to be rated on criteria, each with ordered levels; frozen at launch."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class Study(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", "draft"
        OPEN = "open", "open"
        CLOSED = "closed", "closed"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    title = models.CharField(max_length=200)
    instructions = models.TextField(blank=True, help_text="Markdown, shown to reviewers before they begin.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    raters_per_item = models.PositiveSmallIntegerField(default=2)
    lease_minutes = models.PositiveIntegerField(
        default=60, help_text="How long an unanswered seat is kept for its reviewer."
    )
    order_seed = models.PositiveBigIntegerField(default=0)
    item_count = models.PositiveIntegerField(default=0, editable=False, help_text="Rated items, counted at launch.")
    frozen_sha256 = models.CharField(max_length=64, blank=True, default="", editable=False)
    supersedes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="superseded_by"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    launched_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "studies"
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["draft", "open", "closed"]), name="study_state_known"),
            models.CheckConstraint(condition=Q(raters_per_item__range=(1, 100)), name="study_raters_per_item_range"),
            models.CheckConstraint(condition=Q(lease_minutes__range=(1, 100_000)), name="study_lease_range"),
            models.CheckConstraint(
                condition=Q(state="draft") | ~Q(frozen_sha256=""), name="study_frozen_once_launched"
            ),
            models.CheckConstraint(
                condition=Q(supersedes__isnull=True) | ~Q(supersedes=F("id")), name="study_not_own_successor"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Criterion(models.Model):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="criteria")
    position = models.PositiveSmallIntegerField()
    key = models.SlugField(max_length=60)
    name = models.CharField(max_length=100)
    definition = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "criteria"
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="criterion_key_once"),
            models.UniqueConstraint(
                fields=["study", "position"],
                name="criterion_position_once",
                deferrable=models.Deferrable.DEFERRED,
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Level(models.Model):
    """One step of a criterion's scale. `index` is the order, from 0: data, never inferred from `label`."""

    criterion = models.ForeignKey(Criterion, on_delete=models.CASCADE, related_name="levels")
    index = models.PositiveSmallIntegerField()
    value = models.CharField(max_length=60, help_text="As it stands in exports.")
    label = models.CharField(max_length=100)
    definition = models.TextField(blank=True)

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["criterion", "index"], name="level_index_once"),
            models.UniqueConstraint(fields=["criterion", "value"], name="level_value_once"),
            # Redundant for uniqueness; the target of the rating's composite foreign key.
            models.UniqueConstraint(fields=["id", "criterion"], name="level_of_criterion"),
            models.CheckConstraint(condition=Q(index__range=(0, 10)), name="level_index_range"),
        ]

    def __str__(self) -> str:
        return self.label


class Item(models.Model):
    """A text to be rated: a generated abstract, a document, or an uploaded text."""

    class Kind(models.TextChoices):
        RATED = "rated", "rated"
        PRACTICE = "practice", "practice"
        ATTENTION = "attention", "attention check"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.RATED)
    external_id = models.CharField(max_length=200, help_text="The researcher's name for it; reviewers never see it.")
    question = models.TextField(blank=True)
    stratum = models.CharField(
        max_length=100, blank=True, default="", help_text="What allocation balances over: a cell, or a corpus."
    )
    shuffled_position = models.PositiveIntegerField(
        null=True, blank=True, editable=False, help_text="Its place in the order drawn from the study's seed at launch."
    )
    text = models.ForeignKey("corpora.Text", on_delete=models.PROTECT, related_name="items")
    abstract = models.ForeignKey(
        "generation.Abstract", on_delete=models.PROTECT, null=True, blank=True, related_name="items"
    )
    document = models.ForeignKey(
        "corpora.Document", on_delete=models.PROTECT, null=True, blank=True, related_name="items"
    )

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="item_position_once"),
            models.UniqueConstraint(fields=["study", "external_id"], name="item_external_id_once"),
            models.CheckConstraint(
                condition=Q(abstract__isnull=True) | Q(document__isnull=True), name="item_at_most_one_source"
            ),
            models.CheckConstraint(condition=Q(kind__in=["rated", "practice", "attention"]), name="item_kind_known"),
        ]

    def __str__(self) -> str:
        return self.external_id
