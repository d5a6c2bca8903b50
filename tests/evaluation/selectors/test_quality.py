"""How reviewers worked: checks, repeats, speed, runs. Each flag has a case on either side of its threshold."""

import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from evaluation.models import Criterion, Expectation, Level, Membership, Rating, Slot, Study, Submission
from evaluation.selectors.quality import ReviewerQuality, study_quality
from tests.factories import make_rated_study, make_slot, make_study, make_user, rate

pytestmark = pytest.mark.django_db

CYCLE = ("low", "medium", "high")


def rated(columns: Sequence[Sequence[str]], **fields: Any) -> Study:
    """A study on clarity in which each reviewer gave a column of levels, in the order of the texts."""
    return make_rated_study(answers={"clarity": [list(row) for row in zip(*columns, strict=True)]}, **fields)


def by_label(study: Study) -> dict[str, ReviewerQuality]:
    return {reviewer.label: reviewer for reviewer in study_quality(study=study).reviewers}


def test_a_run_is_flagged_where_the_reviewers_own_levels_make_it_improbable() -> None:
    mixed = [CYCLE[n % 3] for n in range(30)]
    block = ["low"] * 10 + ["medium"] * 10 + ["high"] * 10
    found = by_label(rated([mixed, block]))
    assert (found["R1"].uses[0].run, found["R1"].flags) == (1, 0)
    use = found["R2"].uses[0]
    assert (use.run, use.run_label, use.counts) == (10, "Low", (10, 10, 10))
    assert use.run_chance is not None
    assert use.run_chance < 0.001
    assert use.has_long_run


def test_one_level_throughout_is_flagged_only_where_the_others_use_more() -> None:
    mixed = [CYCLE[n % 3] for n in range(20)]
    flat = ["medium"] * 20
    flagged = by_label(rated([mixed, mixed, flat]))["R3"].uses[0]
    assert (flagged.share, flagged.label, flagged.entropy) == (1.0, "Medium", 0.0)
    assert flagged.is_flat
    assert not flagged.has_long_run  # its own levels leave nothing else
    agreed = by_label(rated([flat, flat], title="All alike"))["R1"].uses[0]
    assert not agreed.is_flat
    short = by_label(rated([mixed[:9], flat[:9]], title="Few"))["R2"].uses[0]
    assert not short.is_flat


def test_levels_are_read_in_the_order_of_the_reviewers_texts_and_by_last_revision() -> None:
    study = rated([["low", "low", "high", "high"]])
    slots = list(Slot.objects.filter(item__study=study).order_by("position"))
    assert by_label(study)["R1"].uses[0].run == 2
    for slot, position in zip(slots, (1, 3, 2, 4), strict=True):
        Slot.objects.filter(pk=slot.pk).update(position=position)
    assert by_label(study)["R1"].uses[0].run == 1
    rate(slot=slots[2], clarity="low")
    assert by_label(study)["R1"].uses[0].counts == (3, 0, 1)


def timed(paces: Sequence[float], texts: int = 10) -> Study:
    """Texts of ten words; each reviewer took so many seconds a word at every text."""
    study = rated(
        [[CYCLE[n % 3] for n in range(texts)]] * len(paces), texts=[f"{n} a b c d e f g h i" for n in range(texts)]
    )
    for reviewer, pace in zip(Membership.objects.filter(study=study).order_by("number"), paces, strict=True):
        Slot.objects.filter(reviewer=reviewer.user).update(seconds_active=10 * pace)
    return study


def test_speed_is_relative_to_the_length_of_the_text_and_to_everybody() -> None:
    found = by_label(timed([0.4, 0.5, 0.19]))
    speed = found["R3"].speed
    assert speed is not None
    assert (speed.n, speed.fast) == (10, 10)
    assert speed.seconds_a_word == pytest.approx(0.19)
    assert speed.relative == pytest.approx(0.19 / 0.4)
    assert speed.words_a_minute == pytest.approx(60 / 0.19)
    assert speed.is_flagged
    assert not found["R1"].flags
    assert not by_label(timed([0.4, 0.5, 0.21]))["R3"].flags
    assert not by_label(timed([0.4, 0.5, 0.1], texts=9))["R3"].flags


def test_who_is_as_fast_as_nobody_reads_is_flagged_though_all_are() -> None:
    assert by_label(timed([0.09, 0.09]))["R1"].flags == 1
    assert by_label(timed([0.11, 0.11]))["R1"].flags == 0


def test_untimed_texts_say_nothing_of_speed() -> None:
    study = timed([0.4, 0.4])
    Slot.objects.all().update(seconds_active=0)
    found = study_quality(study=study)
    assert found.usual_seconds_a_word is None
    assert found.reviewers[0].speed is None


def with_checks(checks: int) -> Study:
    study = make_study(texts=[f"Text {n}." for n in range(checks + 1)], criteria=["clarity", "use"], state="draft")
    study.items.filter(position__gt=1).update(kind="attention")
    level = Level.objects.get(criterion__study=study, criterion__key="clarity", value="high")
    for item in study.items.filter(kind="attention"):
        Expectation.objects.create(item=item, criterion=level.criterion, level=level)
    study.state, study.frozen_sha256 = "open", "0" * 64
    study.save()
    return study


@pytest.mark.parametrize(
    ("given", "failed", "flagged"), [(["high"] * 3, 0, False), (["low", "high"], 1, False), (["low"] * 2, 2, True)]
)
def test_two_failed_checks_are_flagged_and_one_is_not(given: list[str], failed: int, flagged: bool) -> None:
    study = with_checks(len(given))
    reviewer = make_user()
    for item, level in zip(study.items.filter(kind="attention"), given, strict=True):
        rate(slot=make_slot(item=item, reviewer=reviewer), clarity=level, use="low")
    (found,) = study_quality(study=study).reviewers
    assert (found.checks, found.failed, found.failed_checks) == (len(given), failed, flagged)
    assert sum(found.uses[0].counts) == 0


def test_a_check_that_is_changed_after_the_end_stays_failed() -> None:
    study = with_checks(1)
    reviewer = make_user()
    member = Membership.objects.create(study=study, user=reviewer, role="reviewer")
    slot = make_slot(item=study.items.get(kind="attention"), reviewer=reviewer)
    rate(slot=slot, clarity="low", use="low")
    member.finished_at = timezone.now()
    member.save()
    expected = Expectation.objects.get()
    given = {"criterion": expected.criterion, "level": expected.level, "revision": 2}
    submission = Submission.objects.create(key=uuid.uuid4(), slot=slot)
    later = member.finished_at + timedelta(minutes=1)
    Rating.objects.create(slot=slot, submission=submission, created_at=later, **given)
    (found,) = study_quality(study=study).reviewers
    assert (found.checks, found.failed) == (1, 1)


def test_a_check_left_open_is_none_and_the_last_answer_holds() -> None:
    study = with_checks(2)
    reviewer = make_user()
    one, other = study.items.filter(kind="attention")
    make_slot(item=one, reviewer=reviewer, state="claimed")
    slot = make_slot(item=other, reviewer=reviewer)
    rate(slot=slot, clarity="low", use="low")
    rate(slot=slot, clarity="high")
    (found,) = study_quality(study=study).reviewers
    assert (found.checks, found.passed) == (1, 1)


def repeated(first: Sequence[str], again: Sequence[str]) -> ReviewerQuality:
    study = rated([first])
    reviewer = Membership.objects.get(study=study).user
    for item, level in zip(study.items.order_by("position"), again, strict=True):
        rate(slot=make_slot(item=item, reviewer=reviewer, pass_number=1), clarity=level)
    return study_quality(study=study).reviewers[0]


def test_repeats_compare_a_reviewer_with_themself() -> None:
    found = repeated(["low", "medium", "high", "low"], ["low", "high", "high", "high"])
    repeats = found.uses[0].repeats
    assert (repeats.n, repeats.same, repeats.within_one, repeats.share) == (4, 2, 3, 0.5)
    assert not found.flags
    assert found.uses[0].n == 4


def test_few_same_answers_are_flagged_from_five_repeats_on() -> None:
    first = ["low", "medium", "high", "low", "medium"]
    assert repeated(first, ["low", "medium", "low", "high", "high"]).uses[0].is_inconsistent
    assert not repeated(first[:4], ["high", "high", "low", "high"]).uses[0].is_inconsistent
    assert not repeated(first, ["low", "medium", "high", "high", "high"]).uses[0].is_inconsistent


def test_criteria_without_levels_are_not_compared() -> None:
    study = make_study(texts=["One."], criteria=["clarity"], state="draft")
    Criterion.objects.create(study=study, position=9, key="remarks", name="Remarks", kind="words")
    assert [scale.key for scale in study_quality(study=study).scales] == ["clarity"]


def test_the_number_of_statements_does_not_grow(django_assert_num_queries: Any) -> None:
    small = rated([["low"]])
    large = rated([[CYCLE[n % 3] for n in range(25)]] * 4, title="Large")
    for study in (small, large):
        with django_assert_num_queries(7):
            study_quality(study=study)
