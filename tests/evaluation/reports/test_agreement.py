"""The study's agreement JSON is that of the command line on the same ratings."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.reports.agreement import agreement_json
from evaluation.reports.correlations import grouping
from evaluation.reports.data import load
from evaluation.selectors.agreement import rating_patterns
from tests.factories import make_abstract, make_cell, make_rated_study, make_study

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "platform/corpora/sample/ratings.csv"


def labels(data):
    return {rater.pk: rater.label for rater in data.raters}


def test_it_equals_the_command_line_on_the_sample():
    with SAMPLE.open() as stream:
        rows = list(csv.DictReader(stream))
    given = {(row["criterion"], row["item"], row["rater"]): row["value"] for row in rows}
    items = sorted({row["item"] for row in rows})
    answers = {
        key: [[given[key, item, rater] for rater in ("R1", "R2")] for item in items]
        for key in ("meaningfulness", "importance")
    }
    data = load(study=make_rated_study(answers=answers))
    ours = agreement_json(data=data, names=labels(data), seed=0)
    command = [sys.executable, "-m", "kappagraph", "agreement", str(SAMPLE), "--levels", "low,medium,high", "--json"]
    told = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "platform", check=True)
    theirs = json.loads(told.stdout)
    by_name = {found["criterion"]: found for found in theirs["criteria"]}
    for found in ours["criteria"]:
        expected = by_name[found["criterion"]]
        for part in ("levels", "items", "raters", "ratings", "missing", "overall", "pairs", "warnings"):
            assert found[part] == expected[part], part
    assert ours["version"] == theirs["version"]
    assert {key: theirs["settings"][key] for key in ("ci", "confidence", "bootstrap", "seed")} == {
        key: ours["settings"][key] for key in ("ci", "confidence", "bootstrap", "seed")
    }


def test_items_without_a_rating_are_counted_and_set_aside():
    data = load(study=make_rated_study(answers={"clarity": [["low", "low"], ["high", "low"], [None, None]]}))
    (found,) = agreement_json(data=data, names=labels(data), seed=0)["criteria"]
    assert (found["items"], found["ratings"]) == (3, 4)
    assert any(warning.startswith("1 item has no rating") for warning in found["warnings"])
    assert found["left_out"]["missing"] == {"not_assigned": 2}


def test_a_rater_who_rated_elsewhere_only_is_no_column():
    data = load(study=make_rated_study(answers={"clarity": [["low", None], ["high", None]]}))
    (found,) = agreement_json(data=data, names=labels(data), seed=0)["criteria"]
    assert found["rater_names"] == ["R1"]
    assert found["overall"]["exact_agreement"]["value"] is None


def test_the_figures_do_not_depend_on_the_names():
    data = load(study=make_rated_study(answers={"clarity": [["low", "low"], ["high", "medium"], ["low", "high"]]}))
    one = agreement_json(data=data, names=labels(data), seed=0)["criteria"][0]["pairs"][0]
    other = agreement_json(data=data, names={pk: f"x{pk}" for pk in labels(data)}, seed=0)["criteria"][0]["pairs"][0]
    assert one["coefficients"] == other["coefficients"]
    assert one["raters"] != other["raters"]


def test_intervals_are_resampled_by_question_where_there_are_enough():
    answers = {"clarity": [["low", "low"], ["high", "medium"]] * 12}
    study = make_rated_study(answers=answers, questions=[f"Question {number}?" for number in range(12)])
    data = load(study=study)
    assert (data.questions, data.resampled_by_question) == (12, True)
    assert agreement_json(data=data, names=labels(data), seed=0)["settings"]["resampled_by"] == "question"
    assert grouping(data)[0] == "question"
    assert len({pattern.question for found in rating_patterns(study_id=study.pk).values() for pattern in found}) == 12


def test_items_are_nested_in_cells_only_where_these_are_many_and_filled():
    cell = make_cell()
    study = make_study(texts=[], abstracts=[make_abstract(cell=cell, body=f"Abstract {n}.") for n in range(4)])
    name, clusters = grouping(load(study=study))
    assert (name, len(set(clusters))) == ("question", 1)
    name, clusters = grouping(load(study=make_study(title="Uploads")))
    assert (name, clusters) == ("item", None)
