"""The precision planner and the worked example: figures, refusals, permissions, links."""

import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from django.core.cache import cache
from django.urls import reverse

from evaluation.science.planning.design import Design
from evaluation.science.planning.width import expected_precision
from studio.reports.pictures import width_curve
from tests.factories import make_researcher, make_user

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
PAGES = ["planner", "worked_example", "ratings_upload"]


@pytest.fixture(autouse=True)
def empty_cache(embedded_valkey):
    cache.clear()


@pytest.fixture
def researcher(client):
    client.force_login(make_researcher())
    return client


def text(response) -> str:
    body = response.content.decode().split("<main", 1)[1]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


def plan(client, **fields):
    given = {"raters": 2, "levels": 3, "kappa": 0.5, "margin": "balanced", "width": 0.4} | fields
    return client.get(reverse("studio:planner"), given)


def test_a_first_plan_stands_there(researcher):
    response = researcher.get(reverse("studio:planner"))
    assert response.status_code == 200
    assert (response.context["plan"]["design"].raters, response.context["plan"]["design"].levels) == (2, 3)


def test_the_figures_are_those_of_the_command_line(researcher):
    shown = plan(researcher, raters=3, levels=5, kappa=0.6).context["plan"]
    # Run the very command that the page names.
    arguments = shown["command"].split()[1:]
    items = ",".join(str(row["items"]) for row in shown["rows"])
    command = [sys.executable, "-m", "kappagraph", *arguments, "--items", items, "--json"]
    environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}", "PATH": "", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, check=True, env=environment)
    (expected,) = json.loads(done.stdout)["plans"]
    for row, size in zip(shown["rows"], expected["sizes"], strict=True):
        assert row["items"] == size["items"]
        widths = [f"{entry['width']:.2f}" for entry in size["coefficients"].values()]
        assert [cell["width"] for cell in row["cells"]] == widths
    needed = list(expected["items_for_width"].values())[1:]
    assert [number for _, number in shown["needed"]] == needed


def test_more_items_and_more_raters_make_the_interval_narrower(researcher):
    two, four = (plan(researcher, raters=raters).context["plan"] for raters in (2, 4))
    widths = [float(row["cells"][0]["width"]) for row in two["rows"]]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 3 * widths[-1]
    assert four["needed"][0][1] < two["needed"][0][1]


def test_the_curve_draws_what_the_table_says():
    points = [(items, expected_precision(items, Design())["cohen_kappa_linear"].width) for items in (10, 100)]
    curve = width_curve([("κ", points), ("α", [(10, None), (100, 0.2)])], wanted=0.4)
    first, last = curve["lines"][0]["marks"]
    assert (first["x"], last["x"]) == (curve["left"], curve["right"])
    assert curve["top"] <= first["y"] < curve["wanted"]["y"] < last["y"] < curve["bottom"]
    assert len(curve["lines"][1]["marks"]) == 1
    assert curve["ticks"][0]["y"] == curve["bottom"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"raters": 1}, "greater than or equal to 2"),
        ({"raters": 50}, "less than or equal to 6"),
        ({"levels": "many"}, "Enter a whole number"),
        ({"kappa": "nan"}, "Enter a number"),
        ({"kappa": 1}, "less than or equal to 0.95"),
        ({"width": 0}, "greater than or equal to 0.1"),
        ({"margin": "odd"}, "Select a valid choice"),
    ],
)
def test_plans_that_cannot_be_made(researcher, fields, message):
    response = plan(researcher, **fields)
    assert response.status_code == 422
    assert message in text(response)
    assert response.context["plan"] is None


def test_a_plan_is_simulated_once(researcher, monkeypatch):
    plan(researcher)
    monkeypatch.setattr("studio.reports.planner.expected_precision", lambda *given: pytest.fail("simulated again"))
    assert plan(researcher).status_code == 200


def test_the_worked_example_shows_the_computed_figures(researcher):
    found = text(researcher.get(reverse("studio:worked_example")))
    for words in (
        "Ten items make 43,758 different 3 × 3 tables",
        "exact agreement 70 % leaves 2,016 χ² 6.92 leaves 12",
        "it follows: 9/19 = 0.47",
        "17/32 = 0.53",
        "7/12 = 0.58",
        "9/34 = 0.26",
        "linear κ is 0.53125 . With the labels sorted it is 0.26471",
        "83/12 = 6.9167 with 4 degrees of freedom, p 0.1404",
        "Under every order and weight κ is 1/21 = 0.0476",
        "7: the printed value is right. 11 or 2: it comes from sorted labels",
        "no test of margins could have reached a p below 0.25",
    ):
        assert words in found, words


@pytest.mark.parametrize("name", PAGES)
def test_only_researchers_come_in_and_one_statement_is_enough(client, django_assert_num_queries, name):
    page = reverse(f"studio:{name}")
    assert client.get(page).status_code == 302
    client.force_login(make_user())
    assert client.get(page).status_code == 403
    client.force_login(make_researcher())
    with django_assert_num_queries(1):  # the person
        assert client.get(page).status_code == 200
    assert client.delete(page).status_code == 405


@pytest.mark.parametrize(
    ("start", "names"),
    [
        ("home", ["ratings_upload", "planner", "worked_example"]),
        ("studies", ["ratings_upload", "planner", "worked_example"]),
        ("study_new", ["planner"]),
        ("worked_example", ["ratings_upload", "planner"]),
    ],
)
def test_the_pages_are_found(researcher, start, names):
    page = researcher.get(reverse(f"studio:{start}")).content.decode()
    for name in names:
        assert f'href="{reverse(f"studio:{name}")}"' in page


@pytest.mark.parametrize(
    ("levels", "warned"), [("high\nlow\nmedium", True), ("low\nmedium\nhigh", False), ("a\nb\nc", False)]
)
def test_a_new_study_warns_of_levels_in_alphabetical_order(researcher, levels, warned):
    answer = {
        "title": "New", "raters_per_item": 2, "lease_minutes": 60,
        "criteria-TOTAL_FORMS": 1, "criteria-INITIAL_FORMS": 0,
        "criteria-0-name": "Clarity", "criteria-0-definition": "", "criteria-0-levels": levels,
    }  # fmt: skip
    page = researcher.post(reverse("studio:study_new"), answer, follow=True)
    assert page.status_code == 200
    assert ("The levels of Clarity stand in alphabetical order: high, low, medium" in text(page)) is warned
