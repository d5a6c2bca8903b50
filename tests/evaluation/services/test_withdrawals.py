"""A reviewer leaves: what becomes of their seats and ratings, what agreement is then, and back again."""

import json
import threading
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import User
from evaluation.errors import NotYours, StudyError
from evaluation.models import Event, Membership, Opening, Slot, Study
from evaluation.reports.without import agreement_with_and_without
from evaluation.selectors.agreement import rating_patterns
from evaluation.services.allocation import claim_next
from evaluation.services.conflicts import add_conflicts
from evaluation.services.studies import close_study, launch_study
from evaluation.services.withdrawals import Reinstatement, Withdrawal, reinstate_reviewer, withdraw_reviewer
from tests.evaluation.services.answers import answer, answer_all
from tests.evaluation.services.cells import make_apart, make_cells
from tests.factories import make_open_study, make_rated_study, make_researcher, make_reviewer

pytestmark = pytest.mark.django_db


def membership(study: Study, person: User) -> Membership:
    return Membership.objects.get(study=study, user=person)


def counted(study: Study) -> int:
    """Ratings that the figures rest on, of one criterion."""
    found = next(iter(rating_patterns(study_id=study.pk).values()), [])
    return sum(pattern.items * len(pattern.raters) for pattern in found)


def make_begun() -> tuple[Study, User, User]:
    """Two of three texts rated, one in hand; and somebody else."""
    study, (leaver, other) = make_open_study(texts=3, reviewers=2, raters_per_item=1)
    for _ in range(2):
        answer(claim_next(study_id=study.pk, reviewer=leaver).slot, leaver)
    claim_next(study_id=study.pk, reviewer=leaver)
    assert claim_next(study_id=study.pk, reviewer=other).slot is None
    return study, leaver, other


@pytest.mark.parametrize(
    ("how", "seats", "ratings"),
    [("keep", 1, 3), ("exclude", 1, 1), ("reopen", 3, 3)],
)
def test_three_ways_to_leave(how: str, seats: int, ratings: int) -> None:
    study, leaver, other = make_begun()
    owner = make_researcher()
    left = withdraw_reviewer(member=membership(study, leaver), how=how, actor=owner)
    assert left == Withdrawal(freed=1, reopened=2 if how == "reopen" else 0)
    with pytest.raises(NotYours):
        claim_next(study_id=study.pk, reviewer=leaver)
    assert answer_all(study, other) == seats
    assert counted(study) == ratings
    assert Slot.objects.filter(reviewer=leaver, answered_at__isnull=False).count() == 2
    event = Event.objects.get(kind="reviewer-withdrawn")
    assert (event.actor, event.details["how"], event.details["person"]) == (owner, how, str(leaver.public_id))
    # Not all ratings are in, so nobody has seen agreement.
    assert event.details["agreement"] is None


def test_an_answer_on_its_way_is_refused_politely_and_the_old_ones_are_kept() -> None:
    study, leaver, _ = make_begun()
    slot = Slot.objects.get(reviewer=leaver, state="claimed").public_id
    withdraw_reviewer(member=membership(study, leaver), how="keep", actor=make_researcher())
    with pytest.raises(NotYours, match="no longer take part"):
        answer(slot, leaver)


@pytest.mark.parametrize("how", ["keep", "exclude", "reopen"])
def test_leaving_is_taken_back_as_long_as_nobody_took_the_seats(how: str) -> None:
    study, leaver, _ = make_begun()
    before = dict(Slot.objects.values_list("public_id", "state"))
    owner = make_researcher()
    withdraw_reviewer(member=membership(study, leaver), how=how, actor=owner)
    back = reinstate_reviewer(member=membership(study, leaver), actor=owner)
    assert back == Reinstatement(counted=2 if how == "reopen" else 0, surplus=0)
    assert counted(study) == 2
    # The text in hand lapsed, and comes again.
    in_hand = next(slot for slot, state in before.items() if state == "claimed")
    assert claim_next(study_id=study.pk, reviewer=leaver).slot == in_hand
    assert dict(Slot.objects.values_list("public_id", "state")) == before
    assert not Opening.objects.exists()
    assert Event.objects.filter(kind="reviewer-reinstated").count() == 1


def test_ratings_whose_seats_were_taken_meanwhile_stay_surplus() -> None:
    study, leaver, other = make_begun()
    owner = make_researcher()
    withdraw_reviewer(member=membership(study, leaver), how="reopen", actor=owner)
    answer(claim_next(study_id=study.pk, reviewer=other).slot, other)
    taken = Slot.objects.get(reviewer=other).item_id
    was_rated = Slot.objects.filter(reviewer=leaver, item_id=taken, answered_at__isnull=False).exists()
    back = reinstate_reviewer(member=membership(study, leaver), actor=owner)
    assert back == Reinstatement(counted=2 - was_rated, surplus=int(was_rated))
    assert counted(study) == 3 - was_rated
    assert Slot.objects.filter(seat__isnull=False).values("item_id").distinct().count() == 3 - was_rated


def test_practice_checks_and_repeats_leave_and_come_back_without_opening_a_seat() -> None:
    study = make_cells(cells=1, texts=6, launch=False)
    make_apart(study=study, kind="practice", count=1)
    make_apart(study=study, kind="attention", count=1)
    Study.objects.filter(pk=study.pk).update(repeats=1, repeat_distance=1, attention_every=3)
    study = launch_study(study=study)
    person, owner = make_reviewer(study=study), make_researcher()
    assert answer_all(study, person) == 9
    before = set(Slot.objects.values_list("item_id", "pass_number", "seat", "state"))
    left = withdraw_reviewer(member=membership(study, person), how="reopen", actor=owner)
    assert left.reopened == 6
    assert Opening.objects.count() == 12
    assert not Slot.objects.filter(seat__isnull=False).exists()
    assert reinstate_reviewer(member=membership(study, person), actor=owner) == Reinstatement(6, 0)
    back = set(Slot.objects.values_list("item_id", "pass_number", "state"))
    assert back == {(item, number, state) for item, number, _, state in before}
    assert Opening.objects.count() == 6


def test_a_check_in_hand_is_in_hand_again_after_coming_back() -> None:
    study = make_cells(cells=1, texts=3, launch=False)
    make_apart(study=study, kind="practice", count=1)
    study = launch_study(study=study)
    person, owner = make_reviewer(study=study), make_researcher()
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    left = withdraw_reviewer(member=membership(study, person), how="keep", actor=owner)
    assert left == Withdrawal(0, 0)
    reinstate_reviewer(member=membership(study, person), actor=owner)
    assert claim_next(study_id=study.pk, reviewer=person).slot == slot


def test_what_was_kept_from_somebody_does_not_come_back_with_them() -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1)
    claim_next(study_id=study.pk, reviewer=person)
    owner = make_researcher()
    add_conflicts(study=study, user=person, items=list(study.items.all()), actor=owner)
    withdraw_reviewer(member=membership(study, person), how="keep", actor=owner)
    reinstate_reviewer(member=membership(study, person), actor=owner)
    assert claim_next(study_id=study.pk, reviewer=person).slot is None
    assert Slot.objects.get().state == "withdrawn"


def test_the_way_can_be_changed_until_seats_were_given_away() -> None:
    study, leaver, _ = make_begun()
    owner = make_researcher()
    withdraw_reviewer(member=membership(study, leaver), how="keep", actor=owner)
    withdraw_reviewer(member=membership(study, leaver), how="exclude", actor=owner)
    assert counted(study) == 0
    with pytest.raises(StudyError, match="already"):
        withdraw_reviewer(member=membership(study, leaver), how="exclude", actor=owner)
    withdraw_reviewer(member=membership(study, leaver), how="reopen", actor=owner)
    with pytest.raises(StudyError, match="Reinstate"):
        withdraw_reviewer(member=membership(study, leaver), how="keep", actor=owner)
    assert [event.details["before"] for event in Event.objects.filter(kind="reviewer-withdrawn")] == [
        "",
        "keep",
        "exclude",
    ]


def test_what_cannot_be_done_is_refused_in_words() -> None:
    study, leaver, _ = make_begun()
    owner = make_researcher()
    member = membership(study, leaver)
    with pytest.raises(StudyError):
        withdraw_reviewer(member=member, how="banish", actor=owner)
    with pytest.raises(StudyError, match="takes part already"):
        reinstate_reviewer(member=member, actor=owner)
    helper = Membership.objects.create(study=study, user=owner, role="manager")
    with pytest.raises(StudyError, match="Only reviewers"):
        withdraw_reviewer(member=helper, how="keep", actor=owner)
    close_study(study=study)
    with pytest.raises(StudyError, match="takes no ratings"):
        withdraw_reviewer(member=member, how="reopen", actor=owner)
    withdraw_reviewer(member=member, how="exclude", actor=owner)
    assert counted(study) == 0
    assert not Opening.objects.exists()


def test_agreement_is_shown_with_and_without_the_person() -> None:
    study = make_rated_study(
        answers={
            "meaningfulness": [
                ["low", "low", "high"],
                ["medium", "medium", "low"],
                ["high", "high", "low"],
                ["low", "low", "high"],
            ]
        }
    )
    third = study.memberships.order_by("pk").last()
    assert third is not None
    (row,) = agreement_with_and_without(study=study, reviewer_id=third.user_id)
    kappa = "mean_pairwise_cohen_kappa_linear"
    assert (row["all"]["raters"], row["without"]["raters"]) == (3, 2)
    assert (row["all"]["ratings"], row["without"]["ratings"]) == (12, 8)
    assert row["without"]["coefficients"][kappa]["value"] == pytest.approx(1)
    assert row["all"]["coefficients"][kappa]["value"] < 0.2
    # And so it comes out once the ratings are left out.
    withdraw_reviewer(member=third, how="exclude", actor=make_researcher())
    assert Event.objects.get().details["agreement"] == json.loads(json.dumps([row]))
    Study.objects.filter(pk=study.pk).update(state="closed")
    (after,) = agreement_with_and_without(study=study, reviewer_id=third.user_id)
    assert after["all"] == after["without"] == row["without"]


def test_without_the_only_other_rater_agreement_is_undefined_with_a_reason() -> None:
    study = make_rated_study(answers={"meaningfulness": [["low", "low"], ["high", "high"]]})
    one = study.memberships.order_by("pk").first()
    assert one is not None
    (row,) = agreement_with_and_without(study=study, reviewer_id=one.user_id)
    alpha = row["without"]["coefficients"]["krippendorff_alpha_ordinal"]
    assert (alpha["value"], bool(alpha["reason"])) == (None, True)


@pytest.mark.django_db(transaction=True)
def test_leaving_waits_for_an_answer_that_is_just_being_stored() -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1, raters_per_item=1)
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    owner = make_researcher()
    done: list[Any] = []

    def leave() -> None:
        try:
            done.append(withdraw_reviewer(member=membership(study, person), how="reopen", actor=owner))
        except Exception as error:
            done.append(error)
        finally:
            connection.close()

    with transaction.atomic():
        answer(slot, person)
        thread = threading.Thread(target=leave)
        thread.start()
        thread.join(0.3)
        assert not done
    thread.join(20)
    assert done == [Withdrawal(freed=0, reopened=1)] or done == [Withdrawal(freed=1, reopened=0)]
    assert Slot.objects.get().state == "withdrawn"
    assert Slot.objects.get().ratings.count() == 2
    assert Opening.objects.count() == 1
