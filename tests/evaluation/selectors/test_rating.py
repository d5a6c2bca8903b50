"""The rubric as the rating page gets it."""

import pytest

from evaluation.rubrics import CriterionSpec, LevelSpec, criterion_from_text, levels_as_text
from evaluation.selectors.rating import rubric
from evaluation.services.studies import create_study

pytestmark = pytest.mark.django_db


def keys_of(*labels: str) -> list[str]:
    levels = tuple(LevelSpec(label, label) for label in labels)
    study = create_study(title="Keys", criteria=(CriterionSpec("fit", "Fit", levels),))
    (criterion,) = rubric(study_id=study.pk, frozen_sha256="")
    assert [level.label for level in criterion.levels] == list(labels)
    return [level.key for level in criterion.levels]


def test_keys_follow_the_top_row_of_the_keyboard() -> None:
    assert keys_of("low", "medium", "high") == ["1", "2", "3"]
    assert keys_of(*map(str, range(1, 6))) == ["1", "2", "3", "4", "5"]
    assert keys_of(*"abcdefghijk") == ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-"]


def test_on_a_scale_from_zero_a_digit_means_itself() -> None:
    assert keys_of(*map(str, range(11))) == ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-"]


def test_criteria_come_in_their_order_whatever_their_alphabet() -> None:
    specs = tuple(CriterionSpec(key, key, (LevelSpec("high", "High"), LevelSpec("a", "A"))) for key in ("z", "a", "m"))
    study = create_study(title="Order", criteria=specs)
    found = rubric(study_id=study.pk, frozen_sha256="")
    assert [criterion.key for criterion in found] == ["z", "a", "m"]
    assert [level.label for level in found[0].levels] == ["High", "A"]


def test_levels_survive_the_form() -> None:
    spec = criterion_from_text(position=1, name="Fit", definition="", levels="Low: nothing: at all\n\n High \n")
    assert spec.levels == (LevelSpec("low", "Low", "nothing: at all"), LevelSpec("high", "High"))
    assert levels_as_text(spec) == "Low: nothing: at all\nHigh"
