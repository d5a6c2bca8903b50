"""What reviewers answered. Revisions are append-only: the database itself refuses to change or delete one."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models.slots import Slot
from evaluation.models.studies import Criterion, Level


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
