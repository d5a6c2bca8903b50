"""A person's own page, everything stored about them, and its deletion."""

import json
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.invitees import Invitee
from evaluation.models import Comment, Conflict, Event, Invitation, Membership, Rating, Slot, Study
from evaluation.services.allocation import claim_next, skip_slot
from evaluation.services.erasure import erase_person
from evaluation.services.invitations import accept_invitation, invitation_path, invite
from evaluation.services.items import add_items_from_corpus
from evaluation.services.studies import create_study, launch_study
from tests.evaluation.services.answers import answer
from tests.factories import make_corpus, make_open_study, make_researcher, make_reviewer, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    cache.clear()
    return make_open_study(texts=3)[0]


@pytest.fixture
def rita(study: Study) -> User:
    """Somebody of whom there is something in every table."""
    (invitation,) = invite(study=study, people=[Invitee("Rita Rater", "rita@example.org")])
    person = accept_invitation(invitation=invitation, participant_id="5f1a")
    first = claim_next(study_id=study.pk, reviewer=person).slot
    assert first
    answer(first, person, comment="I am Rita Rater of Ripon")
    second = claim_next(study_id=study.pk, reviewer=person).slot
    assert second
    skip_slot(slot_id=second, reviewer=person, reason="Other: asked Rita's boss")
    EmailAddress.objects.create(user=person, email="rita@example.org", verified=True, primary=True)
    SocialAccount.objects.create(user=person, provider="orcid", uid="0000-0001", extra_data={"name": "Rita Rater"})
    return person


def page_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_name_and_reminders_are_changed(study: Study, rita: User) -> None:
    client = page_of(rita)
    assert "rita@example.org" in client.get("/account/").content.decode()
    assert client.post("/account/", {"name": "  Ana   María Díaz "}).status_code == 302
    rita.refresh_from_db()
    assert str(rita) == "Ana María Díaz"
    assert client.post("/account/", {"name": " "}).status_code == 422
    other, _ = make_open_study()
    Membership.objects.create(study=other, user=rita, role="reviewer")
    client.post("/account/reminders/", {"reminders": [other.pk, "x", "-1"]})
    assert dict(Membership.objects.filter(user=rita).values_list("study", "takes_reminders")) == {
        study.pk: False,
        other.pk: True,
    }


def test_who_turns_out_to_be_an_author_is_kept_from_the_text() -> None:
    corpus = make_corpus(bodies=["Paste gains strength."])
    corpus.documents.update(authors="Díaz, Ana María")
    draft = create_study(title="Own texts", raters_per_item=1)
    add_items_from_corpus(study=draft, corpus=corpus, count=1)
    study = launch_study(study=draft)
    reviewer = make_reviewer(study=study, name="Somebody")
    assert not Conflict.objects.exists()
    page_of(reviewer).post("/account/", {"name": "Ana María Díaz"})
    assert list(Conflict.objects.values_list("user", "item")) == [(reviewer.pk, study.items.get().pk)]


def test_everything_stored_comes_as_a_file_and_tells_nothing_of_sources(rita: User) -> None:
    response = page_of(rita).post("/account/data/")
    assert "attachment" in response.headers["Content-Disposition"]
    data = json.loads(response.content)
    assert data["account"]["email"] == "rita@example.org"
    assert data["studies"][0]["participant_id"] == "5f1a"
    assert [row["chosen"] for row in data["ratings"]]
    assert data["comments"][0]["words"] == "I am Rita Rater of Ripon"
    assert data["texts"][1]["skip_reason"] == "Other: asked Rita's boss"
    assert data["connected_accounts"][0]["uid"] == "0000-0001"
    for secret in ("external_id", '"T1"', '"T2"', "kind", "pass_number", "seat", "stratum"):
        assert secret not in response.content.decode()


def test_deletion_asks_first_and_leaves_ratings_under_a_pseudonym(study: Study, rita: User) -> None:
    client, elsewhere = page_of(rita), page_of(rita)
    path = invitation_path(Invitation.objects.get(user=rita))
    assert client.post("/account/delete/").status_code == 422
    assert User.objects.get(pk=rita.pk).email == "rita@example.org"
    ratings = Rating.objects.count()
    assert client.post("/account/delete/", {"is_sure": "on", "redacts_comments": "on"}).url == "/"
    for browser in (client, elsewhere):  # every session has ended
        assert browser.get("/account/").status_code == 302
    assert Client().post(path).status_code == 410
    rita.refresh_from_db()
    assert rita.username == f"erased-{rita.public_id.hex[:12]}"
    assert (rita.first_name, rita.email, rita.is_active, rita.has_usable_password()) == ("", "", False, False)
    assert rita.erased_at is not None
    assert Rating.objects.filter(slot__reviewer=rita).count() == ratings > 0
    assert Comment.objects.get().redacted_at is not None
    assert Slot.objects.get(state="skipped").skip_reason == "Other"
    assert study.memberships.get(user=rita).removal == "keep"  # nobody waits for them
    event = Event.objects.get(kind="person-erased")
    assert event.details == {"person": str(rita.public_id), "by": "themselves", "comments_redacted": True}
    researcher = page_of(make_researcher())
    shown = researcher.get(f"/studio/studies/{study.public_id}/").content.decode()
    assert rita.username in shown
    assert no_trace_of("Rita", "rita@", "5f1a", "0000-0001", "Ripon")


def no_trace_of(*words: str) -> bool:
    """No row of any table holds one of the words any more, but for sessions, which run out."""
    from django.apps import apps
    from django.core import serializers

    for model in apps.get_models():
        if model._meta.label != "sessions.Session":
            text = serializers.serialize("json", model._default_manager.all())
            for word in words:
                assert word not in text, (model._meta.label, word)
    return True


@pytest.mark.parametrize("sent", [{"reason": "Asked Ripon"}, {"reason": "", "words": "Asked Ripon"}])
def test_words_sent_in_the_place_of_a_reason_are_not_kept_where_deletion_would_miss_them(sent: dict[str, str]) -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1)
    client = page_of(person)
    client.post(client.post(f"/rate/{study.public_id}/").url + "skip/", sent)
    assert Slot.objects.get().skip_reason.startswith("Other")
    erase_person(user=person, actor=person)
    assert Slot.objects.get().skip_reason == "Other"


def test_comments_stay_where_that_is_wished(rita: User) -> None:
    erase_person(user=rita, actor=rita, redacts_comments=False)
    assert Comment.objects.get().body == "I am Rita Rater of Ripon"


def test_a_researcher_erases_on_request_and_nobody_else(study: Study, rita: User) -> None:
    member = Membership.objects.get(user=rita)
    address = f"/studio/studies/{study.public_id}/people/{member.pk}/erase/"
    manager = make_user(username="mara")
    Membership.objects.create(study=study, user=manager, role="owner")
    assert page_of(manager).post(address).status_code == 403
    researcher = page_of(make_researcher())
    assert "Tick the box" in researcher.post(address, follow=True).content.decode()
    assert Membership.objects.get(pk=member.pk).user.erased_at is None
    assert researcher.post(address, {"redacts_comments": "on", "is_sure": "on"}).status_code == 302
    rita.refresh_from_db()
    assert rita.erased_at is not None
    assert Event.objects.get(kind="person-erased").details["by"] == "researcher"


def test_who_owns_a_study_or_has_rights_hands_over_first(study: Study, rita: User) -> None:
    researcher = make_researcher()
    with pytest.raises(StudyError, match="rights"):
        erase_person(user=researcher, actor=researcher)
    other, _ = make_open_study()
    Membership.objects.create(study=other, user=rita, role="owner")
    answered = page_of(rita).post("/account/delete/", {"is_sure": "on"})
    assert answered.status_code == 422
    assert "owns a study" in answered.content.decode()
    rita.refresh_from_db()
    assert rita.erased_at is None


def test_own_data_are_limited(rita: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"own_data": "2/m/user"}
    client = page_of(rita)
    assert [client.post("/account/data/").status_code for _ in range(3)] == [200, 200, 429]
