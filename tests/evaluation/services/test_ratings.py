"""What is stored when a reviewer answers, once, twice, partly, wrongly."""

import uuid
from typing import Any

import pytest
from django.db.models.functions import Now

from evaluation.errors import KeyReused, NotYours, RatingRefused, StudyClosed
from evaluation.models import Comment, Rating, Slot, Submission
from evaluation.services.allocation import claim_next
from evaluation.services.ratings import record_ratings
from evaluation.services.studies import close_study
from tests.evaluation.services.answers import answer, let_lapse
from tests.factories import make_open_study, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def seat() -> tuple[uuid.UUID, Any]:
    study, (person,) = make_open_study(reviewers=1)
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    assert slot is not None
    return slot, person


def in_force(slot: uuid.UUID) -> dict[str, tuple[str, int]]:
    rows = Rating.objects.filter(slot__public_id=slot).order_by("revision")
    return {rating.criterion.key: (rating.level.value, rating.revision) for rating in rows}


def test_a_part_is_saved_and_the_slot_is_rated_once_all_is_answered(seat: Any) -> None:
    slot, person = seat
    first = answer(slot, person, answers={"importance": 0})
    assert (first.answered, first.criteria, first.complete) == (1, 2, False)
    assert Slot.objects.get().state == "claimed"
    second = answer(slot, person, answers={"meaningfulness": 2})
    assert second.complete
    row = Slot.objects.get()
    assert (row.state, row.seat, row.lease_expires_at) == ("rated", 0, None)
    assert row.answered_at is not None
    assert in_force(slot) == {"importance": ("low", 1), "meaningfulness": ("high", 1)}


def test_an_autosave_renews_the_lease(seat: Any) -> None:
    slot, person = seat
    let_lapse(slot)
    answer(slot, person, answers={"importance": 0})
    assert not Slot.objects.overdue().exists()


def test_a_change_is_a_new_revision_and_a_repetition_is_none(seat: Any) -> None:
    slot, person = seat
    answer(slot, person)
    answer(slot, person)
    assert Rating.objects.count() == 2
    answer(slot, person, answers={"importance": 2})
    assert in_force(slot) == {"meaningfulness": ("high", 1), "importance": ("high", 2)}
    answer(slot, person, answers={"importance": 1})
    assert in_force(slot)["importance"] == ("medium", 3)


def test_the_same_key_stores_once_and_is_answered_alike(seat: Any) -> None:
    slot, person = seat
    key = uuid.uuid4()
    first = answer(slot, person, key=key, answers={"importance": 0}, seconds_active=5, comment="Hm.")
    answer(slot, person, answers={"meaningfulness": 1, "importance": 2})
    again = answer(slot, person, key=key, answers={"importance": 0}, seconds_active=5, comment="Hm.")
    assert again == first
    assert in_force(slot)["importance"] == ("high", 2)
    assert Slot.objects.get().seconds_active == 5
    assert (Submission.objects.count(), Comment.objects.count()) == (2, 1)


def test_the_key_of_another_slot_is_refused(seat: Any) -> None:
    slot, person = seat
    key = answer(slot, person).key
    study = Slot.objects.get().item.study
    other = claim_next(study_id=study.pk, reviewer=person).slot
    with pytest.raises(KeyReused):
        answer(other, person, key=key)
    assert Rating.objects.filter(slot__public_id=other).count() == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"answers": {"importance": 3}},
        {"answers": {"importance": 1, "style": 1}},
        {"answers": {"importance": 1, "null\0byte": 1}},
        {"answers": {"importance": 1, "\ud800": 1}},
        {"answers": {"importance": -1}},
        {"answers": {"importance": 2**40}},
        {"seconds_active": float("nan")},
        {"seconds_active": float("inf")},
        {"seconds_active": -1.0},
        {"comment": "a\0b"},
        {"comment": "x" * 10_001},
    ],
    ids=str,
)
def test_what_does_not_fit_stores_nothing_at_all(seat: Any, fields: dict[str, Any]) -> None:
    slot, person = seat
    with pytest.raises(RatingRefused):
        answer(slot, person, **fields)
    assert not Submission.objects.exists()
    assert not Rating.objects.exists()
    assert not Comment.objects.exists()


def test_a_refusal_names_the_criterion(seat: Any) -> None:
    slot, person = seat
    with pytest.raises(RatingRefused, match="level 7 of 'importance'"):
        answer(slot, person, answers={"meaningfulness": 1, "importance": 7})
    with pytest.raises(RatingRefused, match="no criterion 'style'"):
        answer(slot, person, answers={"style": 1})


def test_seconds_add_up_and_a_comment_is_kept_when_it_changes(seat: Any) -> None:
    slot, person = seat
    answer(slot, person, answers={}, seconds_active=3, comment="First.")
    answer(slot, person, answers={}, seconds_active=4, comment="First. ")
    answer(slot, person, answers={}, comment=None)
    answer(slot, person, answers={}, comment="Second.")
    answer(slot, person, answers={}, comment="")
    assert Slot.objects.get().seconds_active == 7
    assert list(Comment.objects.values_list("body", flat=True)) == ["First.", "Second.", ""]


def test_an_empty_comment_at_first_is_no_comment(seat: Any) -> None:
    slot, person = seat
    answer(slot, person, comment="")
    assert not Comment.objects.exists()


def test_only_its_reviewer_may_answer(seat: Any) -> None:
    slot, person = seat
    with pytest.raises(NotYours):
        answer(slot, make_user(username="stranger"))
    with pytest.raises(NotYours):
        answer(uuid.uuid4(), person)
    person.memberships.update(removed_at=Now(), removal="exclude")
    with pytest.raises(NotYours):
        answer(slot, person)
    assert not Submission.objects.exists()


def test_a_closed_study_refuses_and_keeps_what_it_has(seat: Any) -> None:
    slot, person = seat
    answer(slot, person)
    close_study(study=Slot.objects.get().item.study)
    with pytest.raises(StudyClosed, match="not stored"):
        answer(slot, person, answers={"importance": 0})
    assert in_force(slot)["importance"] == ("medium", 1)


def test_storing_takes_as_many_statements_in_a_large_study(django_assert_num_queries: Any) -> None:
    for size in (10, 1000):
        study, (person,) = make_open_study(texts=size, reviewers=1)
        slot = claim_next(study_id=study.pk, reviewer=person).slot
        assert slot is not None
        # Savepoint and release stand for BEGIN and COMMIT; between them: the lock on the slot, and one statement for
        # submission, revisions, comment and the slot's state.
        with django_assert_num_queries(4):
            record_ratings(
                slot_id=slot,
                reviewer=person,
                answers={"meaningfulness": 1, "importance": 1},
                key=uuid.uuid4(),
                comment="Clear.",
            )
