"""The evaluation's work on the queue. A message is a hint: the row holds the lease."""

from celery import shared_task
from django.db import transaction

from accounts.models import User
from evaluation.models import Export, Study
from evaluation.selectors.reminders import due_members
from evaluation.services.exports import request_export, write_export
from evaluation.services.reminders import MailNotTaken, choose_recipients, send_reminder
from evaluation.services.studies import launch_study
from graphs.tasks import start_scoring
from leases import sweeper
from leases.services import claim


@shared_task(name="evaluation.write_export")
def export(export_id: int) -> None:
    lease = claim(model=Export, pk=export_id)
    if lease is not None:
        write_export(lease=lease)


@shared_task(
    name="evaluation.remind", autoretry_for=(MailNotTaken,), retry_backoff=60, retry_backoff_max=3600, max_retries=6
)
def remind(membership_id: int, by_hand: bool = False) -> None:
    send_reminder(membership_id=membership_id, by_hand=by_hand)


@shared_task(name="evaluation.remind_all")
def remind_all() -> None:
    """Beat calls it; a mail each, so that one that fails is tried again alone."""
    for pk in due_members():
        remind.delay(pk)


@transaction.atomic
def start_reminders(*, study: Study, actor: User) -> int:
    """Remind everybody who may be reminded now; how many."""
    chosen = choose_recipients(study=study, actor=actor)
    for pk in chosen:
        remind.delay_on_commit(pk, by_hand=True)
    return len(chosen)


@transaction.atomic
def start_launch(*, study: Study) -> Study:
    """Launch a study and queue the scoring of its texts, so that ratings can be held against the metrics."""
    launched = launch_study(study=study)
    start_scoring(text_ids=launched.items.values_list("text_id", flat=True))
    return launched


def start_export(*, study: Study, user: User | None, like: Export | None = None) -> Export:
    """Queue an export and send it once the transaction has committed."""
    requested = request_export(study=study, user=user, like=like)
    sweeper.mark_sent(model=Export, pks=[requested.pk])
    export.delay_on_commit(requested.pk)
    return requested


def send_exports(pks: list[int]) -> None:
    for pk in pks:
        export.delay(pk)


sweeper.register(model=Export, send=send_exports)
