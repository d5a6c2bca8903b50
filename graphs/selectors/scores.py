"""Stored scores."""

from collections.abc import Iterable

from django.utils.translation import gettext

from graphs.models import Score, ScoreSettings, ScoringJob
from graphs.science.settings import GraphSettings
from leases.models import State


def default_score_settings() -> ScoreSettings | None:
    """The settings that everything is scored under; None as long as nothing has been."""
    return ScoreSettings.objects.filter(sha256=GraphSettings().digest).first()


def scores_by_text(*, text_ids: Iterable[int], settings: ScoreSettings) -> dict[int, Score]:
    scores = Score.objects.filter(text__in=set(text_ids), settings=settings)
    return {score.text_id: score for score in scores}


def score_of_text(*, text_id: int) -> Score | None:
    """The score of a text under the default settings."""
    return Score.objects.filter(text=text_id, settings__sha256=GraphSettings().digest).first()


def scoring_error(*, text_ids: Iterable[int], settings: ScoreSettings) -> str:
    """Why one of these unscored texts is not waited for any more: the error of the last job that tried it."""
    wanted = set(text_ids)
    jobs = ScoringJob.objects.filter(settings=settings).exclude(state=State.DONE).order_by("-pk")
    for texts, state, error in jobs.values_list("text_ids", "state", "error"):
        tried = wanted.intersection(texts)
        if tried and state in (State.FAILED, State.CANCELLED):
            return error or gettext("the scoring job was %(state)s") % {"state": State(state).label}
        wanted -= tried
    return ""
