"""The export on a real worker: written on the queue, and written once even when its worker is killed."""

import hashlib
import time
import zipfile
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from evaluation.models import Export
from evaluation.services.exports import request_export
from leases.models import State
from tests.factories import make_rated_study
from tests.workers import kill, start_worker

ANSWERS = {"meaningfulness": [["low", "low"], ["high", "medium"], ["medium", "high"]]}


@pytest.fixture
def start(transactional_db, test_environment, tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "media"
    workers = []

    def start():
        workers.append(start_worker(queues="cpu,io", environment=test_environment, folder=tmp_path))
        return workers[-1]

    yield start
    for worker in workers:
        kill(worker)


def wait_until(reached, what, seconds=60):
    deadline = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > deadline:
            pytest.fail(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def test_an_export_survives_its_worker(start, tmp_path):
    # No message is sent: the sweeper of the worker started here finds the row, and no other worker hears of it.
    export = request_export(study=make_rated_study(answers=ANSWERS), user=None)

    def state():
        export.refresh_from_db()
        return export.state

    folder = tmp_path / "media" / "exports"
    server = connection.settings_dict
    with psycopg.connect(
        host=server["HOST"],
        port=server["PORT"] or 5432,
        user=server["USER"],
        password=server["PASSWORD"],
        dbname=server["NAME"],
    ) as other:
        # The worker stops at the first read of ratings, its file open, for as long as this lock is held.
        other.execute("LOCK TABLE evaluation_rating IN ACCESS EXCLUSIVE MODE")
        first = start()
        wait_until(lambda: state() == State.RUNNING, "the first worker has claimed the export")
        wait_until(lambda: folder.is_dir() and list(folder.glob(".*.part")), "it has begun to write")
        kill(first)
        assert state() == State.RUNNING, "it was killed in the middle"
        other.rollback()

    start()
    wait_until(lambda: state() == State.DONE, "a second worker has finished the export")
    assert export.attempts == 2
    stored = Path(export.file.path)
    assert list(folder.iterdir()) == [stored], "nothing of the first worker is left"
    assert hashlib.sha256(stored.read_bytes()).hexdigest() == export.sha256
    with zipfile.ZipFile(stored) as archive:
        assert archive.testzip() is None
        assert "manifest.json" in archive.namelist()
    assert Export.objects.count() == 1
