"""Storing and claiming in one transaction, from several windows and while somebody withdraws the reviewer."""

import uuid

import pytest

from evaluation.models import Membership, Opening, Rating, Slot
from evaluation.services.allocation import claim_next, skip_slot
from evaluation.services.ratings import Receipt, record_ratings
from evaluation.services.withdrawals import withdraw_reviewer
from tests.evaluation.services.test_allocation import at_once
from tests.factories import make_open_study, make_researcher

ANSWERS = {"meaningfulness": 1, "importance": 0}


@pytest.mark.django_db(transaction=True)
def test_what_was_stored_and_what_was_given_stand_together() -> None:
    study, (reviewer,) = make_open_study(texts=3, reviewers=1)
    first = claim_next(study_id=study.pk, reviewer=reviewer).slot
    assert first is not None
    receipt = record_ratings(slot_id=first, reviewer=reviewer, answers=ANSWERS, key=uuid.uuid4(), claims_next=True)
    assert receipt.claim is not None
    assert receipt.claim.slot == Slot.objects.get(state="claimed").public_id
    assert receipt.claim.standing.answered == 1
    incomplete = record_ratings(
        slot_id=receipt.claim.slot, reviewer=reviewer, answers={"importance": 0}, key=uuid.uuid4(), claims_next=True
    )
    assert incomplete.claim is None
    assert Slot.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_many_windows_store_claim_and_skip_at_once_and_nobody_is_locked_out() -> None:
    study, (reviewer, other) = make_open_study(texts=30, reviewers=2)
    first = claim_next(study_id=study.pk, reviewer=reviewer).slot
    assert first is not None

    def store() -> Receipt:
        return record_ratings(slot_id=first, reviewer=reviewer, answers=ANSWERS, key=uuid.uuid4(), claims_next=True)

    def claim() -> object:
        return claim_next(study_id=study.pk, reviewer=reviewer)

    def skip() -> object:
        return skip_slot(slot_id=first, reviewer=reviewer)

    def claim_of_another() -> object:
        return claim_next(study_id=study.pk, reviewer=other)

    results = at_once([store, claim, skip, claim_of_another] * 5)
    assert [error for error in results if isinstance(error, Exception)] == []
    assert Slot.objects.filter(reviewer=reviewer, state="claimed").count() == 1
    assert Rating.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_withdrawal_while_answers_are_stored_ends_one_way_or_the_other() -> None:
    study, reviewers = make_open_study(texts=30, reviewers=6)
    actor = make_researcher()
    first = {person.pk: claim_next(study_id=study.pk, reviewer=person).slot for person in reviewers}
    members = {member.user_id: member for member in Membership.objects.filter(study=study)}
    jobs = []
    for person in reviewers:
        slot, member = first[person.pk], members[person.pk]
        assert slot is not None
        jobs.append(
            lambda slot=slot, person=person: record_ratings(
                slot_id=slot, reviewer=person, answers=ANSWERS, key=uuid.uuid4(), claims_next=True
            )
        )
        jobs.append(lambda member=member: withdraw_reviewer(member=member, how="reopen", actor=actor))
    results = at_once(jobs)
    broken = [error for error in results if isinstance(error, Exception) and "NotYours" not in type(error).__name__]
    assert broken == []
    held = Slot.objects.filter(seat__isnull=False).count()
    assert held == 0
    assert Opening.objects.filter(study=study).count() == 60
