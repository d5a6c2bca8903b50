"""Texts against null models: what came out, and the draws still to be made."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from graphs.models.settings import ScoreSettings
from leases.models import Leased


class NullComparison(models.Model):
    """A text's metrics among those of random graphs: of the same text, settings, null model and seed the same row.

    The figures are null until every chunk of draws is done; then all of them stand, and for good.
    """

    text = models.ForeignKey("corpora.Text", on_delete=models.PROTECT, related_name="null_comparisons")
    settings = models.ForeignKey(ScoreSettings, on_delete=models.PROTECT, related_name="null_comparisons")
    null_model = models.CharField(max_length=20, help_text="Key in graphs.science.NULL_MODELS.")
    draws = models.PositiveIntegerField()
    seed = models.PositiveBigIntegerField(default=0)
    metrics = models.JSONField(null=True, blank=True, help_text="By metric: observed, mean, sd, z, p, p_holm, reason.")
    distributions = models.JSONField(null=True, blank=True, help_text="By metric: low, high and counts of equal bins.")
    edges = models.PositiveIntegerField(null=True, blank=True, help_text="Links of the text's own graph.")
    edges_mean = models.FloatField(null=True, blank=True)
    edges_sd = models.FloatField(null=True, blank=True)
    connected = models.PositiveIntegerField(null=True, blank=True, help_text="How many draws are connected.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["text", "settings", "null_model", "draws", "seed"], name="null_comparison_once"
            ),
            models.CheckConstraint(condition=Q(draws__gte=1), name="null_comparison_has_draws"),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True, metrics__isnull=True)
                | Q(
                    finished_at__isnull=False,
                    metrics__isnull=False,
                    distributions__isnull=False,
                    edges__isnull=False,
                    edges_mean__isnull=False,
                    edges_sd__isnull=False,
                    connected__isnull=False,
                ),
                name="null_comparison_whole_or_nothing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.text_id} · {self.null_model} × {self.draws}"


class NullChunk(Leased):
    """Draws `start` to `stop` (excluded) of a comparison; their metrics are kept until all chunks are joined."""

    comparison = models.ForeignKey(NullComparison, on_delete=models.CASCADE, related_name="chunks")
    start = models.PositiveIntegerField()
    stop = models.PositiveIntegerField()
    drawn = models.BinaryField(default=b"", help_text="Arrays of graphs.science.null_draws.NullDraws, as .npz.")

    class Meta(Leased.Meta):
        constraints = [
            *Leased.Meta.constraints,
            models.UniqueConstraint(fields=["comparison", "start"], name="null_chunk_once"),
            models.CheckConstraint(condition=Q(stop__gt=F("start")), name="null_chunk_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.comparison_id}: {self.start}–{self.stop}"
