"""Reminders: who gets one, at most one a period, never two from two workers, and tried again after a failure."""

import threading
import time
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core import mail
from django.db import connections
from django.utils import timezone

from evaluation.errors import StudyError
from evaluation.invitees import Invitee
from evaluation.models import Conflict, Event, Invitation, Item, Membership, Study
from evaluation.selectors.reminders import due_members, membership_of_token, recipients
from evaluation.services.allocation import claim_next
from evaluation.services.invitations import accept_invitation, invitation_url, invite
from evaluation.services.reminders import MailNotTaken, choose_recipients, send_reminder, set_reminders, stop_url
from evaluation.services.studies import close_study
from tests.evaluation.services.answers import answer, answer_all
from tests.factories import make_open_study, make_researcher

pytestmark = pytest.mark.django_db
LONG_AGO = timedelta(days=8)


def study_with_reviewer(days: int | None = 7, **fields: Any) -> tuple[Study, Membership]:
    """A study under way, and a reviewer with an address who joined eight days ago and has not begun."""
    study, _ = make_open_study(texts=3, **fields)
    Study.objects.filter(pk=study.pk).update(reminder_days=days)
    (invitation,) = invite(study=study, people=[Invitee("Rita Rater", "rita@example.org")])
    user = accept_invitation(invitation=invitation)
    member = Membership.objects.get(study=study, user=user)
    Membership.objects.filter(pk=member.pk).update(joined_at=timezone.now() - LONG_AGO)
    study.refresh_from_db()
    return study, member


def remind_all() -> int:
    return sum(send_reminder(membership_id=pk) for pk in due_members())


def test_a_reviewer_who_was_away_gets_one_mail_a_period() -> None:
    _, member = study_with_reviewer()
    assert (remind_all(), remind_all()) == (1, 0)
    (message,) = mail.outbox
    assert message.to == ["rita@example.org"]
    assert invitation_url(Invitation.objects.get()) in message.body
    stop = stop_url(member=member)
    assert stop in message.body
    assert message.extra_headers["List-Unsubscribe"] == f"<{stop}>"
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    Membership.objects.update(reminded_at=timezone.now() - timedelta(days=6))
    assert remind_all() == 0
    Membership.objects.update(reminded_at=timezone.now() - LONG_AGO)
    assert remind_all() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"takes_reminders": False},
        {"finished_at": timezone.now()},
        {"seen_at": timezone.now() - timedelta(days=6)},
        {"joined_at": timezone.now()},
        {"removed_at": timezone.now(), "removal": "keep"},
        {"role": "viewer"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_who_is_not_reminded(change: dict[str, Any]) -> None:
    _, member = study_with_reviewer()
    Membership.objects.filter(pk=member.pk).update(**change)
    assert due_members() == []
    assert not send_reminder(membership_id=member.pk)
    assert mail.outbox == []


def test_nobody_is_reminded_without_an_address_or_of_a_study_that_is_over_or_reminds_nobody() -> None:
    study, member = study_with_reviewer()
    member.user.email = ""
    member.user.save()
    assert due_members() == []
    member.user.email = "rita@example.org"
    member.user.save()
    assert due_members() == [member.pk]
    Study.objects.update(reminder_days=None)
    assert due_members() == []
    Study.objects.update(reminder_days=7, archived_at=timezone.now())
    assert due_members() == []
    Study.objects.update(archived_at=None)
    close_study(study=study)
    assert due_members() == []


def test_nobody_is_reminded_of_a_study_that_has_nothing_left_for_them() -> None:
    study, member = study_with_reviewer(raters_per_item=1)
    for item in Item.objects.filter(study=study):
        Conflict.objects.create(item=item, user=member.user)
    assert due_members() == []
    Conflict.objects.all().delete()
    claim = claim_next(study_id=study.pk, reviewer=member.user)
    assert claim.slot
    Membership.objects.update(seen_at=None)
    assert due_members() == [member.pk]
    answer(claim.slot, member.user)
    Membership.objects.filter(pk=member.pk).update(seen_at=None, quota=1)
    assert due_members() == []
    Membership.objects.filter(pk=member.pk).update(quota=None)
    assert due_members() == [member.pk]
    answer_all(study, member.user)
    Membership.objects.filter(pk=member.pk).update(seen_at=None, finished_at=None)
    assert due_members() == []


def test_a_mail_server_that_does_not_answer_costs_no_reminder(monkeypatch: Any) -> None:
    _, member = study_with_reviewer()
    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", refuse(ConnectionRefusedError()))
        with pytest.raises(MailNotTaken):
            send_reminder(membership_id=member.pk)
    member.refresh_from_db()
    assert member.reminded_at is None
    assert remind_all() == 1


def test_an_address_that_the_server_refuses_is_left_alone_for_a_period(monkeypatch: Any) -> None:
    _, member = study_with_reviewer()
    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse(SMTPRecipientsRefused({})))
    assert not send_reminder(membership_id=member.pk)
    assert due_members() == []


def refuse(error: Exception) -> Any:
    def send(self: Any) -> int:
        raise error

    return send


def test_a_reminder_by_hand_is_on_record_and_goes_to_nobody_twice_a_day() -> None:
    study, member = study_with_reviewer(days=None)
    nameless = accept_invitation(invitation=invite(study=study, people=[Invitee("Kim")])[0])
    found = [(one.name, one.reason) for one in recipients(study=study)]
    assert found == [("Rita Rater", ""), ("Kim", "no-address")]
    assert choose_recipients(study=study, actor=make_researcher()) == [member.pk]
    assert Event.objects.get(kind="reminders-sent").details == {"reviewers": 1}
    assert send_reminder(membership_id=member.pk, by_hand=True)
    assert not send_reminder(membership_id=member.pk, by_hand=True)
    assert {one.name: one.reason for one in recipients(study=study)}["Rita Rater"] == "reminded"
    with pytest.raises(StudyError, match="nobody to remind"):
        choose_recipients(study=study, actor=nameless)
    Membership.objects.update(reminded_at=timezone.now() - timedelta(hours=25))
    assert send_reminder(membership_id=member.pk, by_hand=True)


def test_a_link_of_another_study_or_with_another_signature_stops_nothing() -> None:
    _, member = study_with_reviewer()
    token = stop_url(member=member).rstrip("/").rsplit("/", 1)[1]
    assert membership_of_token(token) == member
    for wrong in (token[:-1], token[1:], "x", f"{token}x", "a" * 64):
        assert membership_of_token(wrong) is None
    set_reminders(membership=member, wanted=False)
    assert due_members() == []


def test_the_statements_of_a_preview_do_not_grow(django_assert_num_queries: Any) -> None:
    study, _ = study_with_reviewer()
    for number in (1, 9):
        people = [Invitee(f"Person {number}-{n}", f"p{number}-{n}@example.org") for n in range(number)]
        for invitation in invite(study=study, people=people):
            accept_invitation(invitation=invitation)
        with django_assert_num_queries(1):
            recipients(study=study)


@pytest.mark.django_db(transaction=True)
def test_eight_workers_with_one_message_mail_once() -> None:
    _, member = study_with_reviewer()
    barrier, sent = threading.Barrier(8), []

    def work() -> None:
        barrier.wait()
        sent.append(send_reminder(membership_id=member.pk))
        connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sum(sent), len(mail.outbox)) == (1, 1)


def test_a_real_worker_sends_what_beat_asks_for(celery_worker_process: Any) -> None:
    from evaluation.tasks import remind_all as task

    _, member = study_with_reviewer()
    task.delay()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not Membership.objects.filter(pk=member.pk, reminded_at__isnull=False):
        time.sleep(0.05)
    member.refresh_from_db()
    assert member.reminded_at is not None
