"""Who takes part in a study, and the links by which they come."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models.studies import Study


class Membership(models.Model):
    class Role(models.TextChoices):
        OWNER = "owner", "owner"
        MANAGER = "manager", "manager"
        REVIEWER = "reviewer", "reviewer"
        VIEWER = "viewer", "viewer"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    quota = models.PositiveIntegerField(null=True, blank=True, help_text="The most items this reviewer is given.")
    joined_at = models.DateTimeField(db_default=Now(), editable=False)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="membership_once"),
            models.CheckConstraint(
                condition=Q(role__in=["owner", "manager", "reviewer", "viewer"]), name="membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.role}"


class Invitation(models.Model):
    """A personal link: it makes an account when first accepted, and signs in to it until it expires or is revoked."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="invitations")
    name = models.CharField(max_length=150)
    email = models.EmailField(blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="invitations"
    )
    quota = models.PositiveIntegerField(null=True, blank=True, help_text="The most texts this person is given.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    sent_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "email"],
                condition=~Q(email="") & Q(revoked_at__isnull=True),
                name="invitation_email_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name
