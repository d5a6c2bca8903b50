"""Reports written to files by a worker."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models.studies import Study
from leases.models import Leased


class Export(Leased):
    """The zip of a study's ratings, items and agreement report. Its salt makes pseudonyms that cannot be joined up."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="exports")
    format = models.CharField(max_length=10, default="zip")
    salt = models.CharField(max_length=64)
    seed = models.PositiveBigIntegerField(default=0)
    file = models.FileField(upload_to="exports/", blank=True)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta(Leased.Meta):
        ordering = ["-pk"]
        constraints = [
            *Leased.Meta.constraints,
            models.CheckConstraint(condition=Q(format__in=["zip"]), name="export_format_known"),
            models.CheckConstraint(condition=~Q(state="done") | ~Q(sha256=""), name="export_done_has_file"),
        ]

    def __str__(self) -> str:
        return f"{self.study_id} · {self.format}"
