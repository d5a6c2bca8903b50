"""What was acknowledged survives a kill -9, and what was not can be sent again without counting twice."""

import signal
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from accounts.models import User
from evaluation.models import Rating, Slot, Submission
from evaluation.services.allocation import claim_next
from evaluation.services.ratings import record_ratings
from tests.factories import make_open_study

ROOT = Path(__file__).resolve().parents[3]
ANSWERS = {"meaningfulness": 1, "importance": 2}
# A web process that dies at the given point of a submission, as by kill -9 or a power cut.
DOOMED = """
import os, signal, sys, uuid
import django
django.setup()
from django.db import transaction
from accounts.models import User
from evaluation.services.ratings import record_ratings
slot, person, key, point = sys.argv[1:]
def submit():
    record_ratings(slot_id=uuid.UUID(slot), reviewer=User.objects.get(pk=person), key=uuid.UUID(key),
                   answers={"meaningfulness": 1, "importance": 2})
if point == "before the commit":
    with transaction.atomic():
        submit()
        os.kill(os.getpid(), signal.SIGKILL)
submit()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def seat(transactional_db: None) -> tuple[uuid.UUID, User]:
    study, (person,) = make_open_study(texts=1, reviewers=1)
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    assert slot is not None
    return slot, person


@pytest.mark.parametrize("point", ["before the commit", "before the receipt"])
def test_a_web_process_that_is_killed_loses_no_acknowledged_answer_and_doubles_none(
    seat: tuple[uuid.UUID, User], test_environment: dict[str, str], point: str
) -> None:
    slot, person = seat
    key = uuid.uuid4()
    arguments = [str(slot), str(person.pk), str(key), point]
    child = subprocess.run([sys.executable, "-c", DOOMED, *arguments], env=test_environment, cwd=ROOT, timeout=120)
    assert child.returncode == -signal.SIGKILL
    stored = point == "before the receipt"
    assert Submission.objects.count() == stored
    assert Rating.objects.count() == 2 * stored
    receipt = record_ratings(slot_id=slot, reviewer=person, key=key, answers=ANSWERS)
    assert receipt.complete
    assert Submission.objects.get().pk == key
    assert Rating.objects.count() == 2
    assert Slot.objects.get().state == Slot.State.RATED


def test_a_database_session_that_is_killed_in_mid_answer_stores_nothing_and_the_answer_is_sent_again(
    seat: tuple[uuid.UUID, User],
) -> None:
    slot, person = seat
    key = uuid.uuid4()

    @transaction.atomic
    def cut_off() -> None:
        record_ratings(slot_id=slot, reviewer=person, key=key, answers=ANSWERS)
        _kill_own_session()
        User.objects.exists()

    with pytest.raises(OperationalError):
        cut_off()
    connection.close()
    assert not Submission.objects.exists()
    assert record_ratings(slot_id=slot, reviewer=person, key=key, answers=ANSWERS).complete
    assert Submission.objects.count() == 1


def _kill_own_session() -> None:
    """From a second session, as the operating system would."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    other: Any = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    finally:
        other.close()
