"""Score settings survive the database, and the database takes no figure that is not a number."""

import math

import pytest
from django.db import IntegrityError, transaction

from graphs import services
from graphs.models import Profile, Score, ScoreSettings
from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.scoring import score_text
from graphs.science.settings import GraphSettings
from graphs.science.stopwords import NO_STOPWORDS, StopwordList
from tests.factories import make_abstract, make_text

pytestmark = pytest.mark.django_db

AREAS = [field.name for field in Profile._meta.fields if "area" in field.name]


@pytest.mark.parametrize(
    "settings",
    [
        GraphSettings(),
        GraphSettings(window=5, weighting="count", self_loops=True, minimum_token_length=3),
        GraphSettings(stopwords=NO_STOPWORDS),
        GraphSettings(stopwords=StopwordList("house list", frozenset({"slurry", "pond"}))),
    ],
    ids=["default", "all changed", "no stop words", "own stop words"],
)
def test_settings_come_back_from_the_database_as_they_were(settings: GraphSettings) -> None:
    services.ensure_settings(settings=settings)
    restored = ScoreSettings.objects.get().as_graph_settings()
    assert restored == settings
    assert restored.stopwords.words == settings.stopwords.words


def test_settings_are_stored_once() -> None:
    first = services.ensure_settings(settings=GraphSettings())
    assert services.ensure_default_settings() == first
    assert services.ensure_settings(settings=GraphSettings(window=4)) != first


def test_settings_of_another_scorer_version_are_not_used() -> None:
    row = services.ensure_default_settings()
    row.sha256 = "0" * 64
    with pytest.raises(ValueError, match="scorer version"):
        row.as_graph_settings()


def test_a_score_comes_back_as_the_metrics_it_was_made_from() -> None:
    text = make_text("Slow rivers carry sand. Slow rivers carry silt.")
    services.score_texts(text_ids=[text.pk], settings=services.ensure_default_settings())
    assert Score.objects.get().as_metrics() == score_text(text.body).metrics


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("metric", METRIC_KEYS)
def test_the_database_refuses_a_metric_that_is_no_number(metric: str, value: float) -> None:
    settings = services.ensure_default_settings()
    with pytest.raises(IntegrityError, match="score_metrics_finite"), transaction.atomic():
        Score.objects.create(
            text=make_text(), settings=settings, tokens=1, nodes=1, edges=0, components=1, **{metric: value}
        )


@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize("area", AREAS)
def test_the_database_refuses_an_area_that_is_no_number(area: str, value: float) -> None:
    abstract = make_abstract()
    with pytest.raises(IntegrityError, match="profile_areas_finite"), transaction.atomic():
        Profile.objects.create(
            abstract=abstract,
            settings=services.ensure_default_settings(),
            retrieval=abstract.run.cell.retrieval,
            references=1,
            differences={},
            **{area: value},
        )
