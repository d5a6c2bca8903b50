"""Generated abstracts against what they were written from, and ranges that make such figures comparable."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from graphs.models.constraints import finite
from graphs.models.settings import ScoreSettings
from graphs.science.normalisation import MetricRange, NormalisationRange


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


class ReferenceRange(models.Model):
    """Smallest and largest value of each metric over the texts of a corpus as it was on a day; never changed.

    Radars drawn with the same range can be compared with each other, whatever was retrieved for their texts.
    """

    corpus = models.ForeignKey("corpora.Corpus", on_delete=models.PROTECT, related_name="reference_ranges")
    settings = models.ForeignKey(ScoreSettings, on_delete=models.PROTECT, related_name="reference_ranges")
    texts = models.PositiveIntegerField(help_text="Texts that the range was taken over.")
    left_out = models.PositiveIntegerField(default=0, help_text="Texts for which a metric of the radar is undefined.")
    axes = models.JSONField(help_text="Smallest and largest value by metric.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(condition=Q(texts__gte=2), name="reference_range_of_two_texts")]

    def __str__(self) -> str:
        return f"{self.corpus_id} · {self.texts} texts"

    def as_normalisation(self) -> NormalisationRange:
        axes = {axis: MetricRange(smallest, largest) for axis, (smallest, largest) in self.axes.items()}
        return NormalisationRange(name=self.corpus.name, graphs=self.texts, axes=axes)
