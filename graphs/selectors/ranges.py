"""Ranges of the radar's metrics over the texts of a corpus, frozen or as they are now."""

from dataclasses import dataclass

from django.db.models import Aggregate, Count, Exists, Max, Min, OuterRef, Q, QuerySet

from corpora.models import Corpus, Document
from graphs.models import ReferenceRange, Score, ScoreSettings
from graphs.science.metric_registry import RADAR_AXES


@dataclass(frozen=True)
class CorpusRange:
    """Smallest and largest value by metric over `texts` texts; `left_out` lack a metric, `unscored` have no score."""

    axes: dict[str, tuple[float, float]]
    texts: int
    left_out: int
    unscored: int


def reference_ranges(*, settings: ScoreSettings) -> QuerySet[ReferenceRange]:
    """The frozen ranges for scores under these settings, the newest first."""
    return ReferenceRange.objects.filter(settings=settings).select_related("corpus")


def corpus_range(*, corpus: Corpus, settings: ScoreSettings) -> CorpusRange:
    """The range over a corpus as it is now; the database looks for the ends. A text counts once."""
    of_corpus = Exists(Document.objects.filter(corpus=corpus, text=OuterRef("text")))
    whole = Q(**{f"{axis}__isnull": False for axis in RADAR_AXES})
    ends: dict[str, Aggregate] = {f"low_{axis}": Min(axis, filter=whole) for axis in RADAR_AXES}
    ends |= {f"high_{axis}": Max(axis, filter=whole) for axis in RADAR_AXES}
    found = Score.objects.filter(of_corpus, settings=settings).aggregate(
        scored=Count("pk"), whole=Count("pk", filter=whole), **ends
    )
    texts = Document.objects.filter(corpus=corpus).values("text").distinct().count()
    axes = {axis: (found[f"low_{axis}"], found[f"high_{axis}"]) for axis in RADAR_AXES} if found["whole"] else {}
    return CorpusRange(
        axes=axes,
        texts=found["whole"],
        left_out=found["scored"] - found["whole"],
        unscored=texts - found["scored"],
    )
