"""What the tests' own ready-made study holds, since others lean on it."""

import pytest

from evaluation.models import Anchor, Expectation, Item
from tests.factories import make_open_study

pytestmark = pytest.mark.django_db


def test_a_ready_made_study_has_practice_checks_open_criteria_and_options() -> None:
    study, (person,) = make_open_study(
        texts=4, reviewers=1, practice=2, attention=1, open_criteria=True, anchors=True, asks_confidence=True, repeats=1
    )
    kinds = list(study.items.order_by("position").values_list("external_id", "kind"))
    assert kinds[3:] == [("T4", "rated"), ("P1", "practice"), ("P2", "practice"), ("A1", "attention")]
    assert study.item_count == 4
    assert study.asks_confidence
    assert study.repeats == 1
    levels = Expectation.objects.filter(item__study=study).values_list("item__external_id", "level__value").distinct()
    assert set(levels) == {("P1", "high"), ("P2", "high"), ("A1", "high")}
    assert Item.objects.get(study=study, external_id="P2").feedback == "Feedback 2."
    assert [one.kind for one in study.criteria.all()] == ["levels", "levels", "number", "words"]
    assert Anchor.objects.filter(level__criterion__study=study).count() == 7
    assert study.memberships.get().user == person
