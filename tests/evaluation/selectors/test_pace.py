"""Pace and the forecast: what is counted, and when nothing is foretold."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from evaluation.invitees import Invitee
from evaluation.models import Invitation, Membership, Slot, Study
from evaluation.selectors.pace import absent_people, reviewer_pace, study_pace, waiting_texts
from evaluation.services.allocation import claim_next
from evaluation.services.invitations import invite
from evaluation.services.seats import skip_slot
from tests.evaluation.services.answers import answer
from tests.factories import make_open_study, make_rated_study, make_reviewer, make_slot, make_study, make_user

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 20, 15, tzinfo=UTC)
LEVELS = {"clarity": [["low"], ["high"]]}


def study_with_days(counts: list[int], *, texts: int = 200, **fields: Any) -> Study:
    """`counts[-1]` ratings yesterday, the one before the day before that, …; launched the day before the first."""
    study = make_study(texts=[f"Text {n}." for n in range(texts)], raters_per_item=1, **fields)
    reviewer = make_user()
    Membership.objects.create(study=study, user=reviewer, role="reviewer")
    items = iter(study.items.all())
    for back, count in zip(range(len(counts), 0, -1), counts, strict=True):
        at = NOW - timedelta(days=back)
        Slot.objects.bulk_create(
            Slot(
                item=next(items),
                reviewer=reviewer,
                state="rated",
                seat=0,
                position=1,
                answered_at=at,
                seconds_active=30,
            )
            for _ in range(count)
        )
    Study.objects.filter(pk=study.pk).update(launched_at=NOW - timedelta(days=len(counts) + 1))
    study.refresh_from_db()
    return study


def test_the_end_is_where_the_mean_of_the_last_days_leads() -> None:
    found = study_pace(study=study_with_days([10] * 7, texts=100), now=NOW)
    assert (found.ratings, found.minutes, found.median_seconds) == (70, 35.0, 30.0)
    assert found.forecast.a_day == 10
    assert found.end == NOW + timedelta(days=3)
    assert found.range is not None
    assert found.range[0] < found.end < found.range[1]


def test_only_the_last_fortnight_counts_and_neither_today_nor_the_day_of_the_launch() -> None:
    study = study_with_days([50, 50, *[2] * 14], texts=200)
    found = study_pace(study=study, now=NOW)
    assert found.forecast.a_day == 2
    today = Slot.objects.filter(item__study=study)[:40].values("pk")
    Slot.objects.filter(pk__in=today).update(answered_at=NOW)
    assert study_pace(study=study, now=NOW).forecast.a_day == 2
    assert found.days[0] == (date(2026, 5, 4), 50)
    assert found.days[-1] == (date(2026, 5, 20), 0)


@pytest.mark.parametrize(
    ("counts", "fields", "reason"),
    [
        ([5, 5], {}, "fewer than 3 whole days so far"),
        ([20] + [0] * 14, {}, "no rating in the last 14 days"),
        ([2, 2, 2], {}, "fewer than 10 ratings in the last 3 days"),
        ([10] * 5, {"texts": 50}, "all ratings are in"),
        ([10] * 5, {"state": "closed"}, "the study takes no ratings now"),
    ],
)
def test_when_nothing_is_foretold(counts: list[int], fields: dict[str, Any], reason: str) -> None:
    found = study_pace(study=study_with_days(counts, **fields), now=NOW)
    assert (found.end, found.range, found.forecast.reason) == (None, None, reason)


def test_quotas_that_do_not_reach_are_said_unless_somebody_may_still_come() -> None:
    study = study_with_days([10] * 5, texts=100)
    Membership.objects.filter(study=study).update(quota=60)
    found = study_pace(study=study, now=NOW)
    assert found.forecast.reason == "the reviewers' quotas leave 40 of 50 ratings to nobody"
    (invitation,) = invite(study=study, people=[Invitee("Kim")])
    assert study_pace(study=study, now=NOW).end is not None
    Invitation.objects.update(expires_at=timezone.now() - timedelta(days=1))
    assert study_pace(study=study, now=NOW).end is None
    assert invitation.name == "Kim"


def test_ratings_that_do_not_count_set_no_pace() -> None:
    study = study_with_days([10] * 5, texts=100)
    slots = list(Slot.objects.filter(item__study=study).order_by("pk"))
    Slot.objects.filter(pk=slots[-1].pk).update(state="surplus", seat=None)
    Slot.objects.filter(pk=slots[-2].pk).update(pass_number=1)
    make_rated_study(answers=LEVELS, title="Another")
    assert study_pace(study=study, now=NOW).ratings == 48


def test_reviewers_are_those_who_came_with_what_became_of_their_texts() -> None:
    study, (rita, kim, lee) = make_open_study(texts=4, reviewers=3, raters_per_item=3)
    for person in (rita, kim):
        answer(claim_next(study_id=study.pk, reviewer=person).slot, person, seconds_active=90)
    slot = claim_next(study_id=study.pk, reviewer=rita).slot
    assert slot
    skip_slot(slot_id=slot, reviewer=rita, reason="too long")
    claim_next(study_id=study.pk, reviewer=rita)
    invite(study=study, people=[Invitee("Absent Ann", "ann@example.org")])
    Membership.objects.create(study=study, user=make_user(username="viewer"), role="viewer")
    found = reviewer_pace(study=study)
    assert [(one.state, one.given, one.rated, one.skipped, one.in_hand) for one in found] == [
        ("rating", 3, 1, 1, 1),
        ("rating", 1, 1, 0, 0),
        ("not-begun", 0, 0, 0, 0),
    ]
    assert (found[0].minutes, found[0].median_seconds) == (1.5, 90.0)
    assert [(one.name, one.is_over) for one in absent_people(study=study)] == [("Absent Ann", False)]
    Membership.objects.filter(study=study, user=lee).update(finished_at=timezone.now())
    Membership.objects.filter(study=study, user=kim).update(removal="keep", removed_at=timezone.now())
    assert [one.state for one in reviewer_pace(study=study)] == ["rating", "removed", "finished"]


def test_practice_and_another_study_are_nobodys_pace() -> None:
    study = make_study(texts=["One.", "Two."], state="draft")
    study.items.filter(position=1).update(kind="practice")
    study.state, study.frozen_sha256, study.launched_at = "open", "0" * 64, timezone.now()
    study.save()
    reviewer = make_user()
    Membership.objects.create(study=study, user=reviewer, role="reviewer")
    for item in study.items.all():
        make_slot(item=item, reviewer=reviewer)
    make_slot(item=make_study(title="Another").items.all()[0], reviewer=reviewer)
    (found,) = reviewer_pace(study=study)
    assert found.rated == 1


def test_texts_that_wait_are_those_with_the_fewest_ratings_then_those_given_up_most() -> None:
    study = make_study(texts=["One.", "Two.", "Three.", "Four."], raters_per_item=2)
    rita, kim = make_user(username="rita"), make_user(username="kim")
    one, two, three, four = study.items.order_by("position")
    for item, states in ((one, ("rated", "rated")), (two, ("rated", "claimed")), (four, ("skipped", "expired"))):
        for person, state in zip((rita, kim), states, strict=True):
            make_slot(item=item, reviewer=person, state=state)
    make_slot(item=three, reviewer=rita, pass_number=1)
    found = waiting_texts(study=study)
    assert [(text.position, text.rated, text.in_hand, text.skipped, text.expired) for text in found] == [
        (4, 0, 0, 1, 1),
        (3, 0, 0, 0, 0),
        (2, 1, 1, 0, 0),
    ]
    assert [text.position for text in waiting_texts(study=study, limit=1)] == [4]


def test_the_number_of_statements_does_not_grow(django_assert_num_queries: Any) -> None:
    small, _ = make_open_study(texts=2, reviewers=1)
    large, people = make_open_study(texts=20, reviewers=6, title="Large")
    for person in people:
        answer(claim_next(study_id=large.pk, reviewer=person).slot, person)
    for study in (small, large):
        with django_assert_num_queries(5):
            waiting_texts(study=study)
            study_pace(study=study)
            reviewer_pace(study=study)
            absent_people(study=study)


def test_a_reviewer_of_two_studies_is_counted_in_each() -> None:
    study, _ = make_open_study(texts=2)
    person = make_reviewer(study=study)
    other, _ = make_open_study(texts=2, title="Another")
    Membership.objects.create(study=other, user=person, role="reviewer")
    answer(claim_next(study_id=other.pk, reviewer=person).slot, person)
    assert [one.given for one in reviewer_pace(study=study)] == [0]
    assert [one.given for one in reviewer_pace(study=other)] == [1]
