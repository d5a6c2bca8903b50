"""Stored scores: a text is scored once under one settings hash, an abstract is profiled against its retrieved set."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from graphs.readings import Reading, read_metrics
from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.metrics import GraphMetrics
from graphs.science.settings import GraphSettings
from graphs.science.stopwords import StopwordList, stopword_list
from leases.models import Leased


def finite(*names: str) -> Q:
    """NaN and the infinities are refused: an undefined metric is null with a reason."""
    condition = Q()
    for name in names:
        condition &= Q(**{f"{name}__isnull": True}) | Q(**{f"{name}__gt": float("-inf"), f"{name}__lt": float("inf")})
    return condition


class ScoreSettings(models.Model):
    """How texts become graphs and graphs become numbers (graphs/science/settings.py), by its hash."""

    sha256 = models.CharField(max_length=64, unique=True)
    settings = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name_plural = "score settings"

    def __str__(self) -> str:
        return self.sha256[:12]

    def as_graph_settings(self) -> GraphSettings:
        """The settings that this row was made from.

        Raises
        ------
        ValueError
            If the scorer has changed since, so that a score made now would not be comparable.
        """
        stored, stopwords = self.settings, self.settings["stopwords"]
        words = stopwords.get("words")
        settings = GraphSettings(
            window=stored["window"],
            stopwords=stopword_list(stopwords["name"])
            if words is None
            else StopwordList(stopwords["name"], frozenset(words)),
            minimum_token_length=stored["minimum_token_length"],
            lemmatise=stored.get("lemmatise", False),
            weighting=stored["weighting"],
            self_loops=stored["self_loops"],
        )
        if settings.digest != self.sha256:
            raise ValueError(
                f"score settings {self} were made for scorer version {stored['scorer_version']}; score the texts anew"
            )
        return settings


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
    text_ids = models.JSONField()
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)

    class Meta(Leased.Meta):
        pass

    def __str__(self) -> str:
        return f"{self.done}/{self.total}"


class Profile(models.Model):
    """A generated abstract against the abstracts it was written from: differences by metric and radar areas."""

    abstract = models.ForeignKey("generation.Abstract", on_delete=models.CASCADE, related_name="profiles")
    settings = models.ForeignKey(ScoreSettings, on_delete=models.PROTECT, related_name="profiles")
    retrieval = models.ForeignKey("corpora.Retrieval", on_delete=models.PROTECT, related_name="profiles")
    references = models.PositiveSmallIntegerField()
    differences = models.JSONField(help_text="D_j by metric; null where undefined.")
    area_new = models.FloatField(null=True)
    area_reference = models.FloatField(null=True)
    area_difference = models.FloatField(null=True)
    order_free_area_new = models.FloatField(null=True)
    order_free_area_reference = models.FloatField(null=True)
    order_free_area_difference = models.FloatField(null=True)
    undefined = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["abstract", "settings", "retrieval"], name="profile_once"),
            models.CheckConstraint(
                condition=finite(
                    "area_new",
                    "area_reference",
                    "area_difference",
                    "order_free_area_new",
                    "order_free_area_reference",
                    "order_free_area_difference",
                ),
                name="profile_areas_finite",
            ),
            models.CheckConstraint(condition=Q(references__gte=1), name="profile_has_references"),
        ]

    def __str__(self) -> str:
        return f"{self.abstract_id} · {self.settings_id}"
