"""A text is scored once under one settings hash."""

from django.db import models
from django.db.models.functions import Now

from graphs.models.constraints import finite
from graphs.models.settings import ScoreSettings
from graphs.readings import Reading, read_metrics
from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.metrics import GraphMetrics
from leases.models import Leased


class Score(models.Model):
    """The co-occurrence graph of a text in numbers."""

    text = models.ForeignKey("corpora.Text", on_delete=models.PROTECT, related_name="scores")
    settings = models.ForeignKey(ScoreSettings, on_delete=models.PROTECT, related_name="scores")
    tokens = models.PositiveIntegerField()
    nodes = models.PositiveIntegerField()
    edges = models.PositiveIntegerField()
    components = models.PositiveIntegerField()
    global_efficiency = models.FloatField(null=True)
    average_edge_betweenness = models.FloatField(null=True)
    inverse_average_edge_betweenness = models.FloatField(null=True)
    spectral_radius = models.FloatField(null=True)
    spectral_gap = models.FloatField(null=True)
    natural_connectivity = models.FloatField(null=True)
    algebraic_connectivity = models.FloatField(null=True)
    effective_conductance = models.FloatField(null=True)
    undefined = models.JSONField(default=dict, blank=True, help_text="Why a metric is null.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["text", "settings"], name="score_once"),
            models.CheckConstraint(condition=finite(*METRIC_KEYS), name="score_metrics_finite"),
        ]

    def __str__(self) -> str:
        return f"{self.text_id} · {self.settings_id}"

    def as_metrics(self) -> GraphMetrics:
        return GraphMetrics(
            nodes=self.nodes,
            edges=self.edges,
            components=self.components,
            **{key: getattr(self, key) for key in METRIC_KEYS},
            undefined=self.undefined,
        )

    @property
    def readings(self) -> list[Reading]:
        return read_metrics(self.as_metrics())


class ScoringJob(Leased):
    """Score the texts among `text_ids` that have no score under these settings yet."""

    settings = models.ForeignKey(ScoreSettings, on_delete=models.PROTECT, related_name="jobs")
    corpus = models.ForeignKey(
        "corpora.Corpus",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="scoring_jobs",
        help_text="Whose page started it.",
    )
    text_ids = models.JSONField()
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)

    class Meta(Leased.Meta):
        pass

    def __str__(self) -> str:
        return f"{self.done}/{self.total}"
