"""What stands in the way of a launch, and what is only remarked."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.rubrics import CriterionSpec
from evaluation.selectors.readiness import readiness
from evaluation.services.items import add_items_from_rows
from evaluation.services.studies import create_study, launch_study
from evaluation.uploads import TextRow
from tests.factories import make_abstract, make_open_study, make_study

pytestmark = pytest.mark.django_db
WORDS = (CriterionSpec("gaps", "Gaps", kind="words"),)


def draft(**fields: Any) -> Study:
    return make_open_study(state=Study.State.DRAFT, **fields)[0]


def test_a_complete_draft_is_ready_without_a_remark() -> None:
    found = readiness(study=draft(texts=20, practice=2, attention=2, repeats=3))
    assert (found.rated, found.practice, found.attention) == (20, 2, 2)
    assert (found.obstacles, found.remarks) == ((), ())


@pytest.mark.parametrize(
    ("fields", "obstacle"),
    [
        ({"texts": 0}, "no text to rate"),
        ({"texts": 3, "repeats": 3}, "3 hidden repeats need more than 3 texts for each reviewer; there are 3"),
        ({"texts": 9, "repeats": 4, "default_quota": 4}, "there are 4"),
        ({"texts": 0, "practice": 1}, "no text to rate"),
    ],
    ids=str,
)
def test_obstacles_keep_a_study_from_its_launch(fields: dict[str, Any], obstacle: str) -> None:
    study = draft(**fields)
    assert any(obstacle in one for one in readiness(study=study).obstacles)
    with pytest.raises(StudyError, match=obstacle):
        launch_study(study=study)


def test_an_attention_check_needs_an_expected_level() -> None:
    study = draft(texts=2)
    add_items_from_rows(study=study, rows=[TextRow(f"A{n}", "", f"Check {n}.", "attention") for n in range(7)])
    (obstacle,) = readiness(study=study).obstacles
    assert obstacle.startswith("7 attention checks have no expected level")
    assert "(A0, A1, A2, A3, A4)" in obstacle


@pytest.mark.parametrize(
    ("fields", "remark"),
    [
        ({"texts": 12, "repeats": 3, "repeat_distance": 10}, "some of the 3 repeats come sooner than after 10"),
        ({"texts": 12, "attention": 3, "attention_every": 10}, "meets 2 of the 3 attention checks"),
        ({"texts": 40, "attention": 3, "attention_every": 10, "default_quota": 20}, "meets 2 of the 3"),
        ({"texts": 2, "criteria": WORDS}, "No criterion has levels"),
    ],
    ids=str,
)
def test_remarks_do_not_keep_it(fields: dict[str, Any], remark: str) -> None:
    study = draft(**fields)
    (found,) = readiness(study=study).remarks
    assert remark in found
    assert launch_study(study=study).state == "open"


def test_practice_that_teaches_nothing_and_texts_in_two_roles_are_remarked() -> None:
    study = draft(texts=["A.", "B."])
    rows = [TextRow("p", "", "A.", "practice"), TextRow("q", "", "Q.", "practice", "", (("importance", "low"),))]
    add_items_from_rows(study=study, rows=rows)
    first, second = readiness(study=study).remarks
    assert "1 practice text has no expected level" in first
    assert "(p)" in first
    assert "1 text is both rated and for practice (p)" in second


def test_asking_for_authors_of_generated_texts_alone_is_remarked() -> None:
    abstract = make_abstract()
    generated = make_study(texts=(), abstracts=[abstract], state="draft", asks_authorship=True)
    assert any("all of them are generated" in one for one in readiness(study=generated).remarks)
    mixed = make_study(abstracts=[abstract], state="draft", asks_authorship=True)
    assert not any("generated" in one for one in readiness(study=mixed).remarks)


def test_it_takes_as_many_statements_for_few_texts_and_many() -> None:
    counts = []
    for size in (2, 50):
        study = draft(texts=size, practice=size)
        with CaptureQueriesContext(connection) as queries:
            readiness(study=study)
        counts.append(len(queries))
    assert counts == [2, 2]


def test_it_reads_its_own_study_only() -> None:
    draft(texts=3, practice=1, attention=1)
    found = readiness(study=create_study(title="Empty"))
    assert (found.rated, found.practice, found.attention) == (0, 0, 0)
