"""Which ratings count, which do not, and why."""

from collections import Counter

import pytest
from django.utils import timezone

from evaluation.models import Item, Membership, Slot, Study
from evaluation.selectors.agreement import criterion_scales, rating_patterns, study_raters
from evaluation.selectors.correlations import item_facts, item_ratings, score_settings
from evaluation.selectors.left_out import left_out
from tests.factories import make_rated_study, make_slot, make_study, make_user, rate

pytestmark = pytest.mark.django_db

ANSWERS = {"meaningfulness": [["low", "low"], ["high", "medium"], ["low", "low"], ["high", None]]}


def patterns(study: Study) -> Counter[tuple[int, ...]]:
    (criterion,) = criterion_scales(study_id=study.pk)
    found: Counter[tuple[int, ...]] = Counter()
    for pattern in rating_patterns(study_id=study.pk).get(criterion.pk, []):
        found[pattern.levels] += pattern.items
    return found


def only(study: Study):
    (figures,) = left_out(study_id=study.pk).values()
    return figures


def test_patterns_count_items_that_cannot_be_told_apart():
    study = make_rated_study(answers=ANSWERS)
    assert patterns(study) == {(0, 0): 2, (2, 1): 1, (2,): 1}


def test_levels_keep_the_declared_order_not_the_alphabet():
    (scale,) = criterion_scales(study_id=make_rated_study(answers=ANSWERS).pk)
    assert scale.levels == ("low", "medium", "high")


def test_only_the_last_revision_counts():
    study = make_rated_study(answers=ANSWERS)
    slot = Slot.objects.filter(item__position=1).order_by("pk").last()
    rate(slot=slot, meaningfulness="medium")
    rate(slot=slot, meaningfulness="high")
    assert patterns(study) == {(0, 2): 1, (2, 1): 1, (0, 0): 1, (2,): 1}


def test_another_study_is_not_counted():
    study = make_rated_study(answers=ANSWERS)
    make_rated_study(answers=ANSWERS, title="Another")
    assert sum(patterns(study).values()) == 4


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"state": "surplus", "seat": None}, "surplus"),
        ({"pass_number": 1}, "repeat"),
    ],
)
def test_surplus_and_repeats_are_set_aside(change, reason):
    study = make_rated_study(answers=ANSWERS)
    slot = Slot.objects.filter(item__position=1).order_by("pk").last()
    Slot.objects.filter(pk=slot.pk).update(**change)
    assert patterns(study) == {(0, 0): 1, (2, 1): 1, (0,): 1, (2,): 1}
    assert only(study).set_aside == {reason: 1}


@pytest.mark.parametrize("kind", ["practice", "attention"])
def test_practice_and_attention_items_are_set_aside(kind):
    study = make_study(criteria=["meaningfulness"], texts=["One text.", "Another text."], state="draft")
    Item.objects.filter(study=study, position=1).update(kind=kind)
    study.state, study.frozen_sha256 = "open", "0" * 64
    study.save()
    reviewer = make_user()
    for item in study.items.all():
        rate(slot=make_slot(item=item, reviewer=reviewer), meaningfulness="low")
    assert patterns(study) == {(0,): 1}
    figures = only(study)
    assert (figures.planned, figures.counted, figures.set_aside) == (2, 1, {kind: 1})
    assert len(item_facts(study_id=study.pk, settings_id=None)) == 1


def test_a_removed_reviewer_is_set_aside():
    study = make_rated_study(answers=ANSWERS)
    membership = Membership.objects.filter(study=study).order_by("pk").last()
    membership.removed_at, membership.removal = timezone.now(), "exclude"
    membership.save()
    assert patterns(study) == {(0,): 2, (2,): 2}
    assert only(study).set_aside == {"removed": 3}
    assert [rater.removed for rater in study_raters(study_id=study.pk)] == [False, True]


def test_missing_is_counted_by_reason():
    study = make_study(criteria=["meaningfulness", "importance"], raters_per_item=3)
    first, second, third = study.items.order_by("position")
    reviewers = [make_user(username=f"r{number}") for number in range(3)]
    rate(slot=make_slot(item=first, reviewer=reviewers[0]), meaningfulness="low", importance="low")
    rate(slot=make_slot(item=first, reviewer=reviewers[1]), meaningfulness="low")
    make_slot(item=first, reviewer=reviewers[2], state="claimed")
    make_slot(item=second, reviewer=reviewers[0], state="skipped")
    make_slot(item=second, reviewer=reviewers[1], state="expired")
    make_slot(item=third, reviewer=reviewers[0], state="withdrawn")
    by_key = {scale.key: left_out(study_id=study.pk)[scale.pk] for scale in criterion_scales(study_id=study.pk)}
    reasons = {"not_assigned": 3, "not_reached": 1, "skipped": 1, "expired": 1, "withdrawn": 1}
    assert by_key["meaningfulness"].missing == reasons
    assert by_key["importance"].missing == reasons | {"unanswered": 1}
    for figures in by_key.values():
        assert figures.planned == 9 == figures.counted + sum(figures.missing.values())


def test_a_criterion_without_any_slot_still_says_what_is_missing():
    figures = left_out(study_id=make_study(criteria=["meaningfulness"]).pk)
    assert [found.missing for found in figures.values()] == [{"not_assigned": 6}]


def test_labels_follow_the_first_seat():
    study = make_study()
    late, early = make_user(username="a"), make_user(username="b", first_name="Beate", last_name="Berg")
    make_slot(item=study.items.first(), reviewer=early)
    make_slot(item=study.items.first(), reviewer=late)
    assert [(r.label, r.name) for r in study_raters(study_id=study.pk)] == [("R1", "Beate Berg"), ("R2", "a")]


def test_item_ratings_are_aggregated_by_the_database():
    study = make_rated_study(answers=ANSWERS)
    (criterion,) = criterion_scales(study_id=study.pk)
    found = item_ratings(study_id=study.pk)[criterion.pk]
    assert [(row.levels, row.mean, row.median, row.spread) for row in found] == [
        ((0, 0), 0, 0, 0),
        ((2, 1), 1.5, 1.5, 1),
        ((0, 0), 0, 0, 0),
        ((2,), 2, 2, 0),
    ]


def test_the_number_of_statements_does_not_grow(django_assert_num_queries):
    small = make_rated_study(answers=ANSWERS)
    large = make_rated_study(answers={"meaningfulness": ANSWERS["meaningfulness"] * 10})
    for study in (small, large):
        # criteria and levels: 2; raters, patterns, item ratings, settings, facts: 1 each; left out: 2
        with django_assert_num_queries(9):
            criterion_scales(study_id=study.pk)
            study_raters(study_id=study.pk)
            rating_patterns(study_id=study.pk)
            left_out(study_id=study.pk)
            item_ratings(study_id=study.pk)
            score_settings(study_id=study.pk)
            item_facts(study_id=study.pk, settings_id=None)
