"""Looking at agreement before its time: possible, and on record."""

from django.db import transaction

from accounts.models import User
from evaluation.models import Event, Study
from evaluation.selectors.opening import OPENED, agreement_opened
from evaluation.services.events import record

__all__ = ["open_agreement"]


@transaction.atomic
def open_agreement(*, study: Study, actor: User) -> Event | None:
    """Let agreement so far be seen from now on; None where it may be seen already. Two clicks are one look."""
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    found = agreement_opened(study=study)
    if found.is_shown:
        return None
    return record(study=study, actor=actor, kind=OPENED, percent=found.percent, rated=found.rated, seats=found.seats)
