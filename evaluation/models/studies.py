"""A study: items to be rated on criteria, each with ordered levels; frozen at launch."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Study(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    title = models.CharField(max_length=200)
    instructions = models.TextField(blank=True, help_text="Markdown, shown to reviewers before they begin.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    raters_per_item = models.PositiveSmallIntegerField(default=2)
    lease_minutes = models.PositiveIntegerField(
        default=60, help_text="How long an unanswered seat is kept for its reviewer."
    )
    order_seed = models.PositiveBigIntegerField(default=0)
    draws = models.JSONField(
        default=list,
        blank=True,
        editable=False,
        help_text="How texts were drawn: source, seed, and the balance reached.",
    )
    item_count = models.PositiveIntegerField(default=0, editable=False, help_text="Rated items, counted at launch.")
    frozen_sha256 = models.CharField(max_length=64, blank=True, default="", editable=False)
    asks_confidence = models.BooleanField(default=False, help_text="Ask how sure the reviewer is of each text.")
    allows_highlights = models.BooleanField(default=False, help_text="Let reviewers mark the words that decided them.")
    asks_authorship = models.BooleanField(
        default=False, help_text="Ask at the end which of the texts were written by people."
    )
    repeats = models.PositiveSmallIntegerField(
        default=0, help_text="How many texts each reviewer is given a second time, unannounced."
    )
    repeat_distance = models.PositiveSmallIntegerField(
        default=10, help_text="The fewest other texts between a text and its repeat."
    )
    attention_every = models.PositiveSmallIntegerField(
        default=10, help_text="One attention check within each so many rated texts."
    )
    consent = models.TextField(blank=True, default="", help_text="Markdown; who joins has to agree to it first.")
    allows_self_registration = models.BooleanField(
        default=False, help_text="Anyone with the study's address may join as a reviewer."
    )
    default_quota = models.PositiveIntegerField(
        null=True, blank=True, help_text="The most texts given to a reviewer who joins without a personal link."
    )
    participant_parameter = models.CharField(
        max_length=40,
        default="PROLIFIC_PID",
        help_text="The part of a panel's link that names the participant.",
    )
    completion_code = models.CharField(max_length=100, blank=True, default="", help_text="Shown to who has finished.")
    completion_url = models.URLField(blank=True, default="", help_text="Where who has finished is sent back to.")
    agreement_from = models.PositiveSmallIntegerField(
        default=100, help_text="Percent of the ratings that must be in before agreement is shown."
    )
    reminder_days = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Remind reviewers by mail who were away for so many days."
    )
    archived_at = models.DateTimeField(null=True, blank=True)
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
            models.CheckConstraint(condition=Q(agreement_from__range=(0, 100)), name="study_agreement_from_percent"),
            models.CheckConstraint(condition=Q(attention_every__gte=1), name="study_attention_every_from_one"),
            models.CheckConstraint(
                condition=Q(supersedes__isnull=True) | ~Q(supersedes=F("id")), name="study_not_own_successor"
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Criterion(models.Model):
    """What is judged: by an ordered level, from which agreement is computed, or by a number or words."""

    class Kind(models.TextChoices):
        LEVELS = "levels", _("ordered levels")
        NUMBER = "number", _("a number")
        WORDS = "words", _("words")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="criteria")
    position = models.PositiveSmallIntegerField()
    key = models.SlugField(max_length=60)
    name = models.CharField(max_length=100)
    definition = models.TextField(blank=True)
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.LEVELS)
    minimum = models.FloatField(null=True, blank=True)
    maximum = models.FloatField(null=True, blank=True)
    is_required = models.BooleanField(default=True)

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
            models.CheckConstraint(condition=Q(kind__in=["levels", "number", "words"]), name="criterion_kind_known"),
            models.CheckConstraint(
                condition=Q(kind="number") | Q(minimum__isnull=True, maximum__isnull=True),
                name="criterion_range_of_numbers",
            ),
            models.CheckConstraint(
                condition=Q(minimum__isnull=True) | Q(maximum__isnull=True) | Q(minimum__lt=F("maximum")),
                name="criterion_range_in_order",
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


class Anchor(models.Model):
    """An example that shows what a level means: a short text, and why it has that level."""

    level = models.ForeignKey(Level, on_delete=models.CASCADE, related_name="anchors")
    position = models.PositiveSmallIntegerField()
    body = models.TextField()
    explanation = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["level", "position"], name="anchor_position_once"),
            models.CheckConstraint(condition=~Q(body=""), name="anchor_not_empty"),
        ]

    def __str__(self) -> str:
        return self.body[:80]


class Item(models.Model):
    """A text to be rated: a generated abstract, a document, or an uploaded text."""

    class Kind(models.TextChoices):
        RATED = "rated", _("rated")
        PRACTICE = "practice", _("practice")
        ATTENTION = "attention", _("attention check")

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
    block = models.PositiveIntegerField(
        null=True, blank=True, editable=False, help_text="The block it was put into at launch."
    )
    feedback = models.TextField(
        blank=True, default="", help_text="Shown after a practice text was rated: why these levels."
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
        indexes = [
            models.Index(fields=["study", "block"], condition=Q(block__isnull=False), name="item_block"),
            models.Index(fields=["study", "kind"], condition=~Q(kind="rated"), name="item_set_apart"),
        ]

    def __str__(self) -> str:
        return self.external_id


class Expectation(models.Model):
    """The level that a practice text or attention check ought to get on a criterion. Shown after practice only."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="expectations")
    criterion = models.ForeignKey(Criterion, on_delete=models.CASCADE, related_name="+")
    # The migration adds a composite foreign key (level, criterion).
    level = models.ForeignKey(Level, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "criterion"], name="expectation_once")]

    def __str__(self) -> str:
        return f"{self.item_id} · {self.level_id}"
