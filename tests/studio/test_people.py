"""The page of a study's people: invitations of all kinds, roles, and files."""

import csv
import io
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.invitees import Invitee
from evaluation.models import Invitation, Membership, Study
from evaluation.services.invitations import invitation_url, invite
from tests.factories import make_open_study, make_researcher, make_reviewer, make_user

pytestmark = pytest.mark.django_db
COMMON = {"people-days": 9, "people-kind": "personal", "form": "people"}


@pytest.fixture
def study() -> Study:
    cache.clear()
    return make_open_study()[0]


@pytest.fixture
def client() -> Client:
    found = Client()
    found.force_login(make_researcher())
    return found


def page(study: Study) -> str:
    return f"/studio/studies/{study.public_id}/people/"


def file(text: str, name: str = "people.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode("utf-16"))


def test_a_file_makes_all_links_or_none(study: Study, client: Client) -> None:
    bad = file("name;email;quota;kind\nAna;ana@example.org;5;once\nKim;kim@;;\n")
    refused = client.post(page(study), COMMON | {"people-file": bad})
    assert refused.status_code == 422
    assert "people.csv, row 3: &#x27;kim@&#x27; is no e-mail address" in refused.content.decode()
    assert not Invitation.objects.exists()
    good = file("name;email;quota;kind\nAna;ana@example.org;5;once\nKim;;;\n")
    assert client.post(page(study), COMMON | {"people-file": good, "people-quota": 7}).status_code == 302
    made = Invitation.objects.values_list("name", "email", "quota", "kind")
    assert list(made) == [("Ana", "ana@example.org", 5, "once"), ("Kim", "", 7, "personal")]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"people-people": ""}, "Name somebody"),
        ({"people-people": "Kim", "people-kind": "once"}, "needs an address"),
        ({"people-people": "a@example.org", "people-days": 0}, "greater than or equal"),
        ({"people-people": "a@example.org", "people-kind": "shared"}, "Select a valid choice"),
    ],
)
def test_what_is_not_right_is_said_and_makes_nothing(
    study: Study, client: Client, form: dict[str, Any], words: str
) -> None:
    refused = client.post(page(study), COMMON | form)
    assert refused.status_code == 422
    assert words in refused.content.decode()
    assert not Invitation.objects.exists()


def test_more_mails_than_a_request_can_send_are_refused(study: Study, client: Client, mailoutbox: list[Any]) -> None:
    people = "\n".join(f"p{number}@example.org" for number in range(201))
    refused = client.post(page(study), COMMON | {"people-people": people, "people-send": "on"})
    assert "At most 200 mails" in refused.content.decode()
    assert client.post(page(study), COMMON | {"people-people": people}).status_code == 302
    assert Invitation.objects.count() == 201
    assert mailoutbox == []


def test_links_for_many_and_for_helpers_are_made(
    study: Study, client: Client, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    form = {"form": "shared", "shared-name": "Seminar", "shared-most_uses": 3, "shared-days": 5, "shared-quota": ""}
    assert client.post(page(study), form).status_code == 302
    with django_capture_on_commit_callbacks(execute=True):
        form = {"form": "helper", "helper-name": "Mara", "helper-email": "mara@example.org", "helper-role": "manager"}
        assert client.post(page(study), form).status_code == 302
    shared, helper = Invitation.objects.order_by("pk")
    assert (shared.kind, shared.most_uses, shared.role) == ("shared", 3, "reviewer")
    assert (helper.kind, helper.role) == ("once", "manager")
    assert invitation_url(helper) in mailoutbox[0].body
    assert "look after the study" in mailoutbox[0].body
    shown = client.get(page(study)).content.decode()
    assert "0 of 3 came" in shown
    assert client.post(page(study), {"form": "helper", "helper-role": "owner"}).status_code == 422
    assert client.post(page(study), {"form": "nothing"}).status_code == 404


def test_roles_and_quotas_are_changed_on_the_page(study: Study, client: Client) -> None:
    reviewer = make_reviewer(study=study)
    helper = Membership.objects.create(study=study, user=make_user(username="mara", first_name="Mara"), role="viewer")
    of_reviewer = Membership.objects.get(user=reviewer)

    def act(member: Membership, action: str, **form: Any) -> str:
        response = client.post(f"{page(study)}{member.pk}/{action}/", form, follow=True)
        assert response.status_code == 200
        return str(response.content.decode())

    assert "has the quota now" in act(of_reviewer, "quota", quota=4)
    assert "whole number from 1" in act(of_reviewer, "quota", quota="many")
    assert "Mara has the role now" in act(helper, "role", role="manager")
    assert "no such role" in act(helper, "role", role="owner")
    assert "Mara owns the study now" in act(helper, "own")
    assert "needs its owner" in act(helper, "remove")
    assert "is withdrawn, since" in act(of_reviewer, "remove")
    of_reviewer.refresh_from_db()
    assert of_reviewer.quota == 4
    assert Membership.objects.get(role="owner") == helper
    assert client.post(f"{page(study)}{helper.pk}/crown/").status_code == 404
    other, _ = make_open_study()
    assert client.post(f"{page(other)}{helper.pk}/role/").status_code == 404


def test_only_the_owner_hands_the_study_over(study: Study) -> None:
    owner, manager = (make_user(username=name) for name in ("olga", "mara"))
    Membership.objects.create(study=study, user=owner, role="owner")
    member = Membership.objects.create(study=study, user=manager, role="manager")
    client = Client()
    client.force_login(manager)
    assert client.post(f"{page(study)}{member.pk}/own/").status_code == 403
    client.force_login(owner)
    assert client.post(f"{page(study)}{member.pk}/own/").status_code == 302
    assert Membership.objects.get(role="owner").user == manager


def test_the_file_of_links_holds_those_in_force_and_no_formula(study: Study, client: Client) -> None:
    first, second = invite(study=study, people=[Invitee("=HYPERLINK(1)", "a@example.org"), Invitee("Gone")])
    Invitation.objects.filter(pk=second.pk).update(revoked_at=second.expires_at)
    response = client.get(f"{page(study)}links.csv")
    (row,) = csv.DictReader(io.StringIO(response.content.decode("utf-8-sig")))
    assert (row["name"], row["link"], row["state"]) == ("'=HYPERLINK(1)", invitation_url(first), "not opened")
    assert "no-store" in response.headers["Cache-Control"]


def test_the_page_takes_as_many_statements_for_many_people_as_for_few(study: Study, client: Client) -> None:
    def statements() -> int:
        with CaptureQueriesContext(
            connection,
        ) as seen:
            assert client.get(page(study)).status_code == 200
        return len(seen)

    make_reviewer(study=study)
    few = statements()
    for number in range(8):
        make_reviewer(study=study, name=f"R{number}")
        Membership.objects.create(study=study, user=make_user(username=f"m{number}"), role="viewer")
    assert statements() == few <= 7
