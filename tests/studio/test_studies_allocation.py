"""The studio's pages about allocation: its balance, texts kept from people, and people who leave."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from evaluation.models import Conflict, Event, Membership, Slot, Study
from evaluation.selectors.balance import balance_report
from evaluation.services.allocation import claim_next
from evaluation.services.studies import launch_study
from evaluation.services.withdrawals import withdraw_reviewer
from tests.evaluation.services.answers import answer, answer_all
from tests.evaluation.services.cells import make_cells
from tests.factories import make_open_study, make_rated_study, make_researcher, make_reviewer

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client: Client) -> User:
    user = make_researcher()
    client.force_login(user)
    return user


def address(page: str, study: Study) -> str:
    return reverse(f"studio:study_{page}", args=[study.public_id])


@pytest.mark.usefixtures("owner")
def test_the_plan_is_shown_before_the_launch_and_the_balance_reached_after(client: Client) -> None:
    study = make_cells(cells=6, texts=6, raters_per_item=3, order_seed=4, launch=False)
    draft = client.get(address("balance", study), {"format": "json", "reviewers": 6}).json()
    assert (draft["texts"], draft["strata"], draft["blocks"], draft["reached"]) == (36, 6, 6, None)
    assert draft["ranges"]["cells"] == {"least": 1, "most": 1, "mean": 1.0}
    assert (draft["planned"]["spread"], draft["planned"]["neighbours"]) == (0, 0)
    assert draft["planned"]["raters"] == [[3, 36]]
    study = launch_study(study=study)
    people = [make_reviewer(study=study, name=f"R{number}", quota=18) for number in range(6)]
    assert client.get(address("balance", study), {"format": "json"}).json()["quota"] == 18
    for person in people:
        answer_all(study, person)
    page = client.get(address("balance", study))
    report = page.context["report"]
    assert report.reached.spread == 0
    assert report.reached.given.least == report.reached.given.most == 18
    assert report.reached.raters == ((3, 36),)
    assert "Texts of each cell that each reviewer" in page.content.decode()
    assert [counts for _, counts in page.context["table"]] == [(3,) * 6] * 6


@pytest.mark.usefixtures("owner")
def test_the_balance_takes_as_many_statements_for_few_and_many_texts(
    client: Client, django_assert_num_queries: Any
) -> None:
    for texts in (3, 60):
        study, people = make_open_study(texts=texts, reviewers=2)
        for person in people:
            answer(claim_next(study_id=study.pk, reviewer=person).slot, person)
        # Texts, members, quotas of invitations, invitations that are out, slots.
        with django_assert_num_queries(5):
            balance_report(study=study)


@pytest.mark.usefixtures("owner")
def test_odd_numbers_of_reviewers_are_answered(client: Client) -> None:
    study, _ = make_open_study()
    for asked in ("0", "-3", "nine", "99999999", "9999"):
        assert client.get(address("balance", study), {"reviewers": asked}).status_code == 200


@pytest.mark.usefixtures("owner")
def test_texts_are_kept_from_somebody_and_allowed_again(client: Client) -> None:
    study, (person,) = make_open_study(texts=3, reviewers=1)
    member = study.memberships.get(user=person)
    page = address("conflicts", study)
    assert "Nothing is kept" in client.get(page).content.decode()
    refused = client.post(page, {"reviewer": member.pk, "texts": "T1\nT9", "reason": ""})
    assert (refused.status_code, Conflict.objects.count()) == (422, 0)
    assert "T9" in refused.content.decode()
    client.post(page, {"reviewer": member.pk, "texts": "T1, T2", "reason": "Same group"})
    assert set(Conflict.objects.values_list("item__external_id", "reason")) == {
        ("T1", "Same group"),
        ("T2", "Same group"),
    }
    assert "Same group" in client.get(page).content.decode()
    first = Conflict.objects.order_by("pk").first()
    assert first is not None
    client.post(page, {"lift": first.pk})
    assert Conflict.objects.get().item.external_id == "T2"
    assert client.post(page, {"lift": "nine"}).status_code == 404
    assert answer_all(study, person) == 2


@pytest.mark.usefixtures("owner")
def test_conflicts_of_another_study_are_not_shown_nor_lifted(client: Client) -> None:
    study, (person,) = make_open_study(reviewers=1)
    other, _ = make_open_study(title="Other")
    conflict = Conflict.objects.create(user=person, item=other.items.first())
    assert "Nothing is kept" in client.get(address("conflicts", study)).content.decode()
    assert client.post(address("conflicts", study), {"lift": conflict.pk}).status_code == 404


def test_agreement_is_shown_both_ways_before_somebody_is_withdrawn(client: Client, owner: User) -> None:
    study = make_rated_study(
        answers={"meaningfulness": [["low", "low", "high"], ["high", "high", "low"], ["low", "low", "high"]]}
    )
    third = study.memberships.order_by("pk").last()
    assert third is not None
    page = address("withdrawal", study)
    assert str(third.user) in client.get(page).content.decode()
    shown = client.get(page, {"reviewer": third.pk})
    rows = shown.context["criteria"][0]["rows"]
    assert rows[0][2]["value"] == "1.00"
    assert rows[0][1]["value"] != "1.00"
    assert "1.00" in shown.content.decode()
    unsure = client.post(page, {"reviewer": third.pk, "how": "exclude"})
    assert (unsure.status_code, Event.objects.count()) == (422, 0)
    done = client.post(page, {"reviewer": third.pk, "how": "exclude", "is_sure": "on"}, follow=True)
    assert "is withdrawn" in done.content.decode()
    assert Membership.objects.get(pk=third.pk).removal == "exclude"
    assert Event.objects.get().actor == owner
    back = client.post(page, {"reviewer": third.pk, "act": "reinstate"}, follow=True)
    assert "takes part again" in back.content.decode()
    assert Membership.objects.get(pk=third.pk).removed_at is None


@pytest.mark.usefixtures("owner")
def test_while_agreement_is_hidden_somebody_can_be_withdrawn_without_seeing_it(client: Client) -> None:
    study, (person, _) = make_open_study(texts=2, reviewers=2)
    answer(claim_next(study_id=study.pk, reviewer=person).slot, person)
    member = study.memberships.get(user=person)
    page = address("withdrawal", study)
    shown = client.get(page, {"reviewer": member.pk})
    assert shown.context["criteria"] is None
    assert "hidden until" in shown.content.decode()
    client.post(page, {"reviewer": member.pk, "how": "reopen", "is_sure": "on"})
    assert Slot.objects.get().state == "withdrawn"
    assert client.get(page, {"reviewer": member.pk}).status_code == 200


@pytest.mark.usefixtures("owner")
def test_only_reviewers_of_this_study_can_be_chosen(client: Client) -> None:
    study, _ = make_open_study(reviewers=1)
    other, _ = make_open_study(title="Other", reviewers=1)
    stranger = other.memberships.get(role="reviewer")
    page = address("withdrawal", study)
    for wanted in (stranger.pk, "nine", "\0"):
        assert client.get(page, {"reviewer": wanted}).status_code == 404
    assert client.post(page, {"how": "keep", "is_sure": "on"}).status_code == 404


def test_who_was_withdrawn_is_told_so_politely(client: Client) -> None:
    study, (person,) = make_open_study(reviewers=1)
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    answer(slot, person)
    member = study.memberships.get(user=person)
    withdraw_reviewer(member=member, how="keep", actor=make_researcher())
    client.force_login(person)
    for page in (reverse("study", args=[study.public_id]), reverse("slot", args=[slot])):
        response = client.get(page)
        assert response.status_code == 403
        assert "no longer take part" in response.content.decode()
    stranger, _ = make_open_study(title="Other")
    assert client.get(reverse("study", args=[stranger.public_id])).status_code == 404
