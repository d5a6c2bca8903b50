"""Who uses an installation: people and the tokens of their scripts."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower, Now


class User(AbstractUser):
    """A person. Staff are researchers (the studio is theirs); everyone else reviews what they were invited to."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    erased_at = models.DateTimeField(null=True, blank=True, help_text="When name and address were erased on request.")

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(Lower("email"), condition=~models.Q(email=""), name="user_email_once"),
            models.CheckConstraint(
                condition=models.Q(erased_at__isnull=True) | models.Q(first_name="", last_name="", email=""),
                name="user_erased_is_nobody",
            ),
        ]

    def __str__(self) -> str:
        return self.get_full_name() or self.username


class ApiToken(models.Model):
    """A bearer token; only its SHA-256 is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(digest__regex=r"^[0-9a-f]{64}$"), name="api_token_digest_is_sha256"
            ),
        ]

    def __str__(self) -> str:
        return self.name
