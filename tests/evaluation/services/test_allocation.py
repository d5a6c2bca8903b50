"""Who gets which text: never too many, never twice, never blocked for ever."""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now

from accounts.models import User
from evaluation.errors import NotYours, StudyClosed
from evaluation.models import Membership, Opening, Slot, Study
from evaluation.services.allocation import claim_next, expire_overdue, skip_slot
from evaluation.services.finishing import note_end
from evaluation.services.items import add_items_from_rows
from evaluation.services.members import change_quota
from evaluation.services.studies import close_study, create_study, launch_study
from evaluation.services.withdrawals import Withdrawal, withdraw_reviewer
from evaluation.uploads import TextRow
from tests.evaluation.services.answers import answer, answer_all, let_lapse
from tests.evaluation.services.cells import make_apart, make_cells
from tests.factories import make_open_study, make_researcher, make_reviewer, make_user


def at_once(jobs: list[Callable[[], Any]]) -> list[Any]:
    """Run each job in a thread with a connection of its own, all released by one barrier."""
    barrier = threading.Barrier(len(jobs))
    results: list[Any] = [None] * len(jobs)

    def work(number: int) -> None:
        try:
            connection.ensure_connection()
            barrier.wait(30)
            results[number] = jobs[number]()
        except Exception as error:
            results[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=[number]) for number in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("texts", [1, 12, 40])
def test_fifty_at_once_get_no_seat_too_many_and_none_is_left_out(texts: int) -> None:
    study, reviewers = make_open_study(texts=texts, reviewers=50, raters_per_item=3)
    results = at_once([lambda person=person: claim_next(study_id=study.pk, reviewer=person) for person in reviewers])
    assert [error for error in results if isinstance(error, Exception)] == []
    given = Counter(Slot.objects.values_list("item_id", flat=True))
    assert max(given.values()) <= 3
    assert sum(given.values()) == min(50, 3 * texts)
    assert sum(result.slot is not None for result in results) == min(50, 3 * texts)
    assert Opening.objects.filter(study=study).count() == 3 * texts - min(50, 3 * texts)


@pytest.mark.django_db(transaction=True)
def test_fifty_requests_of_one_person_get_one_seat() -> None:
    study, (person,) = make_open_study(texts=5, reviewers=1)
    results = at_once([lambda: claim_next(study_id=study.pk, reviewer=person)] * 50)
    assert {result.slot for result in results} == {Slot.objects.get().public_id}


@pytest.mark.django_db(transaction=True)
def test_a_crowd_that_rates_to_the_end_fills_each_seat_once() -> None:
    study, reviewers = make_open_study(texts=8, reviewers=10, raters_per_item=3)
    results = at_once([lambda person=person: answer_all(study, person) for person in reviewers])
    assert [error for error in results if isinstance(error, Exception)] == []
    by_item = defaultdict(list)
    for item, reviewer, state in Slot.objects.values_list("item_id", "reviewer_id", "state"):
        assert state == "rated"
        by_item[item].append(reviewer)
    assert len(by_item) == 8
    assert all(len(people) == len(set(people)) == 3 for people in by_item.values())
    assert not Opening.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_crowd_with_practice_checks_and_repeats_and_somebody_withdrawn_meanwhile() -> None:
    study = make_cells(cells=3, texts=4, raters_per_item=3, launch=False)
    make_apart(study=study, kind="practice", count=1)
    make_apart(study=study, kind="attention", count=2)
    Study.objects.filter(pk=study.pk).update(repeats=2, repeat_distance=2, attention_every=4)
    study = launch_study(study=study)
    reviewers = [make_reviewer(study=study, name=f"R{number}") for number in range(12)]
    owner = make_researcher()

    def leave(how: str, person: User) -> Withdrawal:
        return withdraw_reviewer(member=Membership.objects.get(study=study, user=person), how=how, actor=owner)

    first_of = {person: claim_next(study_id=study.pk, reviewer=person).slot for person in reviewers}
    assert set(Slot.objects.values_list("item__kind")) == {("practice",)}
    assert len(set(first_of.values())) == 12
    jobs: list[Callable[[], Any]] = [lambda person=person: answer_all(study, person) for person in reviewers]
    ways = ("keep", "exclude", "reopen")
    jobs += [lambda how=how, person=person: leave(how, person) for how, person in zip(ways, reviewers, strict=False)]
    results = at_once(jobs)
    assert all(isinstance(result, int | NotYours) for result in results[:12])
    assert all(isinstance(result, Withdrawal) for result in results[12:])
    # Whoever is left takes what the three gave back.
    for person in reviewers[3:]:
        answer_all(study, person)
    slots = list(Slot.objects.select_related("item"))
    seats = [(slot.item_id, slot.pass_number, slot.seat) for slot in slots if slot.seat is not None]
    assert len(seats) == len(set(seats))
    assert len({(slot.item_id, slot.pass_number, slot.reviewer_id) for slot in slots}) == len(slots)
    first = [slot for slot in slots if slot.item.kind == "rated" and slot.pass_number == 0 and slot.seat is not None]
    per_text = Counter(slot.item_id for slot in first)
    open_seats = Counter(Opening.objects.values_list("item_id", flat=True))
    assert {item: per_text[item] + open_seats[item] for item in per_text | open_seats} == dict.fromkeys(
        study.items.filter(kind="rated").values_list("pk", flat=True), 3
    )
    assert not open_seats
    for slot in slots:
        again = slot.pass_number > 0 and slot.seat is not None
        assert not again or (slot.item_id, 0, slot.seat) in seats
        assert slot.item.kind == "rated" or slot.seat in {None, *study.memberships.values_list("number", flat=True)}


@pytest.mark.django_db
def test_the_text_in_hand_comes_again_until_it_is_answered() -> None:
    study, (person,) = make_open_study(reviewers=1)
    first = claim_next(study_id=study.pk, reviewer=person)
    again = claim_next(study_id=study.pk, reviewer=person)
    assert (first.is_new, again.is_new, first.slot) == (True, False, again.slot)
    answer(first.slot, person)
    assert claim_next(study_id=study.pk, reviewer=person).slot != first.slot


@pytest.mark.django_db
def test_an_expired_seat_is_given_to_somebody_else_and_the_late_answer_is_surplus() -> None:
    study, (slow, quick) = make_open_study(texts=1, reviewers=2, raters_per_item=1)
    late = claim_next(study_id=study.pk, reviewer=slow).slot
    assert claim_next(study_id=study.pk, reviewer=quick).slot is None
    let_lapse(late)
    answer(claim_next(study_id=study.pk, reviewer=quick).slot, quick)
    answer(late, slow)
    states = dict(Slot.objects.values_list("reviewer_id", "state"))
    assert states == {slow.pk: "surplus", quick.pk: "rated"}
    assert Slot.objects.get(public_id=late).ratings.count() == 2


@pytest.mark.django_db
def test_a_late_answer_takes_a_seat_that_is_still_free() -> None:
    study, (slow,) = make_open_study(texts=1, reviewers=1, raters_per_item=1)
    late = claim_next(study_id=study.pk, reviewer=slow).slot
    let_lapse(late)
    assert expire_overdue(study_id=study.pk) == 1
    answer(late, slow)
    slot = Slot.objects.get()
    assert (slot.state, slot.seat) == ("rated", 0)
    assert not Opening.objects.exists()


@pytest.mark.django_db
def test_a_late_answer_before_anybody_noticed_is_an_answer_in_time() -> None:
    study, (slow,) = make_open_study(texts=1, reviewers=1)
    late = claim_next(study_id=study.pk, reviewer=slow).slot
    let_lapse(late)
    answer(late, slow)
    assert Slot.objects.get().state == "rated"


@pytest.mark.django_db
def test_a_lapsed_text_comes_back_to_its_reviewer_when_nothing_new_is_left() -> None:
    study, (slow,) = make_open_study(texts=2, reviewers=1, raters_per_item=1)
    late = claim_next(study_id=study.pk, reviewer=slow).slot
    let_lapse(late)
    expire_overdue(study_id=study.pk)
    other = claim_next(study_id=study.pk, reviewer=slow)
    assert other.slot != late
    answer(other.slot, slow)
    assert claim_next(study_id=study.pk, reviewer=slow).slot == late
    assert Slot.objects.get(public_id=late).state == "claimed"


@pytest.mark.django_db
def test_a_claim_does_not_expire_seats_whose_lease_runs() -> None:
    study, (slow, _) = make_open_study(texts=1, reviewers=2, raters_per_item=1)
    claim_next(study_id=study.pk, reviewer=slow)
    assert expire_overdue(study_id=study.pk) == 0


@pytest.mark.django_db
def test_a_skipped_seat_is_free_for_others_and_does_not_come_back_by_itself() -> None:
    study, (picky, other) = make_open_study(texts=1, reviewers=2, raters_per_item=1)
    slot = claim_next(study_id=study.pk, reviewer=picky).slot
    for _ in range(2):
        assert skip_slot(slot_id=slot, reviewer=picky, reason="Not my field") == study.pk
    assert Slot.objects.get().skip_reason == "Not my field"
    assert claim_next(study_id=study.pk, reviewer=picky).slot is None
    assert claim_next(study_id=study.pk, reviewer=other).slot is not None


@pytest.mark.django_db
@pytest.mark.parametrize("taken", [True, False])
def test_a_skipped_text_can_be_rated_after_all(taken: bool) -> None:
    study, (picky, other) = make_open_study(texts=1, reviewers=2, raters_per_item=1)
    slot = claim_next(study_id=study.pk, reviewer=picky).slot
    skip_slot(slot_id=slot, reviewer=picky)
    if taken:
        claim_next(study_id=study.pk, reviewer=other)
    answer(slot, picky)
    assert Slot.objects.get(public_id=slot).state == ("surplus" if taken else "rated")
    assert Slot.objects.filter(seat__isnull=False).count() == 1


@pytest.mark.django_db
def test_an_answered_text_cannot_be_skipped() -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1)
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    answer(slot, person)
    skip_slot(slot_id=slot, reviewer=person)
    assert Slot.objects.get().state == "rated"


@pytest.mark.django_db
def test_a_quota_ends_the_supply() -> None:
    study, _ = make_open_study(texts=5)
    person = make_reviewer(study=study, quota=2)
    answer_all(study, person)
    assert Slot.objects.filter(reviewer=person).count() == 2
    claim = claim_next(study_id=study.pk, reviewer=person)
    assert (claim.slot, claim.standing.of, claim.standing.answered) == (None, 2, 2)


@pytest.mark.django_db
def test_a_quota_can_be_raised_and_lowered_while_somebody_rates() -> None:
    study, _ = make_open_study(texts=5)
    person, owner = make_reviewer(study=study, quota=2), make_researcher()
    member = Membership.objects.get(study=study, user=person)
    answer_all(study, person)
    note_end(study_id=study.pk, reviewer=person)
    assert Membership.objects.get(pk=member.pk).finished_at is not None
    change_quota(member=member, quota=4, actor=owner)
    assert Membership.objects.get(pk=member.pk).finished_at is None
    assert answer_all(study, person) == 2
    change_quota(member=member, quota=1, actor=owner)
    claim = claim_next(study_id=study.pk, reviewer=person)
    assert (claim.slot, claim.standing.quota_is_full, claim.standing.of) == (None, True, 4)
    change_quota(member=member, quota=None, actor=owner)
    assert answer_all(study, person) == 1


@pytest.mark.django_db
def test_reviewers_get_different_orders_and_the_seed_repeats_them() -> None:
    def orders(seed: int) -> list[list[str]]:
        study, reviewers = make_open_study(texts=12, reviewers=2, order_seed=seed)
        given = []
        for person in reviewers:
            answer_all(study, person)
            own = Slot.objects.filter(reviewer=person).order_by("position")
            given.append(list(own.values_list("item__external_id", flat=True)))
        return given

    first, second = orders(7)
    assert sorted(first) == sorted(second)
    assert first != second
    assert orders(7) == [first, second]
    assert orders(8) != [first, second]


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_texts_that_answer_one_question_do_not_follow_each_other(seed: int) -> None:
    study, (person,) = make_open_study(texts=12, reviewers=1, order_seed=seed)
    answer_all(study, person)
    questions = list(Slot.objects.order_by("position").values_list("item__question", flat=True))
    assert len(questions) == 12
    assert not any(one == next_ for one, next_ in pairwise(questions))


@pytest.mark.django_db
def test_each_cell_is_seen_about_equally() -> None:
    study = create_study(title="Cells")
    add_items_from_rows(study=study, rows=[TextRow(f"c{n}", "", f"Cell text {n}.") for n in range(24)])
    for item in study.items.all():
        study.items.filter(pk=item.pk).update(stratum=f"cell:{item.position % 4}")
    study = launch_study(study=study)
    person = make_reviewer(study=study, quota=8)
    answer_all(study, person)
    strata = Counter(Slot.objects.filter(reviewer=person).values_list("item__stratum", flat=True))
    assert strata == {f"cell:{cell}": 2 for cell in range(4)}


@pytest.mark.django_db
def test_strangers_removed_people_and_closed_studies_get_nothing() -> None:
    study, (person, removed) = make_open_study(reviewers=2)
    with pytest.raises(NotYours):
        claim_next(study_id=study.pk, reviewer=make_user(username="stranger"))
    slot = claim_next(study_id=study.pk, reviewer=removed).slot
    study.memberships.filter(user=removed).update(removed_at=Now(), removal="exclude")
    with pytest.raises(NotYours):
        claim_next(study_id=study.pk, reviewer=removed)
    with pytest.raises(NotYours):
        skip_slot(slot_id=slot, reviewer=removed)
    mine = claim_next(study_id=study.pk, reviewer=person).slot
    close_study(study=study)
    with pytest.raises(StudyClosed):
        claim_next(study_id=study.pk, reviewer=person)
    with pytest.raises(StudyClosed):
        skip_slot(slot_id=mine, reviewer=person)


@pytest.mark.django_db
def test_a_seat_of_somebody_else_cannot_be_skipped() -> None:
    study, (person, other) = make_open_study(reviewers=2)
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    with pytest.raises(NotYours):
        skip_slot(slot_id=slot, reviewer=other)


@pytest.mark.django_db
def test_claiming_takes_as_many_statements_in_a_large_study(django_assert_num_queries: Any) -> None:
    for size in (10, 1000):
        study, (person,) = make_open_study(texts=size, reviewers=1)
        # The savepoint and its release stand for BEGIN and COMMIT; between them: the lock on the membership, the
        # reviewer's desk, and the draw that makes the new slot.
        with django_assert_num_queries(5):
            claim_next(study_id=study.pk, reviewer=person)


def test_the_study_closes_only_between_answers(transactional_db: None) -> None:
    study, reviewers = make_open_study(texts=1, reviewers=20, raters_per_item=20)
    slots = {person: claim_next(study_id=study.pk, reviewer=person).slot for person in reviewers}
    jobs: list[Callable[[], Any]] = [lambda person=person: answer(slots[person], person) for person in reviewers]
    results = at_once([*jobs[:10], lambda: close_study(study=Study.objects.get(pk=study.pk)), *jobs[10:]])
    acknowledged = sum(getattr(result, "complete", False) is True for result in results)
    refused = sum(isinstance(result, StudyClosed) for result in results)
    assert acknowledged + refused == 20
    assert Slot.objects.filter(state="rated").count() == acknowledged
    closed_at = Study.objects.get(pk=study.pk).closed_at
    assert closed_at is not None
    with pytest.raises(StudyClosed):
        answer(slots[reviewers[0]], reviewers[0])
