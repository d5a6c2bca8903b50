"""Coming in by an invitation link."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from evaluation.errors import StudyError, UploadError
from evaluation.invitees import Invitee, read_people
from evaluation.models import Invitation, Membership, Study
from evaluation.services.invitations import (
    accept_invitation,
    invitation_path,
    invitation_url,
    invite,
    renew_invitation,
    revoke_invitation,
    send_invitations,
)
from evaluation.services.studies import close_study
from tests.factories import make_open_study, make_researcher, make_user

pytestmark = pytest.mark.django_db
RITA = Invitee("Rita Rater", "rita@example.org")


@pytest.fixture
def study() -> Study:
    return make_open_study()[0]


def invited(study: Study, person: Invitee = RITA, **fields: Any) -> Invitation:
    (invitation,) = invite(study=study, people=[person], **fields)
    return invitation


def test_looking_at_the_link_uses_up_nothing_and_the_confirmation_signs_in(study: Study) -> None:
    path = invitation_path(invited(study))
    scanner = Client()
    for _ in range(3):
        assert "Continue as Rita Rater" in scanner.get(path).content.decode()
        assert scanner.head(path).status_code == 200
    assert not User.objects.exists()
    assert "_auth_user_id" not in scanner.session
    client = Client()
    response = client.post(path)
    assert response.url == f"/rate/{study.public_id}/"
    page = client.get(response.url).content.decode()
    assert "Rita Rater" in page
    person = User.objects.get()
    assert not person.has_usable_password()
    assert client.get("/studio/").status_code == 403
    assert Invitation.objects.get().accepted_at is not None


def test_the_link_works_again_for_the_same_account(study: Study) -> None:
    path = invitation_path(invited(study))
    for _ in range(2):
        Client().post(path)
    assert User.objects.count() == 1
    assert Membership.objects.get(role="reviewer").user == User.objects.get()


def test_one_address_is_one_account_in_all_studies(study: Study) -> None:
    other, _ = make_open_study()
    first = accept_invitation(invitation=invited(study))
    second = accept_invitation(invitation=invited(other))
    assert first == second
    assert first.memberships.count() == 2


def test_two_people_without_an_address_are_two_accounts(study: Study) -> None:
    first, second = invite(study=study, people=[Invitee("Kim"), Invitee("Kim")])
    assert accept_invitation(invitation=first) != accept_invitation(invitation=second)


def test_the_quota_comes_with_the_invitation(study: Study) -> None:
    accept_invitation(invitation=invited(study, quota=4))
    assert Membership.objects.get(role="reviewer").quota == 4


def test_revoked_run_out_and_forged_links_let_nobody_in(study: Study) -> None:
    revoked, expired = invited(study), invited(study, Invitee("Kim"))
    revoke_invitation(invitation=revoked)
    Invitation.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    for invitation, words in ((revoked, "withdrawn"), (expired, "run out")):
        for response in (Client().get(invitation_path(invitation)), Client().post(invitation_path(invitation))):
            assert response.status_code == 410
            assert words in response.content.decode()
    forged = invitation_path(invited(study, Invitee("Lee")))[:-2] + "x/"
    for path in (forged, "/join/nonsense/", f"/join/{revoked.public_id.hex}/"):
        assert Client().post(path).status_code == 404
    assert not User.objects.exists()


def test_a_link_that_was_cut_says_so(study: Study) -> None:
    path = invitation_path(invited(study))
    for cut in (path[:-5] + "/", path[:20] + "/", path[:10] + "/"):
        response = Client().get(cut)
        assert response.status_code == 404
        page = response.content.decode()
        assert "This link is incomplete" in page
        assert "Continue as" not in page
    assert "This link is incomplete" not in Client().get(path).content.decode()


def test_the_link_of_a_closed_study_says_so_before_anything_is_asked(study: Study) -> None:
    came, stayed_away = invited(study), invited(study, Invitee("Kim"))
    accept_invitation(invitation=came)
    assert "This study is closed" not in Client().get(invitation_path(came)).content.decode()
    close_study(study=study)
    page = Client().get(invitation_path(came)).content.decode()
    assert "This study is closed" in page
    assert "Continue as Rita Rater" in page
    page = Client().get(invitation_path(stayed_away)).content.decode()
    assert "This study is closed" in page
    assert "Continue as" not in page


def test_a_new_link_replaces_the_old_one_and_keeps_the_account(study: Study) -> None:
    invitation = invited(study)
    person = accept_invitation(invitation=invitation)
    old = invitation_path(invitation)
    revoke_invitation(invitation=invitation)
    new = invitation_path(renew_invitation(invitation=invitation))
    assert Client().post(old).status_code == 404
    client = Client()
    client.post(new)
    assert client.session["_auth_user_id"] == str(person.pk)


def test_a_renewed_link_does_not_stand_beside_another_for_the_same_address(study: Study) -> None:
    old = invited(study)
    revoke_invitation(invitation=old)
    invited(study)
    with pytest.raises(StudyError, match="another link"):
        renew_invitation(invitation=old)


def test_a_removed_reviewer_does_not_come_back_by_the_link(study: Study) -> None:
    invitation = invited(study)
    accept_invitation(invitation=invitation)
    Membership.objects.filter(role="reviewer").update(removed_at=timezone.now(), removal="exclude")
    response = Client().post(invitation_path(invitation))
    assert response.status_code == 410
    assert "no longer take part" in response.content.decode()


def test_a_link_never_opens_an_account_with_a_password_or_with_rights(study: Study) -> None:
    make_researcher(email="staff@example.org")
    with pytest.raises(StudyError, match="cannot rate"):
        invited(study, Invitee("Somebody", "staff@example.org"))
    rita = make_user(email="rita@example.org")
    path = invitation_path(invited(study))
    client = Client()
    page = client.post(path)
    assert page.status_code == 410
    assert "sign in" in page.content.decode()
    assert "_auth_user_id" not in client.session
    client.force_login(rita)
    assert client.post(path).url == f"/rate/{study.public_id}/"
    assert Membership.objects.get(role="reviewer").user == rita
    invitation = invited(study, Invitee("Kim", "kim@example.org"))
    kim = make_researcher(username="kim", email="kim@example.org")
    client.force_login(kim)
    for person in (Client(), client):
        assert person.post(invitation_path(invitation)).status_code == 410
    assert not kim.memberships.exists()


def test_nobody_is_invited_twice_or_into_a_closed_study(study: Study) -> None:
    invited(study)
    with pytest.raises(StudyError, match="Invited already"):
        invite(study=study, people=[Invitee("Kim"), RITA])
    assert Invitation.objects.count() == 1
    close_study(study=study)
    with pytest.raises(StudyError, match="closed"):
        invited(study, Invitee("Kim"))


def test_somebody_signed_in_is_told_before_being_signed_out(study: Study) -> None:
    path = invitation_path(invited(study))
    client = Client()
    client.force_login(make_researcher(first_name="Renata", last_name="Ruiz"))
    assert "signed in here as <strong>Renata Ruiz</strong>" in client.get(path).content.decode()
    client.post(path)
    assert "Rita Rater" in client.get("/").content.decode()


def test_mail_goes_out_after_the_commit_to_those_with_an_address(
    study: Study, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    invitations = invite(study=study, people=[RITA, Invitee("Kim")])
    with django_capture_on_commit_callbacks(execute=True):
        send_invitations(invitations=invitations)
        assert mailoutbox == []
    (mail,) = mailoutbox
    assert mail.to == ["rita@example.org"]
    assert invitation_url(invitations[0]) in mail.body
    assert Invitation.objects.get(name="Rita Rater").sent_at is not None
    assert Invitation.objects.get(name="Kim").sent_at is None


def test_mail_that_fails_is_no_disaster(study: Study, settings: Any, django_capture_on_commit_callbacks: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    with django_capture_on_commit_callbacks(execute=True):
        send_invitations(invitations=[invited(study)])
    assert Invitation.objects.get().sent_at is None


@pytest.mark.parametrize(
    ("pasted", "people"),
    [
        ("Rita Rater <Rita@example.org>", [RITA]),
        ("Rita Rater, rita@example.org;", [RITA]),
        ('"Rita Rater"\trita@example.org\n\n  Kim  Lee \n', [RITA, Invitee("Kim Lee")]),
        ("kim@example.org", [Invitee("kim", "kim@example.org")]),
    ],
)
def test_people_are_read_as_they_are_pasted(pasted: str, people: list[Invitee]) -> None:
    assert read_people(pasted) == people


@pytest.mark.parametrize(
    ("pasted", "problem"),
    [
        ("", "Nobody is named"),
        ("Kim <kim@example>", "Line 1: 'kim@example' is no e-mail address"),
        ("kim@example.org\nKim kim@example.org", "Line 2: kim@example.org stands in line 1 already"),
        ("x" * 151, "Line 1: a name"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_line(pasted: str, problem: str) -> None:
    with pytest.raises(UploadError, match=problem):
        read_people(pasted)


def test_who_knew_the_link_of_one_study_is_out_once_the_account_takes_part_in_another() -> None:
    (first, _), (second, _) = make_open_study(), make_open_study()
    links = [invite(study=one, people=[Invitee("Rita", "rita@example.org")])[0] for one in (first, second)]
    early, person = Client(), Client()
    early.post(invitation_path(links[0]))
    assert early.get(f"/rate/{first.public_id}/").status_code == 200
    person.post(invitation_path(links[1]))
    assert person.get(f"/rate/{second.public_id}/").status_code == 200
    assert early.get(f"/rate/{second.public_id}/").url.startswith("/accounts/login/")


def test_who_joins_another_study_while_signed_in_stays_so() -> None:
    (first, _), (second, _) = make_open_study(), make_open_study(allows_self_registration=True)
    person = Client()
    person.post(invitation_path(invite(study=first, people=[Invitee("Rita")])[0]))
    assert person.post(f"/join/study/{second.public_id}/").url == f"/rate/{second.public_id}/"
    for study in (first, second):
        assert person.get(f"/rate/{study.public_id}/").status_code == 200
