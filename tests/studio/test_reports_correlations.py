"""The correlations' section: the science's figures, reasons where there are none, one measure drawn."""

import numpy as np
import pytest
from django.core.cache import cache
from django.urls import reverse

from evaluation.models import Study
from evaluation.science.correlations import CorrelationOptions, correlate_items
from evaluation.science.ratings import RatingsTable
from evaluation.selectors.correlations import MEASURES
from graphs.models import Score, ScoreSettings
from graphs.science.metric_registry import METRIC_KEYS, RADAR_AXES
from graphs.science.settings import GraphSettings
from tests.factories import make_rated_study, make_researcher, make_study, make_user

pytestmark = pytest.mark.django_db

LEVELS = ("low", "medium", "high")
CODES = [[0, 1], [2, 2], [1, 1], [0, 0], [2, 1], [1, 2], [0, 1], [2, 2], [1, 0], [2, 2], [0, 0], [1, 1]]
ANSWERS = {"meaningfulness": [[LEVELS[code] for code in row] for row in CODES]}


@pytest.fixture(autouse=True)
def empty_cache(embedded_valkey):
    cache.clear()


@pytest.fixture
def researcher(client):
    client.force_login(make_researcher())
    return client


def score(study: Study) -> dict[str, list[float | None]]:
    """Scores drawn from a seed; algebraic connectivity is undefined for the first item, the radius is constant."""
    settings = ScoreSettings.objects.create(sha256=GraphSettings().digest, settings=GraphSettings().as_dict())
    rng = np.random.default_rng(7)
    drawn: dict[str, list[float | None]] = {key: [] for key in METRIC_KEYS}
    for number, item in enumerate(study.items.order_by("position")):
        values: dict[str, float | None] = {key: rng.random() for key in METRIC_KEYS} | {"spectral_radius": 2.0}
        undefined = {}
        if number == 0:
            values["algebraic_connectivity"], undefined = None, {"algebraic_connectivity": "a single word"}
        Score.objects.create(
            text=item.text, settings=settings, tokens=9, nodes=8, edges=7, components=1, undefined=undefined, **values
        )
        for key, value in values.items():
            drawn[key].append(value)
    return drawn


def address(study):
    return reverse("studio:study_correlations", args=[study.public_id])


def test_the_figures_are_those_of_the_science(researcher):
    study = make_rated_study(answers=ANSWERS)
    drawn = score(study)
    metrics = {key: drawn.get(key, [None] * len(CODES)) for key in MEASURES}
    expected = correlate_items(
        {"meaningfulness": RatingsTable.from_codes(CODES, levels=LEVELS)}, metrics, options=CorrelationOptions(seed=0)
    )
    (section,) = researcher.get(address(study)).context["correlations"]["criteria"]
    rows = {row["name"]: row for row in section["rows"]}
    defined = [entry for entry in expected if entry.spearman.value is not None]
    assert len(rows) == len(defined) == 6
    for row, entry in zip(section["rows"], defined, strict=True):
        assert row["n"] == entry.n
        for printed, value in (
            (row["rho"], entry.spearman.value),
            (row["tau"], entry.kendall.value),
            (row["corrected"], entry.corrected),
        ):
            assert float(printed.replace("−", "-")) == pytest.approx(value, abs=0.005)
        for printed, value in (
            (row["p"], entry.spearman.p),
            (row["permutation_p"], entry.spearman.permutation_p),
            (row["holm"], entry.spearman.p_holm),
            (row["bh"], entry.spearman.p_bh),
        ):
            assert float(printed) == pytest.approx(value, abs=0.0005)
    assert (rows["Algebraic connectivity"]["n"], rows["Algebraic connectivity"]["missing"]) == (11, 1)


def test_what_is_undefined_is_named_with_its_reason(researcher):
    study = make_rated_study(answers=ANSWERS)
    score(study)
    response = researcher.get(address(study))
    (section,) = response.context["correlations"]["criteria"]
    assert dict(section["undefined"]) == {
        "the metric has the same value on all items": ["Spectral radius"],
        "fewer than two items have both a rating and this metric": [
            "Order-free area",
            "Order-free area, difference",
            "Area, the paper’s order",
            "Area, the paper’s order, difference",
        ],
    }
    assert "nan" not in response.content.decode().lower()


def test_the_drawn_measure_can_be_chosen(researcher):
    study = make_rated_study(answers=ANSWERS)
    drawn = score(study)
    (section,) = researcher.get(address(study), {"measure": "spectral_gap"}).context["correlations"]["criteria"]
    assert (section["plot"]["measure"], len(section["plot"]["points"])) == ("Spectral gap", 12)
    assert section["plot"]["most"] == f"{max(drawn['spectral_gap']):.3f}"
    (section,) = researcher.get(address(study)).context["correlations"]["criteria"]
    largest = max(section["rows"], key=lambda row: abs(float(row["rho"].replace("−", "-"))))
    assert section["plot"]["measure"] == largest["name"]
    (section,) = researcher.get(address(study), {"measure": "spectral_radius"}).context["correlations"]["criteria"]
    assert section["plot"] is None
    assert researcher.get(address(study), {"measure": "no such <thing>"}).status_code == 200


def test_the_report_asks_for_them_once_and_then_has_them(researcher):
    study = make_rated_study(answers=ANSWERS)
    score(study)
    report = reverse("studio:study_report", args=[study.public_id])
    assert 'hx-trigger="load"' in researcher.get(report).content.decode()
    fragment = researcher.get(address(study), headers={"HX-Request": "true", "HX-Target": "correlations"})
    assert fragment.content.decode().lstrip().startswith('<section id="correlations"')
    body = researcher.get(report).content.decode()
    assert 'hx-trigger="load"' not in body
    assert "Global efficiency" in body


def test_without_scores_it_says_so(researcher):
    response = researcher.get(address(make_rated_study(answers=ANSWERS)))
    assert "No text of this study has been scored" in response.content.decode()
    assert researcher.get(address(make_study(title="Empty", state="draft"))).status_code == 200


def test_only_researchers_see_them(client):
    study = make_study()
    assert client.get(address(study)).status_code == 302
    client.force_login(make_user())
    assert client.get(address(study)).status_code == 403


def test_measures_are_the_seven_metrics_and_the_areas():
    assert MEASURES[:7] == RADAR_AXES
    assert len(MEASURES) == len(set(MEASURES)) == 11
