"""Work that a queue hands out, held by a lease in the database.

A broker message is only a hint that a row may be ready. Whoever works on a row holds its lease: an owner, an expiry by
the database's clock, and a fencing token that grows with every claim. A result is written only where the token still
matches, so a worker that was thought dead and comes back late changes nothing.
"""

from typing import Self, TypeVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class State(models.TextChoices):
    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


Row = TypeVar("Row", bound="Leased", covariant=True)


class LeasedQuerySet(models.QuerySet[Row]):
    def active(self) -> Self:
        return self.filter(state__in=[State.QUEUED, State.RUNNING])

    def expired(self) -> Self:
        """Running rows whose worker has stopped renewing its lease."""
        return self.filter(state=State.RUNNING, lease_expires_at__lt=Now())

    def claimable(self) -> Self:
        return self.filter(Q(state=State.QUEUED) | Q(state=State.RUNNING, lease_expires_at__lt=Now()))


class Leased(models.Model):
    """A row that at most one worker may bring from queued to done."""

    MAX_ATTEMPTS = 5

    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    lease_owner = models.CharField(max_length=200, blank=True, default="")
    lease_token = models.PositiveBigIntegerField(default=0)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True, default="")
    queued_at = models.DateTimeField(db_default=Now())
    sent_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(condition=Q(state__in=State.values), name="%(class)s_state_known"),
            models.CheckConstraint(
                condition=~Q(state=State.RUNNING) | Q(lease_expires_at__isnull=False),
                name="%(class)s_running_has_lease",
            ),
        ]
        indexes = [
            models.Index(
                fields=["queued_at"],
                condition=Q(state__in=[State.QUEUED, State.RUNNING]),
                name="%(class)s_active",
            ),
        ]
