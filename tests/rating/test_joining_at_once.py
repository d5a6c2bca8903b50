"""Links opened at the same moment."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from evaluation.invitees import Invitee
from evaluation.models import Invitation, Membership
from evaluation.services.drafts import create_study, delete_draft
from evaluation.services.invitations import LinkUnusable, accept_invitation, invite, invite_many
from evaluation.services.joining import accept_shared
from tests.factories import make_open_study


def accept_all_at_once(invitations: list[Invitation], *, by: Callable[[Invitation], User] | None = None) -> list[Any]:
    accepts = by or (lambda one: accept_invitation(invitation=one))
    barrier = threading.Barrier(len(invitations))
    results: list[Any] = []

    def accept(invitation: Invitation) -> None:
        try:
            connection.ensure_connection()
            barrier.wait(30)
            results.append(accepts(invitation))
        except Exception as error:
            results.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=accept, args=[invitation]) for invitation in invitations]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


@pytest.mark.django_db(transaction=True)
def test_one_person_who_opens_the_links_of_several_studies_at_once_is_one_account() -> None:
    person = Invitee("Rita Rater", "rita@example.org")
    studies = [make_open_study(texts=1)[0] for _ in range(8)]
    invitations = [invite(study=study, people=[person])[0] for study in studies]
    results = accept_all_at_once(invitations)
    assert {type(result) for result in results} == {User}
    assert User.objects.count() == 1
    assert Membership.objects.filter(role="reviewer").count() == len(studies)


@pytest.mark.django_db
def test_a_link_whose_study_is_deleted_meanwhile_lets_nobody_in() -> None:
    study = create_study(title="Draft", raters_per_item=1)
    (invitation,) = invite(study=study, people=[Invitee("Kim")])
    delete_draft(study=study)
    with pytest.raises(LinkUnusable, match="no longer there"):
        accept_invitation(invitation=invitation)


@pytest.mark.django_db(transaction=True)
def test_a_double_click_on_one_link_makes_one_account() -> None:
    (invitation,) = invite(study=make_open_study(texts=1)[0], people=[Invitee("Kim")])
    results = accept_all_at_once([invitation] * 8)
    assert {type(result) for result in results} == {User}
    assert User.objects.count() == 1
    assert Membership.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_shared_link_lets_in_exactly_as_many_as_it_may_when_all_come_at_once() -> None:
    link = invite_many(study=make_open_study(texts=1)[0], name="Seminar", most_uses=5)
    people = iter(range(20))
    results = accept_all_at_once([link] * 20, by=lambda one: accept_shared(invitation=one, name=f"P{next(people)}"))
    assert sum(isinstance(result, User) for result in results) == 5
    assert {type(result) for result in results} == {User, LinkUnusable}
    link.refresh_from_db()
    assert link.uses == User.objects.count() == Membership.objects.count() == 5


@pytest.mark.django_db(transaction=True)
def test_one_panel_participant_who_comes_many_times_at_once_has_one_seat() -> None:
    study, _ = make_open_study(texts=1)
    link = invite_many(study=study, name="Panel")
    results = accept_all_at_once(
        [link] * 8, by=lambda one: accept_shared(invitation=one, name="", participant_id="5f1a")
    )
    assert sum(isinstance(result, User) for result in results) == 1
    assert Membership.objects.filter(participant_id="5f1a").count() == User.objects.count() == 1
