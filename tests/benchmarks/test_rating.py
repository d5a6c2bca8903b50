"""The benchmark of the rating page runs, finds nothing lost, and would notice if something were."""

import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from benchmarks.load.checks import differences, seats_too_many, statements_in
from benchmarks.load.client import Sent
from evaluation.models import Slot
from evaluation.services.allocation import claim_next
from evaluation.services.ratings import record_ratings
from tests.factories import make_open_study

ROOT = Path(__file__).parents[2]


@pytest.mark.django_db(transaction=True)
def test_a_short_run_loses_nothing_and_doubles_nothing(embedded_valkey: None) -> None:
    database = settings.DATABASES["default"]
    place = f"postgresql://{database['USER']}:{database['PASSWORD']}@/{connection.settings_dict['NAME']}"
    options = [f"--database-url={place}?host={database['HOST']}", f"--redis-url={settings.REDIS_URL}"]
    options += ["--short", "--no-browser", "--items=200", "--clients=8", "--seconds=0.5", "--pace-seconds=1"]
    command = [sys.executable, ROOT / "benchmarks" / "rating.py", *options]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    found = {line[:46].strip(): line[46:].strip() for line in run.stdout.splitlines()}
    sent, acknowledged, stored = map(int, found["sent, acknowledged, stored"].split(", "))
    assert sent == acknowledged == stored > 80
    assert found["lost"] == found["doubled"] == found["changed"] == found["answers 5xx"] == "0 (0)"
    assert found["20 at once, one rater a text: seats too many"].startswith("0 (0); 20 of 20 texts")


def sent(slot: Slot, key: str, *, level: int = 1, acknowledged: bool = True, status: int = 200) -> Sent:
    levels = {"meaningfulness": level, "importance": 0}
    return Sent(key, str(slot.public_id), levels, 0.01, status, acknowledged)


@pytest.mark.django_db
def test_what_is_lost_changed_or_stored_in_silence_is_counted() -> None:
    study, (reviewer,) = make_open_study(texts=2, reviewers=1)
    claimed = claim_next(study_id=study.pk, reviewer=reviewer).slot
    assert claimed is not None
    key = uuid.uuid4()
    record_ratings(slot_id=claimed, reviewer=reviewer, answers={"meaningfulness": 1, "importance": 0}, key=key)
    slot = Slot.objects.get(public_id=claimed)
    nothing_wrong = dict.fromkeys(
        ("lost", "stored but not acknowledged", "changed", "doubled", "answers 5xx", "other refusals"), 0
    )

    def wrong(*told: Sent) -> dict[str, int]:
        found = differences(told)
        return {name: found[name] for name in nothing_wrong if found[name]}

    assert wrong(sent(slot, str(key))) == {}
    assert wrong(sent(slot, str(key), level=2)) == {"changed": 1}
    assert wrong(sent(slot, str(key)), sent(slot, str(uuid.uuid4()))) == {"lost": 1}
    assert wrong(sent(slot, str(key), acknowledged=False, status=500)) == {
        "stored but not acknowledged": 1,
        "answers 5xx": 1,
    }


@pytest.mark.django_db
def test_an_answer_that_was_stored_twice_is_counted() -> None:
    study, (reviewer,) = make_open_study(texts=1, reviewers=1)
    claimed = claim_next(study_id=study.pk, reviewer=reviewer).slot
    assert claimed is not None
    keys = [uuid.uuid4(), uuid.uuid4()]
    for level, key in enumerate(keys):
        record_ratings(slot_id=claimed, reviewer=reviewer, answers={"meaningfulness": level, "importance": 0}, key=key)
    slot = Slot.objects.get(public_id=claimed)
    assert differences([sent(slot, str(key)) for key in keys])["doubled"] >= 1


@pytest.mark.django_db
def test_a_seat_too_many_is_counted() -> None:
    study, reviewers = make_open_study(texts=1, reviewers=2, raters_per_item=2)
    for reviewer in reviewers:
        claim_next(study_id=study.pk, reviewer=reviewer)
    assert seats_too_many() == 0
    with connection.cursor() as cursor:
        # The database itself refuses such a study, so that its own rules have to be put aside.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE evaluation_study DISABLE TRIGGER USER")
        cursor.execute("UPDATE evaluation_study SET raters_per_item = 1 WHERE id = %s", [study.pk])
        cursor.execute("ALTER TABLE evaluation_study ENABLE TRIGGER USER")
    assert seats_too_many() == 1


def test_statements_are_read_from_the_servers_log() -> None:
    log = (
        "2026-11-30 20:00:00 UTC [7] LOG:  statement: BEGIN\n"
        "2026-11-30 20:00:00 UTC [7] LOG:  execute _pg3_0: \n"
        "\t            SELECT study.state\n"
        "\t            FROM evaluation_study\n"
        "2026-11-30 20:00:00 UTC [7] DETAIL:  Parameters: $1 = '7'\n"
        "2026-11-30 20:00:00 UTC [7] LOG:  statement: SELECT 1\n"
        "2026-11-30 20:00:00 UTC [7] LOG:  statement: COMMIT\n"
        "2026-11-30 20:00:01 UTC [7] LOG:  checkpoint starting: time\n"
    )
    found = statements_in(log)
    assert found.counted == ["SELECT study.state", "SELECT 1"]
    assert found.control == 2
