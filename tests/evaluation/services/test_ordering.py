"""The order of a study: balanced blocks, the same for a seed, and drawn from as planned."""

from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import pytest

from accounts.models import User
from evaluation.models import Item, Opening, Slot, Study
from evaluation.science.allocation.blocks import Text
from evaluation.science.allocation.simulation import simulate
from evaluation.selectors.balance import WINDOW
from evaluation.services.allocation import claim_next
from evaluation.services.finishing import note_end
from evaluation.services.studies import launch_study
from tests.evaluation.services.answers import answer, answer_all
from tests.evaluation.services.cells import make_apart, make_cells
from tests.factories import make_reviewer

pytestmark = pytest.mark.django_db


def blocks_of(study: Study) -> list[list[Item]]:
    blocks = defaultdict(list)
    for item in study.items.filter(kind=Item.Kind.RATED).order_by("shuffled_position"):
        blocks[item.block].append(item)
    return [blocks[number] for number in sorted(blocks)]


def take_turns(study: Study, people: list[User]) -> list[list[int]]:
    """Everybody takes one text after the other; the items of each, in order."""
    given: dict[User, list[int]] = {person: [] for person in people}
    waiting = list(people)
    while waiting:
        for person in list(waiting):
            slot = claim_next(study_id=study.pk, reviewer=person).slot
            if slot is None:
                note_end(study_id=study.pk, reviewer=person)
                waiting.remove(person)
            else:
                given[person].append(Slot.objects.get(public_id=slot).item_id)
                answer(slot, person)
    return [given[person] for person in people]


def test_each_block_holds_each_cell_and_no_two_answers_to_one_question_more_than_it_must() -> None:
    study = make_cells(cells=6, texts=6, questions=6)
    blocks = blocks_of(study)
    assert len(blocks) == 6
    for block in blocks:
        assert Counter(item.stratum for item in block) == {f"cell:{cell}": 1 for cell in range(6)}
        assert max(Counter(item.question for item in block).values()) == 1
    assert [item.shuffled_position for block in blocks for item in block] == list(range(36))
    assert dict(Opening.objects.values_list("item_id", "ring")) == {item.pk: item.block for item in study.items.all()}


def test_a_quota_decides_the_size_of_blocks_so_that_it_is_filled_with_whole_ones() -> None:
    study = make_cells(cells=4, texts=12, default_quota=10, launch=False)
    study = launch_study(study=study)
    assert {len(block) for block in blocks_of(study)} == {5, 4}


def test_the_seed_decides_the_blocks() -> None:
    def order(seed: int) -> list[list[str]]:
        return [[item.external_id for item in block] for block in blocks_of(make_cells(order_seed=seed))]

    assert order(1) == order(1)
    assert order(1) != order(2)


@pytest.mark.parametrize(
    ("fields", "quotas"),
    [
        ({"cells": 6, "texts": 4, "questions": 3, "raters_per_item": 2}, [None] * 3),
        ({"cells": 4, "texts": 6, "questions": 2, "raters_per_item": 3}, [8, 12, 4, 24, None]),
        ({"cells": 9, "texts": 2, "questions": 3, "raters_per_item": 2}, [6, 6, 6, 6]),
        ({"cells": 1, "texts": 14, "questions": 1, "raters_per_item": 2}, [None] * 4),
    ],
)
def test_what_is_given_is_what_the_plan_foresees(fields: dict[str, Any], quotas: list[int | None]) -> None:
    study = make_cells(order_seed=11, **fields)
    people = [make_reviewer(study=study, name=f"R{n}", quota=quota) for n, quota in enumerate(quotas)]
    items = list(study.items.order_by("pk"))
    number = {item.pk: place for place, item in enumerate(items)}
    planned = simulate(
        [Text(item.stratum, item.question) for item in items],
        [[number[item.pk] for item in block] for block in blocks_of(study)],
        raters=study.raters_per_item,
        reviewers=list(study.memberships.order_by("number").values_list("number", flat=True)),
        quotas=quotas,
        seed=study.order_seed,
        window=WINDOW,
    )
    given = take_turns(study, people)
    assert [[number[pk] for pk in one] for one in given] == planned
    assert sum(map(len, given)) > len(items)


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 6])
def test_one_after_the_other_fills_every_seat(seed: int) -> None:
    """Six people for three seats of six blocks, three blocks each: nobody is left with blocks that they had already."""
    study = make_cells(cells=4, texts=6, raters_per_item=3, default_quota=12, order_seed=seed)
    for person in [make_reviewer(study=study, name=f"R{n}", quota=12) for n in range(6)]:
        answer_all(study, person)
        note_end(study_id=study.pk, reviewer=person)
    assert not Opening.objects.exists()
    assert Counter(Slot.objects.values_list("reviewer_id", flat=True)).most_common()[-1][1] == 12


def test_each_reviewer_sees_each_cell_equally_often_and_pairs_share_as_many_texts() -> None:
    """Seven blocks of two, three raters, seven people: the Fano plane."""
    study = make_cells(cells=2, texts=7, questions=2, raters_per_item=3, default_quota=6, order_seed=3, launch=False)
    Item.objects.filter(study=study).update(stratum="upload", question="")
    study = launch_study(study=study)
    assert [len(block) for block in blocks_of(study)] == [2] * 7
    people = [make_reviewer(study=study, name=f"R{n}", quota=6) for n in range(7)]
    for person in people:
        answer_all(study, person)
    given = {p: set(Slot.objects.filter(reviewer=p).values_list("item_id", flat=True)) for p in people}
    assert {len(given[a] & given[b]) for a in people for b in people if a != b} == {2}


def test_no_text_follows_another_answer_to_its_question_while_there_is_a_choice() -> None:
    for seed in range(3):
        study = make_cells(cells=6, texts=3, questions=2, order_seed=seed)
        person = make_reviewer(study=study)
        answer_all(study, person)
        questions = list(Slot.objects.filter(reviewer=person).order_by("position").values_list("item__question"))
        assert len(questions) == 18
        assert not any(one == next_ for one, next_ in pairwise(questions))


def test_practice_and_checks_stand_in_no_block() -> None:
    study = make_cells(cells=2, texts=2, launch=False)
    apart = make_apart(study=study, kind="practice", count=1) + make_apart(study=study, kind="attention", count=2)
    study = launch_study(study=study)
    assert study.item_count == 4
    assert not Item.objects.filter(pk__in=[item.pk for item in apart], block__isnull=False).exists()
    assert Opening.objects.count() == 8
