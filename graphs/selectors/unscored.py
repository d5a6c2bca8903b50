"""Which texts wait for a score, and which abstracts for a profile."""

from collections.abc import Iterable
from itertools import islice

from django.db.models import Exists, OuterRef, QuerySet

from corpora.models import Retrieved, Text
from generation.models import Abstract, Cell
from graphs.models import Profile, Score, ScoreSettings, ScoringJob
from leases.models import State

# An IN list this long is still read and planned in milliseconds.
KEYS_PER_QUERY = 5000


def unscored(*, text_ids: Iterable[int], settings: ScoreSettings) -> list[int]:
    """The texts among `text_ids` that exist and have no score under these settings, by key."""
    keys = sorted(set(text_ids))
    found: list[int] = []
    for start in range(0, len(keys), KEYS_PER_QUERY):
        part = Text.objects.filter(pk__in=keys[start : start + KEYS_PER_QUERY])
        found += part.exclude(_scored("pk", settings)).order_by("pk").values_list("pk", flat=True)
    return found


def texts_in_active_jobs(*, settings: ScoreSettings) -> set[int]:
    return _texts(ScoringJob.objects.filter(settings=settings, state__in=[State.QUEUED, State.RUNNING]))


def texts_to_find(*, settings: ScoreSettings, limit: int) -> list[int]:
    """Texts that should be scored and that nobody has queued: generated abstracts and what they were written from.

    A text in a failed or cancelled job stays out, or it would be tried for ever: a person starts it again.
    """
    tried = _texts(ScoringJob.objects.filter(settings=settings).exclude(state=State.DONE))
    written = Abstract.objects.exclude(_scored("text", settings))
    used = Exists(Cell.objects.filter(retrieval=OuterRef("retrieval")))
    read = Retrieved.objects.filter(used).exclude(_scored("text", settings))
    found: dict[int, None] = {}
    for rows in (written, read):
        # Left out here and not in the query: a list of a hundred thousand keys takes the database seconds to read.
        waiting = rows.order_by("-pk").values_list("text_id", flat=True).iterator(chunk_size=KEYS_PER_QUERY)
        found |= dict.fromkeys(islice((text for text in waiting if text not in tried), limit))
    return list(found)[:limit]


def abstracts_ready_to_profile(*, settings: ScoreSettings, limit: int) -> list[int]:
    """Abstracts without a profile whose own text and whole retrieved set are scored under these settings."""
    retrieved = Retrieved.objects.filter(retrieval=OuterRef("run__cell__retrieval"))
    ready = Abstract.objects.filter(
        _scored("text", settings),
        Exists(retrieved),
        ~Exists(retrieved.exclude(_scored("text", settings))),
        ~Exists(Profile.objects.filter(abstract=OuterRef("pk"), settings=settings)),
    )
    return list(ready.order_by("pk").values_list("pk", flat=True)[:limit])


def _scored(text: str, settings: ScoreSettings) -> Exists:
    return Exists(Score.objects.filter(text=OuterRef(text), settings=settings))


def _texts(jobs: QuerySet[ScoringJob]) -> set[int]:
    return set().union(*jobs.values_list("text_ids", flat=True))
