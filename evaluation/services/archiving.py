"""Putting a study away: out of the list of studies, with everything kept."""

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.services import events

__all__ = ["archive_study", "unarchive_study"]


@transaction.atomic
def archive_study(*, study: Study, actor: User | None = None) -> Study:
    """Hide a draft or a closed study from the list; archiving twice is archiving once."""
    study = Study.objects.select_for_update().get(pk=study.pk)
    if study.state == Study.State.OPEN:
        raise StudyError(_("The study is open: close it before you archive it."))
    if study.archived_at is None:
        study.archived_at = Now()
        study.save(update_fields=["archived_at"])
        study.refresh_from_db(fields=["archived_at"])
        events.record_if_launched(study=study, actor=actor, kind="study-archived")
    return study


@transaction.atomic
def unarchive_study(*, study: Study, actor: User | None = None) -> Study:
    """Bring an archived study back into the list."""
    study = Study.objects.select_for_update().get(pk=study.pk)
    if study.archived_at is not None:
        study.archived_at = None
        study.save(update_fields=["archived_at"])
        events.record_if_launched(study=study, actor=actor, kind="study-unarchived")
    return study
