"""A generated abstract against the abstracts it was written from, once all of them are scored."""

from collections import defaultdict
from collections.abc import Sequence

from corpora.models import Retrieved
from generation.models import Abstract
from graphs import selectors
from graphs.models import Profile, ScoreSettings
from graphs.science.profile import Profile as Comparison
from graphs.science.profile import RadarAreas, compute_profile

ABSTRACTS_PER_PASS = 500


def profile_abstracts(*, abstract_ids: Sequence[int], settings: ScoreSettings) -> int:
    """Profile those abstracts whose own text and whole retrieved set are scored; the number that were.

    An abstract that has its profile keeps it: a profile follows from rows that never change.
    """
    abstracts = list(
        Abstract.objects.filter(pk__in=abstract_ids, run__cell__retrieval__isnull=False)
        .order_by("pk")
        .values_list("pk", "text_id", "run__cell__retrieval_id")
    )
    references: dict[int, list[int]] = defaultdict(list)
    rows = Retrieved.objects.filter(retrieval__in={retrieval for _, _, retrieval in abstracts}).order_by("rank")
    for retrieval, text in rows.values_list("retrieval_id", "text_id"):
        references[retrieval].append(text)
    texts = {text for _, text, _ in abstracts}.union(*references.values())
    metrics = {
        text: score.as_metrics() for text, score in selectors.scores_by_text(text_ids=texts, settings=settings).items()
    }
    profiles = [
        _profile(abstract, settings, retrieval, compute_profile(metrics[text], [metrics[each] for each in compared]))
        for abstract, text, retrieval in abstracts
        if (compared := references[retrieval]) and metrics.keys() >= {text, *compared}
    ]
    Profile.objects.bulk_create(profiles, ignore_conflicts=True)
    return len(profiles)


def profile_ready_abstracts(*, settings: ScoreSettings) -> int:
    """Profile the abstracts that wait for nothing else, at most `ABSTRACTS_PER_PASS` of them."""
    ready = selectors.abstracts_ready_to_profile(settings=settings, limit=ABSTRACTS_PER_PASS)
    return profile_abstracts(abstract_ids=ready, settings=settings) if ready else 0


def _profile(abstract: int, settings: ScoreSettings, retrieval: int, comparison: Comparison) -> Profile:
    undefined = dict(comparison.undefined)
    if comparison.areas_undefined:
        undefined["areas"] = comparison.areas_undefined
    return Profile(
        abstract_id=abstract,
        settings=settings,
        retrieval_id=retrieval,
        references=comparison.reference_size,
        differences=comparison.differences,
        undefined=undefined,
        **_areas("", comparison.paper_order),
        **_areas("order_free_", comparison.order_free),
    )


def _areas(prefix: str, areas: RadarAreas | None) -> dict[str, float | None]:
    return {
        f"{prefix}area_new": areas.new if areas else None,
        f"{prefix}area_reference": areas.average if areas else None,
        f"{prefix}area_difference": areas.difference if areas else None,
    }
