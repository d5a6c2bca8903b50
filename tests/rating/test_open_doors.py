"""Ways in for many, links that work once, consent, and the page for a link that was cut."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from evaluation.invitees import Invitee
from evaluation.models import Event, Invitation, Membership, Study
from evaluation.selectors.consent import consent_sha256
from evaluation.services.invitations import accept_invitation, invitation_path, invite, invite_many, revoke_invitation
from evaluation.services.studies import close_study
from tests.factories import make_open_study, make_researcher, make_reviewer, make_user

pytestmark = pytest.mark.django_db
CONSENT = "Your answers are *kept*. <script>alert(1)</script>"
JSON = {"Accept": "application/json"}


@pytest.fixture
def study() -> Study:
    cache.clear()
    return make_open_study()[0]


def signed_in(client: Client) -> User | None:
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


def opened(study: Study, **fields: Any) -> str:
    Study.objects.filter(pk=study.pk).update(allows_self_registration=True, **fields)
    return f"/join/study/{study.public_id}/"


def test_a_shared_link_makes_an_account_for_everyone_who_comes(study: Study) -> None:
    path = invitation_path(invite_many(study=study, name="Seminar", quota=4))
    for name in ("Kim Lee", "Ana Díaz"):
        client = Client()
        page = client.get(path).content.decode()
        assert "Your name" in page
        assert "Seminar" not in page  # what researchers call the link
        assert client.post(path, {"name": ""}).status_code == 422
        assert client.post(path, {"name": f" {name} "}).url == f"/rate/{study.public_id}/"
        person = signed_in(client)
        assert person is not None
        assert (str(person), person.email, person.has_usable_password()) == (name, "", False)
        assert client.get(path).url == f"/rate/{study.public_id}/"  # who is in already only goes on
    assert Invitation.objects.get(kind="shared").uses == 2
    members = Membership.objects.filter(study=study, role="reviewer")
    assert list(members.values_list("quota", flat=True)) == [4, 4]
    assert Event.objects.filter(study=study, kind="member-joined", details__way="shared-link").count() == 2


def test_a_shared_link_lets_in_no_more_than_it_may_and_nobody_once_withdrawn(study: Study) -> None:
    invitation = invite_many(study=study, name="Two", most_uses=2)
    path = invitation_path(invitation)
    answers = [Client().post(path, {"name": f"Person {number}"}) for number in range(4)]
    assert [answer.status_code for answer in answers] == [302, 302, 410, 410]
    assert "as many people as it may" in answers[-1].content.decode()
    assert User.objects.count() == Invitation.objects.get(pk=invitation.pk).uses == 2
    other = invite_many(study=study, name="Other")
    revoke_invitation(invitation=other)
    assert Client().post(invitation_path(other), {"name": "Kim"}).status_code == 410
    assert User.objects.count() == 2


def test_a_shared_link_to_a_closed_study_lets_in_only_who_is_in_already(study: Study) -> None:
    path = invitation_path(invite_many(study=study, name="Seminar"))
    member = Client()
    member.post(path, {"name": "Kim"})
    close_study(study=study)
    refused = Client().post(path, {"name": "Ana"})
    assert refused.status_code == 410
    assert "This study is closed" in refused.content.decode()
    assert User.objects.count() == Invitation.objects.get(kind="shared").uses == 1
    assert member.get(path).url == f"/rate/{study.public_id}/"


def test_who_came_without_an_address_finds_the_way_back_on_the_account_page(study: Study) -> None:
    client = Client()
    client.post(invitation_path(invite_many(study=study, name="Seminar")), {"name": "Kim"})
    own = Invitation.objects.get(kind="personal")
    assert invitation_path(own) in client.get("/account/").content.decode()
    elsewhere = Client()
    elsewhere.post(invitation_path(own))
    assert signed_in(elsewhere) == signed_in(client)


def test_an_address_is_stored_only_once_its_code_came_back(study: Study, mailoutbox: list[Any]) -> None:
    """Nobody can keep another person's address, and with it that person's invitations, by naming it first."""
    client = Client()
    client.post(opened(study), {"name": "Kim", "email": "Kim@example.org"})
    person = signed_in(client)
    assert person is not None
    assert person.email == ""
    (mail,) = mailoutbox
    code = mail.body.split("\n\n")[1].strip()
    assert client.post("/accounts/email/code/", {"code": "WRONG"}).status_code == 422
    assert client.post("/accounts/email/code/", {"code": code.lower()}).url == "/account/"
    person.refresh_from_db()
    assert person.email == "kim@example.org"


def test_a_link_that_works_once_is_dead_afterwards_but_for_its_owner(study: Study) -> None:
    (invitation,) = invite(study=study, people=[Invitee("Rita", "rita@example.org")], kind="once")
    path = invitation_path(invitation)
    client, stranger = Client(), Client()
    for _ in range(2):
        assert "works once" in stranger.get(path).content.decode()  # looking uses up nothing
    assert client.post(path).status_code == 302
    for answer in (stranger.get(path), stranger.post(path)):
        assert answer.status_code == 410
        page = answer.content.decode()
        assert "works once, and was used" in page
        assert "/accounts/login/code/?next=" in page
    assert signed_in(stranger) is None
    assert client.post(path).url == f"/rate/{study.public_id}/"
    assert User.objects.count() == 1


def test_a_study_that_is_open_to_all_is_joined_by_its_address(study: Study) -> None:
    address = f"/join/study/{study.public_id}/"
    for answer in (Client().get(address), Client().post(address, {"name": "Kim"})):
        assert answer.status_code == 410
    assert not User.objects.exists()
    opened(study, default_quota=2)
    client = Client()
    assert client.post(address, {"name": "Kim"}).url == f"/rate/{study.public_id}/"
    assert Membership.objects.get(role="reviewer").quota == 2
    close_study(study=study)
    assert Client().post(address, {"name": "Lee"}).status_code == 410
    assert client.get(address).status_code == 302  # members go on to what they answered
    assert Client().get("/join/study/00000000-0000-0000-0000-000000000007/").status_code == 404


def test_registering_is_limited_by_address(study: Study, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"register": "3/m/ip"}
    path = opened(study)
    statuses = [Client().post(path, {"name": f"P{number}"}).status_code for number in range(5)]
    assert statuses == [302, 302, 302, 429, 429]
    assert Client(REMOTE_ADDR="192.0.2.9").post(path, {"name": "P9"}).status_code == 302
    assert User.objects.count() == 4


def test_who_knows_where_texts_come_from_cannot_rate(study: Study) -> None:
    path = opened(study)
    manager = make_user(username="mara")
    Membership.objects.create(study=study, user=manager, role="manager")
    (invitation,) = invite(study=study, people=[Invitee("Mara")])
    Invitation.objects.filter(pk=invitation.pk).update(user=manager)
    for person, address, words in (
        (make_researcher(), path, "Researchers of this site"),
        (manager, invitation_path(invitation), "You run or read this study"),
    ):
        client = Client()
        client.force_login(person)
        answer = client.post(address, {"name": "X"})
        assert answer.status_code == 410
        assert words in answer.content.decode()
    assert not Membership.objects.filter(role="reviewer").exists()
    client = Client()
    client.force_login(manager)
    assert client.get(path).url == f"/studio/studies/{study.public_id}/"


def test_consent_is_asked_and_stored_with_the_text_that_was_agreed_to() -> None:
    study, _ = make_open_study(consent=CONSENT)
    (invitation,) = invite(study=study, people=[Invitee("Rita")])
    ways = [(invitation_path(invitation), {}), (opened(study), {"name": "Kim"})]
    for path, form in ways:
        client = Client()
        page = client.get(path).content.decode()
        assert "Your answers are <em>kept</em>" in page
        assert "alert(1)" not in page
        refused = client.post(path, form)
        assert refused.status_code == 422
        assert "Without your consent" in refused.content.decode()
        assert signed_in(client) is None
        assert client.post(path, form | {"consent": "on"}).status_code == 302
    for member in Membership.objects.filter(role="reviewer"):
        assert member.consented_at is not None
        assert member.consent_sha256 == consent_sha256(study)


def test_a_member_is_asked_for_consent_that_is_missing(study: Study) -> None:
    client = Client()
    client.force_login(make_reviewer(study=study))
    address = f"/rate/{study.public_id}/consent/"
    assert "asks for no consent" in client.get(address).content.decode()
    assert client.post(address, {"consent": "on"}).status_code == 200
    assert Membership.objects.get(role="reviewer").consented_at is None
    asking, (reviewer,) = make_open_study(consent=CONSENT, reviewers=1)
    client.force_login(reviewer)
    address = f"/rate/{asking.public_id}/consent/"
    assert "I have read this" in client.get(address).content.decode()
    assert client.post(address).status_code == 422
    assert client.post(address, {"consent": "on"}).url == f"/rate/{asking.public_id}/"
    assert "You agreed on" in client.get(address).content.decode()
    Membership.objects.filter(user=reviewer).update(consent_sha256="0" * 64)  # another text
    assert "I have read this" in client.get(address).content.decode()


def test_a_link_reaches_no_further_than_those_who_see_it(study: Study) -> None:
    """Whoever runs one study without being a researcher knows its links, and must not get into other studies."""
    reviewer = make_reviewer(study=study)
    path = invitation_path(reviewer.invitations.get())
    other, _ = make_open_study()
    Membership.objects.create(study=other, user=reviewer, role="reviewer")
    assert Client().post(path).status_code == 302  # only researchers know the link so far
    manager = make_user(username="mara")
    Membership.objects.create(study=study, user=manager, role="manager")
    stranger = Client()
    answer = stranger.post(path)
    assert answer.status_code == 410
    assert "entered by its owner only" in answer.content.decode()
    assert signed_in(stranger) is None
    Membership.objects.create(study=other, user=manager, role="owner")
    assert Client().post(path).status_code == 302


def test_somebody_is_invited_to_run_a_study_and_uses_the_account_at_hand(study: Study) -> None:
    researcher, at_hand = make_researcher(), make_user(username="mara", first_name="Mara")
    people = [Invitee("Mara", "mara@example.org"), Invitee("Noa", "noa@example.org")]
    first, second = invite(study=study, people=people, role="manager", created_by=researcher)
    client = Client()
    client.force_login(at_hand)
    assert "go on with this account" in client.get(invitation_path(first)).content.decode()
    assert client.post(invitation_path(first)).url == f"/studio/studies/{study.public_id}/"
    assert Membership.objects.get(user=at_hand).role == "manager"
    new = Client()
    assert new.post(invitation_path(second)).status_code == 302
    assert new.get(f"/studio/studies/{study.public_id}/").status_code == 200
    assert Client().post(invitation_path(second)).status_code == 410
    reviewer = make_reviewer(study=study)
    (third,) = invite(study=study, people=[Invitee("Rita", "r@example.org")], role="viewer")
    client.force_login(reviewer)
    assert "not both" in client.post(invitation_path(third)).content.decode()


def test_a_cut_link_is_pasted_whole(study: Study) -> None:
    (invitation,) = invite(study=study, people=[Invitee("Rita")])
    path = invitation_path(invitation)
    page = Client().get("/join/").content.decode()
    assert "Paste your link" in page
    for pasted in (f"https://example.org{path}", path, path.split("/")[2], f"  http://x{path}?utm=1  "):
        assert Client().post("/join/", {"link": pasted}).url == path, pasted
    for pasted in ("nonsense", "/studio/", "https://evil.example/", "/join/", path[:20]):
        answer = Client().post("/join/", {"link": pasted})
        assert answer.status_code == 404 or answer.url.startswith("/join/"), pasted


def test_a_script_signs_in_by_a_link_without_leaving_its_page(study: Study) -> None:
    reviewer = make_reviewer(study=study)
    path = invitation_path(reviewer.invitations.get())
    client = Client(enforce_csrf_checks=True)
    client.get("/join/")
    token = client.cookies["csrftoken"].value
    for address, form in ((path, {}), ("/join/", {"link": path})):
        answer = client.post(address, form, headers=JSON | {"X-CSRFToken": token}).json()
        assert answer["signed_in"] is True
        assert answer["user"] == str(reviewer.public_id)
        token = answer["csrf_token"]  # the sign-in has changed it
    assert client.post("/accounts/logout/", headers={"X-CSRFToken": token}).status_code == 302
    refused = client.post("/join/nonsense/", headers=JSON | {"X-CSRFToken": client.cookies["csrftoken"].value})
    assert (refused.status_code, refused.json()["signed_in"]) == (404, False)


def test_a_link_that_ran_out_says_so_in_json_too(study: Study) -> None:
    (invitation,) = invite(study=study, people=[Invitee("Rita")])
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now() - timedelta(days=1))
    answer = Client().post(invitation_path(invitation), headers=JSON)
    assert answer.status_code == 410
    assert "run out" in answer.json()["errors"][0]


def test_a_draft_takes_people_in_without_a_record_and_can_be_deleted(study: Study) -> None:
    from evaluation.services.drafts import create_study, delete_draft

    draft = create_study(title="Draft", raters_per_item=1)
    (invitation,) = invite(study=draft, people=[Invitee("Kim")])
    accept_invitation(invitation=invitation)
    assert not Event.objects.filter(study=draft).exists()
    delete_draft(study=draft)
