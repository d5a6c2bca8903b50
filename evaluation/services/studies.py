"""A study's life: made as a draft (`drafts`), frozen by its launch, closed for good."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from evaluation.errors import StudyError
from evaluation.models import Opening, Study
from evaluation.presentation import FORMAT
from evaluation.protocol import FROZEN_OPTIONS
from evaluation.selectors.readiness import readiness
from evaluation.services.archiving import archive_study, unarchive_study
from evaluation.services.conflicts import find_all_conflicts
from evaluation.services.copies import duplicate_study, make_new_version
from evaluation.services.criteria import expected_levels, stored_criteria
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
# Raise it when what the hash covers would change.
PROTOCOL = 2


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


def protocol_sha256(*, study: Study) -> str:
    """SHA-256 over everything that reviewers meet.

    Texts with what they are for, expected levels and feedback; criteria with levels and examples; instructions,
    consent, options; the order, and the form of display.
    """
    digest = hashlib.sha256()
    for part in _protocol(study):
        digest.update(json.dumps(part, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    return digest.hexdigest()


def _protocol(study: Study) -> Iterator[Any]:
    yield {
        "format": FORMAT,
        "protocol": PROTOCOL,
        "instructions": study.instructions,
        "raters_per_item": study.raters_per_item,
        "order_seed": study.order_seed,
        **{name: getattr(study, name) for name in FROZEN_OPTIONS},
    }
    for criterion in stored_criteria(study=study):
        yield asdict(criterion)
    yield from (
        study.items.order_by("position")
        .values_list(
            "position", "kind", "external_id", "question", "text__sha256", "feedback", "block", "shuffled_position"
        )
        .iterator()
    )
    yield expected_levels(study=study)
