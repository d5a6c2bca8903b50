"""Practice first, checks and repeats mixed in, and nothing that tells them from the rest."""

from itertools import pairwise
from typing import Any

import pytest

from accounts.models import User
from evaluation.models import Item, Membership, Opening, Slot, Study
from evaluation.services.allocation import claim_next, expire_overdue, skip_slot
from evaluation.services.studies import launch_study
from tests.evaluation.services.answers import answer, answer_all, let_lapse
from tests.evaluation.services.cells import make_apart, make_cells
from tests.factories import make_reviewer

pytestmark = pytest.mark.django_db


def make_mixed(
    *, texts: int = 20, practice: int = 0, attention: int = 0, reviewers: int = 1, **fields: Any
) -> tuple[Study, list[User]]:
    study = make_cells(cells=1, texts=texts, launch=False, order_seed=5)
    for kind, count in (("practice", practice), ("attention", attention)):
        make_apart(study=study, kind=kind, count=count)
    Study.objects.filter(pk=study.pk).update(**fields)
    study = launch_study(study=study)
    return study, [make_reviewer(study=study, name=f"R{number}") for number in range(reviewers)]


def course(person: User) -> list[tuple[str, int, int]]:
    """What the reviewer was given, in order: kind, pass, item."""
    own = Slot.objects.filter(reviewer=person).order_by("position")
    return list(own.values_list("item__kind", "pass_number", "item_id"))


def test_practice_comes_first_in_its_order_to_everybody_and_counts_nowhere() -> None:
    study, people = make_mixed(texts=4, practice=2, reviewers=3)
    numbers = set()
    for person in people:
        first = claim_next(study_id=study.pk, reviewer=person)
        assert Slot.objects.get(public_id=first.slot).item.external_id == "practice-1"
        assert (first.standing.given, first.standing.of, first.standing.practice) == (0, 4, 2)
        answer(first.slot, person)
        second = claim_next(study_id=study.pk, reviewer=person)
        assert Slot.objects.get(public_id=second.slot).item.external_id == "practice-2"
        assert (second.standing.answered, second.standing.practice_given) == (0, 1)
        answer(second.slot, person)
        third = claim_next(study_id=study.pk, reviewer=person)
        assert Slot.objects.get(public_id=third.slot).item.kind == "rated"
        assert (third.standing.answered, third.standing.practice_given) == (0, 2)
        member = Membership.objects.get(study=study, user=person)
        assert member.practised_at is not None
        seats = set(Slot.objects.filter(reviewer=person, item__kind="practice").values_list("seat", flat=True))
        assert seats == {member.number}
        numbers |= seats
    assert len(numbers) == 3


def test_who_has_practised_is_not_asked_again() -> None:
    study, (person,) = make_mixed(texts=2, practice=1)
    study.memberships.filter(user=person).update(practised_at=study.launched_at)
    assert Slot.objects.get(public_id=claim_next(study_id=study.pk, reviewer=person).slot).item.kind == "rated"


def test_one_check_comes_within_each_so_many_texts_at_a_drawn_place() -> None:
    study, people = make_mixed(texts=30, attention=4, attention_every=10, reviewers=2)
    places = []
    for person in people:
        answer_all(study, person)
        kinds = [kind for kind, _, _ in course(person)]
        rated_before = [kinds[:place].count("rated") for place, kind in enumerate(kinds) if kind == "attention"]
        assert [(before - 1) // 10 for before in rated_before] == [0, 1, 2]
        places.append(rated_before)
        checks = [item for kind, _, item in course(person) if kind == "attention"]
        assert len(set(checks)) == 3
    assert places[0] != places[1]


def test_more_checks_than_windows_leave_some_over_and_the_last_window_may_be_short() -> None:
    study, (person,) = make_mixed(texts=12, attention=9, attention_every=5)
    answer_all(study, person)
    kinds = [kind for kind, _, _ in course(person)]
    assert kinds.count("attention") == 3
    assert kinds[0] == "rated"


def test_checks_count_in_the_progress_like_any_text() -> None:
    study, (person,) = make_mixed(texts=6, attention=1, attention_every=3, repeats=1, repeat_distance=2)
    first = claim_next(study_id=study.pk, reviewer=person).standing
    assert (first.given, first.of) == (0, 8)
    assert answer_all(study, person) == 8
    last = claim_next(study_id=study.pk, reviewer=person).standing
    assert (last.answered, last.of, last.rated) == (8, 8, 6)


@pytest.mark.parametrize(("distance", "repeats"), [(10, 3), (3, 5), (0, 2)])
def test_repeats_come_after_so_many_other_texts_in_the_reviewers_own_seat(distance: int, repeats: int) -> None:
    study, (person,) = make_mixed(texts=30, repeats=repeats, repeat_distance=distance)
    answer_all(study, person)
    own = {(slot.item_id, slot.pass_number): slot for slot in Slot.objects.filter(reviewer=person)}
    again = [slot for (_, number), slot in own.items() if number == 1]
    assert len(again) == repeats
    assert Slot.objects.filter(pass_number=0).count() == 30
    for slot in again:
        first = own[slot.item_id, 0]
        assert slot.position - first.position - 1 >= max(1, distance)
        assert (slot.seat, slot.state) == (first.seat, "rated")
    assert not all(slot.position > 30 for slot in again)


def test_in_a_short_study_repeats_come_at_its_end_but_never_at_once() -> None:
    study, (person,) = make_mixed(texts=3, repeats=2, repeat_distance=10)
    assert answer_all(study, person) == 5
    items = [item for _, _, item in course(person)]
    assert set(items[3:]) <= set(items[:3])
    assert len(set(items[3:])) == 2
    assert not any(one == next_ for one, next_ in pairwise(items))


def test_one_text_alone_is_not_repeated() -> None:
    study, _ = make_mixed(texts=5, repeats=2)
    person = make_reviewer(study=study, quota=1)
    assert answer_all(study, person) == 1
    assert claim_next(study_id=study.pk, reviewer=person).standing.of == 1


def test_a_quota_counts_texts_that_are_rated_for_the_first_time() -> None:
    study, _ = make_mixed(texts=20, practice=1, attention=2, attention_every=4, repeats=2, repeat_distance=2)
    person = make_reviewer(study=study, quota=8)
    assert answer_all(study, person) == 1 + 8 + 2 + 2
    claim = claim_next(study_id=study.pk, reviewer=person)
    assert (claim.slot, claim.standing.quota_is_full, claim.standing.of) == (None, True, 12)


def test_the_course_is_the_same_for_the_seed_and_number() -> None:
    def kinds() -> list[tuple[str, int]]:
        study, (person,) = make_mixed(texts=20, attention=2, repeats=2, repeat_distance=3)
        answer_all(study, person)
        return [(kind, number) for kind, number, _ in course(person)]

    assert kinds() == kinds()


@pytest.mark.parametrize("kind", ["practice", "attention", "repeat"])
def test_personal_seats_do_not_lapse_and_skipping_one_opens_nothing(kind: str) -> None:
    fields: dict[str, Any] = {"practice": {"practice": 1}, "attention": {"attention": 1, "attention_every": 1}}.get(
        kind, {"repeats": 1, "repeat_distance": 1}
    )
    study, (person,) = make_mixed(texts=3, **fields)
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    while not Slot.objects.filter(public_id=slot).exclude(item__kind="rated", pass_number=0).exists():
        answer(slot, person)
        slot = claim_next(study_id=study.pk, reviewer=person).slot
    seat = Slot.objects.get(public_id=slot).seat
    openings = Opening.objects.count()
    let_lapse(slot)
    assert expire_overdue(study_id=study.pk) == 0
    assert claim_next(study_id=study.pk, reviewer=person).slot == slot
    skip_slot(slot_id=slot, reviewer=person, reason="Other")
    assert Opening.objects.count() == openings
    answer_all(study, person)
    assert Slot.objects.get(public_id=slot).state == "skipped"
    answer(slot, person)
    late = Slot.objects.get(public_id=slot)
    assert (late.state, late.seat) == ("rated", seat)


def test_each_kind_takes_as_many_statements_in_a_large_study(django_assert_num_queries: Any) -> None:
    """The lock, the desk, and the statement that makes the slot, between a savepoint and its release."""
    for texts in (20, 1000):
        study, (person,) = make_mixed(
            texts=texts, practice=1, attention=2, attention_every=3, repeats=2, repeat_distance=3
        )
        study.memberships.filter(user=person).update(quota=14)
        met = set()
        for turn in range(14):
            # Once more a reviewer, after the last practice text, it is noted that they have practised.
            with django_assert_num_queries(6 if turn == 1 else 5):
                slot = claim_next(study_id=study.pk, reviewer=person).slot
            given = Slot.objects.get(public_id=slot)
            met.add((given.item.kind, given.pass_number))
            answer(slot, person)
        assert met >= {("practice", 0), ("attention", 0), ("rated", 0), ("rated", 1)}


def test_items_apart_stay_out_of_the_figures_of_the_study() -> None:
    from evaluation.selectors.agreement import rating_patterns

    study, people = make_mixed(texts=4, practice=1, attention=1, repeats=1, repeat_distance=1, reviewers=2)
    for person in people:
        answer_all(study, person)
    rated = sum(pattern.items for pattern in next(iter(rating_patterns(study_id=study.pk).values())))
    assert rated == Item.objects.filter(study=study, kind="rated").count() == 4
