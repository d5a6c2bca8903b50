"""A text as its reviewers meet it, with what its kind brings along."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import Slot, Study
from evaluation.selectors.preview import preview
from tests.factories import make_open_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    """T1, T2, P1, P2, A1 at the positions 1 to 5."""
    return make_open_study(texts=2, practice=2, attention=1, asks_confidence=True, state="draft")[0]


def test_practice_comes_first_and_numbers_run_as_reviewers_see_them(study: Study) -> None:
    seen = []
    position = None
    while (found := preview(study=study, position=position)) is not None:
        seen.append((found.position, found.kind, found.number, found.of, found.previous, found.next))
        position = found.next
        if position is None:
            break
    assert seen == [
        (3, "practice", 1, 2, None, 4),
        (4, "practice", 2, 2, 3, 1),
        (1, "rated", 1, 3, 4, 2),
        (2, "rated", 2, 3, 1, 5),
        (5, "attention", 3, 3, 2, None),
    ]
    assert preview(study=study, position=6) is None
    assert preview(study=study, position=0) is None


def test_practice_is_shown_before_and_after_its_answer(study: Study) -> None:
    before, after = (preview(study=study, position=3, is_practised=done) for done in (False, True))
    assert before is not None
    assert after is not None
    assert (before.page.expected, before.page.feedback, before.page.chosen) == (None, "", {})
    assert after.page.expected == after.page.chosen == {"meaningfulness": 2, "importance": 2}
    assert (after.page.feedback, after.page.is_practised) == ("Feedback 1.", True)
    assert before.page.asks_confidence


def test_an_attention_check_shows_its_reviewer_nothing_of_what_is_expected(study: Study) -> None:
    found = preview(study=study, position=5, is_practised=True)
    assert found is not None
    assert (found.page.expected, found.page.is_practice) == (None, False)
    assert found.expected == (("Meaningfulness", "High"), ("Importance", "High"))


def test_nothing_is_stored_and_the_number_of_statements_is_constant() -> None:
    counts = []
    for size in (2, 60):
        study = make_open_study(texts=size, practice=1)[0]
        with CaptureQueriesContext(connection) as queries:
            preview(study=study, position=2)
        counts.append(len(queries))
    assert counts == [3, 3]
    assert not Slot.objects.exists()
