"""People from Prolific, MTurk and the like."""

import csv
import io
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from evaluation.models import Membership, Study
from evaluation.services.invitations import invitation_path, invite_many
from tests.evaluation.services.answers import answer
from tests.factories import make_open_study, make_researcher, make_reviewer

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    cache.clear()
    study, _ = make_open_study(texts=3, instructions="Judge *soberly*.")
    Study.objects.filter(pk=study.pk).update(allows_self_registration=True)
    study.refresh_from_db()
    return study


def address(study: Study, **query: str) -> str:
    return f"/join/study/{study.public_id}/?" + "&".join(f"{key}={value}" for key, value in query.items())


def came(study: Study, client: Client, participant: str) -> Any:
    return client.post(address(study, PROLIFIC_PID=participant, STUDY_ID="s", SESSION_ID="x"))


def test_a_participant_comes_without_a_name_and_back_into_the_same_account(study: Study) -> None:
    client = Client()
    page = client.get(address(study, PROLIFIC_PID="5f1a")).content.decode()
    assert "Your name" not in page
    assert not User.objects.exists()
    assert came(study, client, "5f1a").url == f"/rate/{study.public_id}/"
    member = Membership.objects.get()
    assert (member.participant_id, str(member.user)) == ("5f1a", f"Participant {member.number}")
    assert client.get(address(study, PROLIFIC_PID="5f1a")).url == f"/rate/{study.public_id}/"
    client.post("/accounts/logout/")
    assert came(study, client, "5f1a").status_code == 302  # the browser is known
    assert client.session["_auth_user_id"] == str(member.user_id)
    assert User.objects.count() == 1


def test_who_only_knows_the_id_does_not_get_into_the_seat(study: Study) -> None:
    came(study, Client(), "5f1a")
    for other in (Client(), Client()):
        if other is not None:
            other.cookies[f"panel-{study.public_id.hex}"] = "forged:5f1a:sig"
        for response in (came(study, other, "5f1a"), other.get(address(study, PROLIFIC_PID="5f1a"))):
            assert response.status_code == 410
            assert "another browser" in response.content.decode()
        assert "_auth_user_id" not in other.session
    stranger = Client()
    came(study, stranger, "9c")
    assert came(study, stranger, "5f1a").status_code == 410  # another participant's cookie is no key either
    assert Membership.objects.count() == 2


def test_an_id_that_somebody_else_took_is_freed(study: Study) -> None:
    came(study, Client(), "5f1a")
    squatter = Membership.objects.get()
    researcher = Client()
    researcher.force_login(make_researcher())
    address = f"/studio/studies/{study.public_id}/people/{squatter.pk}/free/"
    assert "can come under the participant id" in researcher.post(address, follow=True).content.decode()
    assert "under no participant id" in researcher.post(address, follow=True).content.decode()
    assert came(study, Client(), "5f1a").status_code == 302
    assert Membership.objects.get(participant_id="5f1a") != squatter


def test_another_participant_at_the_same_computer_is_another_person(study: Study) -> None:
    client = Client()
    came(study, client, "first")
    page = client.get(address(study, PROLIFIC_PID="second")).content.decode()
    assert "Going on signs that account out" in page
    came(study, client, "second")
    assert client.session["_auth_user_id"] == str(Membership.objects.get(participant_id="second").user_id)
    assert User.objects.count() == 2


def test_the_parameter_is_the_studys_own_and_mturks_preview_shows_instructions_only(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(participant_parameter="workerId")
    preview = Client().get(address(study, assignmentId="ASSIGNMENT_ID_NOT_AVAILABLE", hitId="H"))
    page = preview.content.decode()
    assert "Judge <em>soberly</em>" in page
    assert "Take part" not in page
    posted = Client().post(address(study, assignmentId="ASSIGNMENT_ID_NOT_AVAILABLE"))
    assert posted.status_code == 200
    assert not User.objects.exists()
    Client().post(address(study, workerId="A1B2", assignmentId="Z", hitId="H"))
    assert Membership.objects.get().participant_id == "A1B2"


@pytest.mark.parametrize("odd", ["{{%25PROLIFIC_PID%25}}", "${workerId}", "x" * 201, "a%00b"])
def test_an_id_that_is_none_is_refused(study: Study, odd: str) -> None:
    for response in (Client().get(address(study, PROLIFIC_PID=odd)), came(study, Client(), odd)):
        assert response.status_code == 410
    assert not User.objects.exists()


def test_a_shared_link_takes_panels_too_and_counts_each_person_once(study: Study) -> None:
    link = invite_many(study=study, name="Prolific", most_uses=2)
    client = Client()
    for _ in range(3):
        client.post(invitation_path(link) + "?PROLIFIC_PID=5f1a")
    assert Membership.objects.get().participant_id == "5f1a"
    link.refresh_from_db()
    assert link.uses == 1


def test_the_list_of_participants_says_how_far_they_are(study: Study) -> None:
    from evaluation.services.allocation import claim_next

    client = Client()
    came(study, client, "=5f1a")
    came(study, Client(), "9c")
    make_reviewer(study=study)
    first = Membership.objects.get(participant_id="=5f1a")
    for _ in range(2):
        slot = claim_next(study_id=study.pk, reviewer=first.user).slot
        assert slot
        answer(slot, first.user)
    researcher = Client()
    researcher.force_login(make_researcher())
    response = researcher.get(f"/studio/studies/{study.public_id}/people/participants.csv")
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert [(row["participant_id"], row["rated"], row["of"], row["finished"]) for row in rows] == [
        ("'=5f1a", "2", "3", ""),
        ("9c", "0", "3", ""),
    ]
