"""The report's page: the figures it prints, who may see it, and what it costs."""

import csv
import re
from html import unescape
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from evaluation.models import Slot, Study
from evaluation.science.agreement import report
from evaluation.science.ratings import RatingsTable
from tests.factories import make_rated_study, make_researcher, make_slot, make_study, make_user, rate

pytestmark = pytest.mark.django_db

SAMPLE = Path(__file__).parents[2] / "platform/corpora/sample/ratings.csv"


@pytest.fixture(autouse=True)
def empty_cache(embedded_valkey):
    cache.clear()


@pytest.fixture
def researcher(client: Client) -> Client:
    client.force_login(make_researcher())
    return client


def address(study: Study) -> str:
    return reverse("studio:study_report", args=[study.public_id])


def words(response) -> str:
    """The page's text with white space collapsed."""
    body = response.content.decode().split("<main", 1)[1]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


def sample_study(**fields) -> Study:
    """The synthetic ratings that come with the project."""
    with SAMPLE.open() as stream:
        rows = list(csv.DictReader(stream))
    items, raters = sorted({row["item"] for row in rows}), sorted({row["rater"] for row in rows})
    given = {(row["criterion"], row["item"], row["rater"]): row["value"] for row in rows}
    answers = {
        criterion: [[given[criterion, item, rater] for rater in raters] for item in items]
        for criterion in ("meaningfulness", "importance")
    }
    return make_rated_study(answers=answers, **fields)


def test_the_sample_has_the_figures_computed_by_hand(researcher):
    response = researcher.get(address(sample_study(state="closed")))
    sections = {section["scale"].key: section for section in response.context["sections"]}
    tables = {
        key: [[cell.count for cell in row["cells"]] for row in section["pairs"][0]["heat_map"]["rows"]]
        for key, section in sections.items()
    }
    assert tables == {
        "meaningfulness": [[2, 1, 0], [1, 1, 1], [0, 1, 3]],
        "importance": [[2, 0, 1], [1, 3, 0], [0, 1, 2]],
    }
    printed = {key: {row["name"]: row["value"] for row in section["headline"]} for key, section in sections.items()}
    # Meaningfulness: 6 of 10 agree; chance 0.34; linear disagreement 4/2 of 10 against 0.45: 1 − 0.2 / 0.45 = 5/9.
    assert printed["meaningfulness"] == {
        "Exact agreement": "60 %",
        "Cohen’s κ": "0.39",
        "Linear κ": "0.56",
        "Quadratic κ": "0.71",
    }
    # Importance: 7 of 10 agree; chance 0.33; linear disagreement 0.2 against 0.42: 1 − 0.2 / 0.42 = 11/21.
    assert printed["importance"] == {
        "Exact agreement": "70 %",
        "Cohen’s κ": "0.55",
        "Linear κ": "0.52",
        "Quadratic κ": "0.50",
    }
    text = words(response)
    assert "Two raters, ten items: moderate agreement on Meaningfulness (linear κ 0.56, 95 % CI −0.07 to 0.87)" in text
    assert "moderate agreement on Importance (linear κ 0.52" in text
    assert "under way" not in text


def test_every_estimate_is_that_of_the_science_on_the_same_table(researcher):
    response = researcher.get(address(sample_study()))
    section = response.context["sections"][0]
    table = RatingsTable.from_contingency(
        [[2, 1, 0], [1, 1, 1], [0, 1, 3]], levels=["low", "medium", "high"], raters=["R1", "R2"]
    )
    expected = report(table).to_json()["pairs"][0]
    rows = section["pairs"][0]["coefficients"]
    assert [row["n"] for row in rows] == [10] * len(expected["coefficients"])
    for row, (name, estimate) in zip(rows, expected["coefficients"].items(), strict=True):
        assert (row["value"] is None) == (estimate["value"] is None)
        assert row["reason"] == estimate["reason"]
        if estimate["ci"]:
            form = ".0%" if name == "exact_agreement" else ".2f"
            low, high = (format(bound + 0.0, form).replace("-", "−").replace("%", " %") for bound in estimate["ci"])
            assert row["interval"] == f"{low} to {high}"


def test_a_revised_rating_changes_the_page(researcher):
    study = sample_study()
    before = researcher.get(address(study)).context["sections"][0]["headline"][0]["value"]
    slot = Slot.objects.get(item__study=study, item__position=1, reviewer__username__endswith="-1")
    rate(slot=slot, meaningfulness="low")
    after = researcher.get(address(study)).context["sections"][0]["headline"][0]["value"]
    assert (before, after) == ("60 %", "50 %")


def test_undefined_is_said_with_its_reason(researcher):
    study = make_rated_study(answers={"meaningfulness": [["low", "low"], ["low", "low"]]}, state="closed")
    text = words(researcher.get(address(study)))
    assert "agreement on Meaningfulness cannot be computed: all ratings are at one level" in text
    assert "nan" not in text.lower().split()


def test_a_study_under_way_says_so_and_a_draft_has_nothing_to_report(researcher):
    study = make_rated_study(answers={"meaningfulness": [["low", "low"], [None, None]]})
    text = words(researcher.get(address(study)))
    assert "The study is under way: 2 of 4 planned ratings are in" in text
    assert "What was left out: 2 of 4" in text
    assert "Missing: never given to a reviewer 2" in text
    assert "has not been launched" in words(researcher.get(address(make_study(title="New", state="draft"))))


def test_items_on_which_raters_differ_are_listed_the_widest_apart_first(researcher):
    study = make_rated_study(
        answers={"meaningfulness": [["low", "low"], ["low", "medium"], ["high", "low"], ["high", "high"]]}
    )
    apart = researcher.get(address(study)).context["sections"][0]["disagreements"]
    assert [row["item"] for row in apart["rows"]] == ["S003", "S002"]
    assert (apart["total"], apart["of"], apart["rest"]) == (2, 4, 0)


def test_a_stricter_rater_is_named(researcher):
    study = make_rated_study(answers={"meaningfulness": [["medium", "low"]] * 8 + [["high", "high"]] * 4})
    assert "R2 is stricter than R1 (R1 is higher on 8, R2 on 0 of twelve items; p = 0.008)" in words(
        researcher.get(address(study))
    )


def test_three_raters_get_an_overall_answer_and_every_pair(researcher):
    rows = [["low", "low", "medium"], ["high", "high", "high"], ["medium", "low", "medium"], ["high", "medium", None]]
    response = researcher.get(address(make_rated_study(answers={"meaningfulness": rows})))
    section = response.context["sections"][0]
    assert [pair["raters"] for pair in section["pairs"]] == [["R1", "R2"], ["R1", "R3"], ["R2", "R3"]]
    assert [pair["n"] for pair in section["pairs"]] == [4, 3, 3]
    assert "Three raters, four items" in words(response)


def test_many_raters_do_not_flood_the_page(researcher):
    """Eleven raters make 55 pairs: a table of 45, no table of levels for each, all of them in the export."""
    rows = [[("low", "medium", "high")[(item + rater) % 3] for rater in range(11)] for item in range(2)]
    response = researcher.get(address(make_rated_study(answers={"meaningfulness": rows})))
    section = response.context["sections"][0]
    assert (len(section["pairs"]), section["more_pairs"]) == (45, 10)
    text = words(response)
    assert "10 more pairs in the export" in text
    assert "R1 and R2: table" not in text


def test_practice_ratings_do_not_reach_the_page(researcher):
    study = make_study(criteria=["meaningfulness"], state="draft", texts=["One.", "Two.", "Three."])
    study.items.filter(position=1).update(kind="practice")
    study.state, study.frozen_sha256 = "open", "0" * 64
    study.save()
    for name in ("a", "b"):
        reviewer = make_user(username=name)
        for item in study.items.all():
            rate(slot=make_slot(item=item, reviewer=reviewer), meaningfulness="high")
    section = researcher.get(address(study)).context["sections"][0]
    assert (section["items"], section["ratings"]) == (2, 4)
    assert ("on practice items", 2) in section["left_out"]["set_aside"]


def test_only_researchers_see_it(client):
    study = make_study()
    assert client.get(address(study)).status_code == 302
    client.force_login(make_user())
    assert client.get(address(study)).status_code == 403
    client.force_login(make_researcher())
    assert client.get(address(study)).status_code == 200
    assert client.get("/studio/studies/00000000-0000-4000-8000-000000000000/report/").status_code == 404


def test_the_number_of_statements_does_not_grow(researcher, django_assert_num_queries):
    small = make_rated_study(answers={"meaningfulness": [["low", "high"], ["high", "high"], ["low", "low"]]})
    large = make_rated_study(answers={"meaningfulness": [["low", "high"], ["high", "high"], ["low", "low"]] * 12})
    for study in (small, large):
        # user, study; score settings, criteria, levels, raters, patterns, left out (2), item ratings, item facts
        with django_assert_num_queries(12):
            assert researcher.get(address(study)).status_code == 200


def test_the_figures_are_computed_once_for_the_same_data(researcher, monkeypatch):
    from evaluation.reports import study_report

    calls = []
    computed = study_report.agreement_json
    monkeypatch.setattr(study_report, "agreement_json", lambda **given: calls.append(1) or computed(**given))
    study = sample_study()
    first = words(researcher.get(address(study)))
    assert words(researcher.get(address(study))) == first
    assert len(calls) == 1
    rate(slot=Slot.objects.filter(item__study=study).first(), meaningfulness="medium")
    researcher.get(address(study))
    assert len(calls) == 2
