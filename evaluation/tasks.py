"""The evaluation's work on the queue. A message is a hint: the row holds the lease."""

from celery import shared_task
from django.db import transaction

from accounts.models import User
from evaluation.models import Export, Study
from evaluation.services.exports import request_export, write_export
from evaluation.services.studies import launch_study
from graphs.tasks import start_scoring
from leases import sweeper
from leases.services import claim


@shared_task(name="evaluation.write_export")
def export(export_id: int) -> None:
    lease = claim(model=Export, pk=export_id)
    if lease is not None:
        write_export(lease=lease)


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
