"""The link that stops reminders: without a sign-in, and harmless to programs that open links."""

import re
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Membership
from evaluation.services.reminders import stop_url
from tests.factories import make_open_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def member() -> Membership:
    study, (reviewer,) = make_open_study(reviewers=1)
    return Membership.objects.get(study=study, user=reviewer)


def address(member: Membership) -> str:
    return re.sub(r"^https?://[^/]+", "", stop_url(member=member))


def takes(member: Membership) -> bool:
    member.refresh_from_db()
    return member.takes_reminders


def test_opening_the_link_changes_nothing_and_its_button_stops_the_reminders(member: Membership) -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.get(address(member)).content.decode()
    assert takes(member)
    assert "Stop the reminders" in page
    assert "No more reminders" in client.post(address(member)).content.decode()
    assert not takes(member)
    assert "will come again" in client.post(address(member), {"wanted": "1"}).content.decode()
    assert takes(member)


def test_a_mail_programs_own_button_stops_them(member: Membership) -> None:
    answer = Client(enforce_csrf_checks=True).post(address(member), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert not takes(member)


@pytest.mark.parametrize(
    "change", [lambda path: path[:-2] + "/", lambda path: path.replace("/reminders/", "/reminders/0")]
)
def test_a_wrong_signature_is_nobodys(member: Membership, change: Any) -> None:
    assert Client().get(change(address(member))).status_code == 404
    assert Client().post(change(address(member))).status_code == 404
    assert takes(member)


def test_the_page_tells_nothing_but_the_studys_title(member: Membership) -> None:
    page = Client().get(address(member)).content.decode()
    assert member.study.title in page
    assert member.user.username not in page
    assert str(member.user) not in page
