"""A study's life: made as a draft (`drafts`), frozen by its launch, closed for good."""

from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from evaluation.errors import StudyError
from evaluation.models import Opening, Study
from evaluation.selectors.protocol import protocol_sha256, stored_criteria
from evaluation.selectors.readiness import readiness
from evaluation.services.archiving import archive_study, unarchive_study
from evaluation.services.conflicts import find_all_conflicts
from evaluation.services.copies import duplicate_study, make_new_version
from evaluation.services.drafts import change_protocol, create_study, delete_draft, lock_draft
from evaluation.services.ordering import arrange_items, open_seats

__all__ = [
    "archive_study",
    "change_protocol",
    "close_study",
    "create_study",
    "delete_draft",
    "duplicate_study",
    "launch_study",
    "lock_draft",
    "make_new_version",
    "protocol_sha256",
    "stored_criteria",
    "unarchive_study",
]

MANY = 1000


@transaction.atomic
def launch_study(*, study: Study) -> Study:
    """Put the texts into blocks by the study's seed, open k seats for each, and freeze it all under a hash."""
    study = lock_draft(study=study)
    if study.archived_at is not None:
        raise StudyError(_("The study is archived: bring it back before you launch it."))
    ready = readiness(study=study)
    if ready.obstacles:
        raise StudyError(" ".join(ready.obstacles))
    count = ready.rated
    arrange_items(study=study)
    open_seats(study=study)
    find_all_conflicts(study=study)
    if count >= MANY:
        with connection.cursor() as cursor:
            # The planner knows nothing yet of rows that came a moment ago, and the first claims would read them all.
            cursor.execute("ANALYZE evaluation_item, evaluation_opening, corpora_text")
    study.state = Study.State.OPEN
    study.item_count = count
    study.frozen_sha256 = protocol_sha256(study=study)
    study.launched_at = Now()
    study.save(update_fields=["state", "item_count", "frozen_sha256", "launched_at"])
    study.refresh_from_db()
    return study


@transaction.atomic
def close_study(*, study: Study) -> Study:
    """Take no more answers. Waits for those that are being stored; closing twice is closing once."""
    study = Study.objects.select_for_update().get(pk=study.pk)
    if study.state == Study.State.DRAFT:
        raise StudyError(gettext("A draft cannot be closed: launch it first, or delete it."))
    if study.state == Study.State.OPEN:
        study.state = Study.State.CLOSED
        study.closed_at = Now()
        study.save(update_fields=["state", "closed_at"])
        Opening.objects.filter(study=study).delete()
        study.refresh_from_db()
    return study
