"""What reviewers answered. Revisions are append-only: the database itself refuses to change or delete one."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from evaluation.models.slots import Slot
from evaluation.models.studies import Criterion, Item, Level


class Submission(models.Model):
    """One request that stored something, by the key its sender chose: the same key again changes nothing."""

    key = models.UUIDField(primary_key=True)
    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, related_name="submissions")
    # What the sender was told, so that the same key is answered in the same words.
    answered = models.PositiveSmallIntegerField(default=0, help_text="Criteria that stood answered once it was stored.")
    criteria = models.PositiveSmallIntegerField(default=0, help_text="Criteria there were.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return str(self.key)


class Rating(models.Model):
    """A level given on one criterion; the highest revision is the answer in force."""

    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, related_name="ratings")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="ratings")
    # The migration adds a composite foreign key (level, criterion), so that a level cannot come from another scale.
    level = models.ForeignKey(Level, on_delete=models.PROTECT, related_name="ratings")
    revision = models.PositiveSmallIntegerField(default=1)
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="ratings")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["slot", "criterion", "revision"], name="rating_revision_once"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="rating_revision_from_one"),
        ]
        indexes = [models.Index(fields=["criterion", "slot", "-revision"], name="rating_in_force")]

    def __str__(self) -> str:
        return f"{self.slot_id} · {self.criterion_id} · {self.level_id}"


class OpenAnswer(models.Model):
    """A number or words given on a criterion without levels; the highest revision is the answer in force."""

    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, related_name="open_answers")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="open_answers")
    number = models.FloatField(null=True, blank=True)
    words = models.TextField(blank=True, default="")
    revision = models.PositiveSmallIntegerField(default=1)
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="open_answers")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["slot", "criterion", "revision"], name="open_answer_revision_once"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="open_answer_revision_from_one"),
            models.CheckConstraint(condition=Q(number__isnull=True) | Q(words=""), name="open_answer_number_or_words"),
        ]

    def __str__(self) -> str:
        return self.words[:80] or str(self.number)


class Confidence(models.Model):
    """How sure the reviewer is of what they answered, from 1 (guessing) to 5 (certain); the highest revision holds."""

    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, related_name="confidences")
    value = models.PositiveSmallIntegerField()
    revision = models.PositiveSmallIntegerField(default=1)
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="confidences")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["slot", "revision"], name="confidence_revision_once"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="confidence_revision_from_one"),
            models.CheckConstraint(condition=Q(value__range=(1, 5)), name="confidence_value_range"),
        ]

    def __str__(self) -> str:
        return f"{self.slot_id} · {self.value}"


class Highlight(models.Model):
    """The stretches of a text that decided a criterion, as `[[start, end], …]` in characters of the text as shown."""

    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, related_name="highlights")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="highlights")
    spans = models.JSONField(default=list)
    revision = models.PositiveSmallIntegerField(default=1)
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="highlights")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["slot", "criterion", "revision"], name="highlight_revision_once"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="highlight_revision_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.slot_id} · {self.criterion_id}"


class Comment(models.Model):
    """A remark on an item. Unlike ratings it may be redacted, since people write names into comments."""

    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, related_name="comments")
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    redacted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(redacted_at__isnull=True) | Q(body=""), name="comment_redacted_is_empty"
            ),
        ]

    def __str__(self) -> str:
        return self.body[:80]


class AuthorshipGuess(models.Model):
    """What a reviewer thinks in the end: was the text written by a person or by a machine?"""

    class Guess(models.TextChoices):
        PERSON = "person", _("a person")
        MACHINE = "machine", _("a machine")
        UNSURE = "unsure", _("I cannot tell")

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="guesses")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="guesses")
    guess = models.CharField(max_length=10, choices=Guess.choices)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name_plural = "authorship guesses"
        constraints = [
            models.UniqueConstraint(fields=["item", "reviewer"], name="guess_once"),
            models.CheckConstraint(condition=Q(guess__in=["person", "machine", "unsure"]), name="guess_known"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} · {self.guess}"


class Adjudication(models.Model):
    """The level that an adjudicator settled on for an item its raters disagreed about. Never part of agreement."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="adjudications")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="adjudications")
    # The migration adds a composite foreign key (level, criterion).
    level = models.ForeignKey(Level, on_delete=models.PROTECT, related_name="adjudications")
    revision = models.PositiveSmallIntegerField(default=1)
    reason = models.TextField(blank=True, default="")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "criterion", "revision"], name="adjudication_revision_once"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="adjudication_revision_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} · {self.level_id}"
