"""The closing question's report: whose guesses, on which texts, against what."""

from typing import Any

import pytest
from django.utils import timezone

from evaluation.models import Membership
from evaluation.selectors.authorship import study_authorship
from tests.evaluation.selectors.guesses import guess, study_with_sources
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_a_hit_is_a_persons_text_taken_for_a_persons() -> None:
    study = study_with_sources()
    rita, kim = make_user(username="rita"), make_user(username="kim")
    guess(study, rita, people="pm", machines="mmp", uploads="p")
    guess(study, kim, people="pu", machines="uuu")
    found = study_authorship(study=study)
    assert (found.people_texts, found.machine_texts, found.unknown) == (2, 3, 1)
    assert found.overall.table == {
        "person": {"person": 2, "machine": 1, "unsure": 1},
        "machine": {"person": 1, "machine": 2, "unsure": 3},
    }
    both = {one.name: one for one in found.reviewers}
    assert (both["rita"].found.sensitivity.value, both["rita"].found.specificity.value) == (0.5, pytest.approx(2 / 3))
    assert (both["kim"].unsure, both["kim"].found.sensitivity.value) == (4, 1.0)
    assert both["kim"].found.reason == "no guess on a text by a machine"
    assert found.overall.found.youden == pytest.approx(2 / 3 + 2 / 3 - 1)


def test_without_controls_there_is_no_sensitivity_and_a_reason() -> None:
    study = study_with_sources(people=0)
    guess(study, make_user(), machines="mpm")
    found = study_authorship(study=study).to_json()
    assert found["sensitivity"] == {
        "value": None,
        "ci": None,
        "ci_method": None,
        "n": 0,
        "reason": "no guess on a text by a person",
    }
    assert found["specificity"]["value"] == pytest.approx(2 / 3)
    assert (found["youden"], found["fisher_p"], found["reason"]) == (None, None, "no guess on a text by a person")


def test_removed_reviewers_and_another_study_are_left_out() -> None:
    study = study_with_sources()
    rita, kim = make_user(username="rita"), make_user(username="kim")
    guess(study, rita, people="pp", machines="mmm")
    guess(study, kim, people="mm", machines="ppp")
    guess(study_with_sources(), rita, people="mm")
    Membership.objects.create(study=study, user=kim, role="reviewer", removal="exclude", removed_at=timezone.now())
    found = study_authorship(study=study)
    assert [one.name for one in found.reviewers] == ["rita"]
    assert (found.of_removed, found.overall.found.youden) == (5, 1.0)
    Membership.objects.update(removal="keep")
    assert study_authorship(study=study).of_removed == 0


def test_nobody_has_guessed() -> None:
    found = study_authorship(study=study_with_sources())
    assert (found.reviewers, found.overall.n, found.overall.found.reason) == (
        (),
        0,
        "no guess on a text by a person",
    )


def test_the_number_of_statements_does_not_grow(django_assert_num_queries: Any) -> None:
    study = study_with_sources(people=4, machines=6)
    for number in range(3):
        guess(study, make_user(username=f"r{number}"), people="pmpu", machines="mmmppp")
        with django_assert_num_queries(2):
            study_authorship(study=study)
