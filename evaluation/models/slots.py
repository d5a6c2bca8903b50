"""Seats: who rates which item, once a pass."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from evaluation.models.studies import Item, Study


class SlotQuerySet(models.QuerySet["Slot"]):
    def holding_a_seat(self) -> "SlotQuerySet":
        return self.filter(seat__isnull=False)

    def overdue(self) -> "SlotQuerySet":
        """Claimed and unanswered past the lease, by the database's clock."""
        return self.filter(state=Slot.State.CLAIMED, lease_expires_at__lt=Now())


class Slot(models.Model):
    """One reviewer's place at one item in one pass (0 is the rating, 1 and up are hidden repeats).

    A claimed or rated slot holds a seat number below the study's `raters_per_item`. An expired, skipped or withdrawn
    slot keeps its reviewer and gives the number up; an answer that comes after that is kept as surplus.
    """

    class State(models.TextChoices):
        CLAIMED = "claimed", _("claimed")
        RATED = "rated", _("rated")
        SKIPPED = "skipped", _("skipped")
        EXPIRED = "expired", _("expired")
        SURPLUS = "surplus", _("surplus")
        WITHDRAWN = "withdrawn", _("withdrawn")

    SEATED = (State.CLAIMED, State.RATED)

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="slots")
    pass_number = models.PositiveSmallIntegerField(default=0)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="slots")
    state = models.CharField(max_length=10, choices=State.choices, default=State.CLAIMED)
    position = models.PositiveIntegerField(help_text="The how-manieth item this is for its reviewer, from 1.")
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    skip_reason = models.CharField(max_length=300, blank=True, default="")
    claimed_at = models.DateTimeField(db_default=Now(), editable=False)
    answered_at = models.DateTimeField(null=True, blank=True)
    seconds_active = models.FloatField(default=0)

    objects = SlotQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "pass_number", "seat"], name="slot_seat_once"),
            models.UniqueConstraint(fields=["item", "reviewer", "pass_number"], name="slot_reviewer_once_a_pass"),
            models.CheckConstraint(
                condition=Q(state__in=["claimed", "rated", "skipped", "expired", "surplus", "withdrawn"]),
                name="slot_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["claimed", "rated"], seat__isnull=False)
                | Q(state__in=["skipped", "expired", "surplus", "withdrawn"], seat__isnull=True),
                name="slot_seat_follows_state",
            ),
            models.CheckConstraint(
                condition=~Q(state="claimed") | Q(lease_expires_at__isnull=False),
                name="slot_claimed_has_lease",
            ),
            models.CheckConstraint(
                condition=Q(seconds_active__gte=0, seconds_active__lt=float("inf")),
                name="slot_seconds_finite",
            ),
        ]
        indexes = [
            models.Index(fields=["reviewer", "position"], name="slot_in_order"),
            models.Index(fields=["lease_expires_at"], condition=Q(state="claimed"), name="slot_lease"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} · {self.reviewer_id}"


class Opening(models.Model):
    """A seat that nobody holds. Claiming deletes the row, giving a seat up puts it back: a queue, not a record.

    `ring` is the item's block: a reviewer works through one block, then begins another.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="openings")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="openings")
    pass_number = models.PositiveSmallIntegerField(default=0)
    seat = models.PositiveSmallIntegerField()
    ring = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "pass_number", "seat"], name="opening_seat_once")]
        indexes = [models.Index(fields=["study", "ring", "seat"], name="opening_ring")]

    def __str__(self) -> str:
        return f"{self.item_id} · {self.seat}"
