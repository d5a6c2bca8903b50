"""Nobody rates what they wrote, nor what a researcher keeps from them."""

import pytest

from accounts.models import User
from corpora.models import Document
from evaluation.errors import StudyError
from evaluation.models import Conflict, Event, Item, Opening, Slot, Study
from evaluation.selectors.conflicts import conflict_rows
from evaluation.selectors.standing import more_may_come, reviewer_standing
from evaluation.services.allocation import claim_next, expire_overdue
from evaluation.services.conflicts import add_conflicts, find_conflicts, lift_conflicts
from evaluation.services.items import add_items_from_batch, add_items_from_corpus
from evaluation.services.studies import create_study, launch_study
from tests.evaluation.services.answers import answer, answer_all, let_lapse
from tests.factories import (
    make_abstract,
    make_batch,
    make_cell,
    make_corpus,
    make_open_study,
    make_researcher,
    make_retrieval,
    make_reviewer,
)

pytestmark = pytest.mark.django_db


def make_sourced(*, launch: bool = True) -> tuple[Study, Document, Item, Item]:
    """A generated text with two sources, and one of these as a human-written control."""
    corpus = make_corpus(bodies=["Slow settling is a matter of clay.", "Paste gains strength."])
    retrieval = make_retrieval(corpus=corpus)
    batch = make_batch(corpus=corpus)
    make_abstract(cell=make_cell(batch=batch, retrieval=retrieval))
    study = create_study(title="Sourced", raters_per_item=2)
    add_items_from_batch(study=study, batch=batch, count=1)
    add_items_from_corpus(study=study, corpus=corpus, count=1)
    generated = study.items.get(abstract__isnull=False)
    control = study.items.get(document__isnull=False)
    study = launch_study(study=study) if launch else study
    return study, Document.objects.exclude(pk=control.document_id).get(), generated, control


def test_an_author_of_a_retrieved_document_is_not_given_what_was_generated_from_it() -> None:
    study, other, generated, control = make_sourced()
    Document.objects.filter(pk=other.pk).update(authors="Doe, J.; Rater, R.")
    author = make_reviewer(study=study, name="Rita Rater")
    assert list(Conflict.objects.values_list("user_id", "item_id")) == [(author.pk, generated.pk)]
    assert answer_all(study, author) == 1
    assert Slot.objects.get(reviewer=author).item_id == control.pk
    assert answer_all(study, make_reviewer(study=study, name="Paul Panel")) == 2
    (row,) = conflict_rows(study=study)
    assert (row.reviewer, row.reason, row.state) == ("Rita Rater", "author: Rater, R.", None)
    assert Event.objects.get(kind="author-among-reviewers").details["texts"] == 1


def test_an_author_of_a_control_is_given_neither_it_nor_what_was_generated_from_it() -> None:
    study, _, generated, control = make_sourced()
    Document.objects.filter(pk=control.document_id).update(authors="Rita Rater")
    author = make_reviewer(study=study, name="Rita Rater")
    claim = claim_next(study_id=study.pk, reviewer=author)
    assert (claim.slot, claim.standing.of) == (None, 0)
    assert set(Conflict.objects.values_list("item_id", flat=True)) == {generated.pk, control.pk}


def test_who_joined_before_the_launch_is_compared_at_the_launch() -> None:
    study, _, generated, control = make_sourced(launch=False)
    author = make_reviewer(study=study, name="Rita Rater")
    assert not Conflict.objects.exists()
    Document.objects.filter(pk=control.document_id).update(authors="Rita Rater")
    launch_study(study=study)
    assert set(Conflict.objects.filter(user=author).values_list("item_id", flat=True)) == {generated.pk, control.pk}


def test_what_a_researcher_lifted_stays_lifted() -> None:
    study, _, generated, control = make_sourced()
    Document.objects.filter(pk=control.document_id).update(authors="Rita Rater")
    author = make_reviewer(study=study, name="Rita Rater")
    assert lift_conflicts(study=study, user=author, items=[control], actor=make_researcher()) == 1
    assert find_conflicts(study=study, user=author) == 0
    assert Conflict.objects.get().item_id == generated.pk
    assert answer_all(study, author) == 1


def test_a_text_in_hand_is_taken_back_and_others_can_have_it() -> None:
    study, (person, other) = make_open_study(texts=1, reviewers=2, raters_per_item=1)
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    assert claim_next(study_id=study.pk, reviewer=other).slot is None
    owner = make_researcher()
    assert add_conflicts(study=study, user=person, items=list(study.items.all()), actor=owner, reason="Same group") == 1
    assert Slot.objects.get(public_id=slot).state == "withdrawn"
    assert claim_next(study_id=study.pk, reviewer=person).slot is None
    taken = claim_next(study_id=study.pk, reviewer=other).slot
    assert taken is not None
    event = Event.objects.get(kind="texts-kept-from-reviewer")
    assert (event.actor, event.details["person"]) == (owner, str(person.public_id))
    standing = reviewer_standing(study_id=study.pk, reviewer=person, quota=None, size=1)
    assert standing.of == 0
    assert not more_may_come(study_id=study.pk, reviewer=person, standing=standing)


def test_a_lapsed_text_that_is_kept_from_somebody_does_not_come_back_until_it_is_lifted() -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1, raters_per_item=1)
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    let_lapse(slot)
    expire_overdue(study_id=study.pk)
    items = list(study.items.all())
    add_conflicts(study=study, user=person, items=items, actor=None)
    assert claim_next(study_id=study.pk, reviewer=person).slot is None
    lift_conflicts(study=study, user=person, items=items, actor=None)
    assert claim_next(study_id=study.pk, reviewer=person).slot == slot
    assert not Opening.objects.exists()


def test_ratings_given_before_stay_and_the_list_says_so() -> None:
    study, (person,) = make_open_study(texts=2, reviewers=1)
    answer(claim_next(study_id=study.pk, reviewer=person).slot, person)
    item = Slot.objects.get().item
    add_conflicts(study=study, user=person, items=[item], actor=None)
    assert Slot.objects.get().state == "rated"
    assert conflict_rows(study=study)[0].state == "rated"
    assert add_conflicts(study=study, user=person, items=[item], actor=None) == 0


def test_somebody_else_holding_a_text_that_is_kept_from_me_promises_nothing() -> None:
    study, (person, other) = make_open_study(texts=1, reviewers=2, raters_per_item=1)
    claim_next(study_id=study.pk, reviewer=other)

    def waits(user: User) -> bool:
        standing = reviewer_standing(study_id=study.pk, reviewer=user, quota=None, size=1)
        return more_may_come(study_id=study.pk, reviewer=user, standing=standing)

    assert waits(person)
    assert not waits(other)
    add_conflicts(study=study, user=person, items=list(study.items.all()), actor=None)
    assert not waits(person)


def test_only_rated_texts_of_the_study_can_be_kept_from_somebody() -> None:
    study, (person,) = make_open_study(reviewers=1)
    foreign, _ = make_open_study(title="Other")
    with pytest.raises(StudyError):
        add_conflicts(study=study, user=person, items=list(foreign.items.all()), actor=None)
