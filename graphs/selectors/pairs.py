"""Two texts beside each other."""

from collections.abc import Iterable
from dataclasses import dataclass

from corpora.models import Corpus, Text
from graphs.models import ScoreSettings
from graphs.science.metric_registry import METRICS, Metric
from graphs.science.metrics import GraphMetrics
from graphs.science.normalisation import MetricRange, NormalisationRange
from graphs.science.scoring import score_text
from graphs.science.settings import GraphSettings
from graphs.science.undefined import Undefined
from graphs.selectors.ranges import corpus_range
from graphs.selectors.scores import scores_by_text


@dataclass(frozen=True)
class PairReading:
    """A metric of both texts, and the first minus the second; `reason` says why there is no difference."""

    metric: Metric
    first: float | None
    second: float | None
    difference: float | None
    reason: str


@dataclass(frozen=True)
class TextPair:
    """Both texts in figures, and their places on the radar or why they have none."""

    first: GraphMetrics
    second: GraphMetrics
    readings: list[PairReading]
    range: NormalisationRange
    radar: tuple[tuple[float, ...], tuple[float, ...]] | None
    no_radar: str


def compare_texts(
    *,
    first: Text,
    second: Text,
    settings: ScoreSettings | None,
    among: Iterable[int] = (),
    corpus: Corpus | None = None,
) -> TextPair:
    """Compare two texts, scored or not; without settings nothing has been scored yet.

    The radar's axes run over the scored texts `among` and these two; without such texts over the scored texts of
    `corpus`, outside of which a value is clipped.
    """
    others = set(among)
    scores = scores_by_text(text_ids=others | {first.pk, second.pk}, settings=settings) if settings else {}
    graph_settings = settings.as_graph_settings() if settings else GraphSettings()
    known = {text: score.as_metrics() for text, score in scores.items()}
    for text in (first, second):
        if text.pk not in known:
            known[text.pk] = score_text(text.body, graph_settings).metrics
    over = _over_corpus(corpus, settings) if settings and corpus and not others else None
    over = over or NormalisationRange.over("run", known.values())
    one, other = known[first.pk], known[second.pk]
    places = over.normalise(one.values()), over.normalise(other.values())
    missing = next((place.reason for place in places if isinstance(place, Undefined)), "")
    return TextPair(
        first=one,
        second=other,
        readings=[_reading(metric, one, other) for metric in METRICS],
        range=over,
        radar=None if isinstance(places[0], Undefined) or isinstance(places[1], Undefined) else (places[0], places[1]),
        no_radar=named(missing),
    )


def named(reason: str) -> str:
    """A reason with metrics by the names that people know."""
    # A metric and its inverse have one key within the other: the longer first.
    for each in sorted(METRICS, key=lambda metric: -len(metric.key)):
        reason = reason.replace(each.key, each.label.lower())
    return reason


def _over_corpus(corpus: Corpus, settings: ScoreSettings) -> NormalisationRange | None:
    found = corpus_range(corpus=corpus, settings=settings)
    if not found.axes:
        return None
    axes = {axis: MetricRange(*ends) for axis, ends in found.axes.items()}
    return NormalisationRange(name=corpus.name, graphs=found.texts, axes=axes)


def _reading(metric: Metric, first: GraphMetrics, second: GraphMetrics) -> PairReading:
    one, other = first.values()[metric.key], second.values()[metric.key]
    reasons = [each.undefined[metric.key] for each in (first, second) if metric.key in each.undefined]
    difference = None if one is None or other is None else one - other
    return PairReading(metric, one, other, difference, "; ".join(dict.fromkeys(reasons)))
