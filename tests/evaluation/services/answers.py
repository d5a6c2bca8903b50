"""Answering as a reviewer, and letting time pass."""

import uuid
from typing import Any

from django.db import connection

from accounts.models import User
from evaluation.models import Study
from evaluation.services.allocation import claim_next
from evaluation.services.ratings import Receipt, record_ratings


def answer(slot: uuid.UUID | None, reviewer: User, **fields: Any) -> Receipt:
    """Answer both criteria of a slot."""
    assert slot is not None
    fields = {"answers": {"meaningfulness": 2, "importance": 1}, "key": uuid.uuid4()} | fields
    return record_ratings(slot_id=slot, reviewer=reviewer, **fields)


def answer_all(study: Study, reviewer: User) -> int:
    """Rate until nothing is left; how many were rated."""
    count = 0
    while (slot := claim_next(study_id=study.pk, reviewer=reviewer).slot) is not None:
        answer(slot, reviewer)
        count += 1
    return count


def let_lapse(slot: uuid.UUID | None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE evaluation_slot SET lease_expires_at = clock_timestamp() - interval '1 s' WHERE public_id = %s",
            [slot],
        )
