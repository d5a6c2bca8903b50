"""Reports on uploaded files: made by a process of their own, kept for a day for the person who asked.

Only the figures are kept, in the cache, under an identifier that cannot be guessed. The file itself is kept, for a
quarter of an hour, only where its levels still have to be put in order.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import subprocess
import sys
import uuid
import zlib
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext

from evaluation.reports.data import CODE_VERSION
from evaluation.reports.file_process import SECONDS
from evaluation.science.reading.options import ReadOptions

__all__ = [
    "DAY",
    "LARGEST_FILE",
    "FileRefused",
    "KeptFile",
    "forget_report",
    "keep_file",
    "kept_file",
    "kept_report",
    "report_on_file",
]

logger = logging.getLogger(__name__)
LARGEST_FILE = 20 * 1024**2
LARGEST_KEPT_FILE = 5 * 1024**2
WAIT = SECONDS + 20
DAY = timedelta(days=1)
QUARTER = timedelta(minutes=15)
LIMITS = (
    "it takes more time or memory than a page may use. The command line has no such limits: "
    "kappagraph agreement FILE --json"
)


class FileRefused(Exception):
    """Why there is no report, in one line; and the text levels found, where a person has to put them in order."""

    def __init__(self, message: str, words: list[str] | None = None) -> None:
        super().__init__(message)
        self.words = words


@dataclass(frozen=True)
class KeptFile:
    """A file that waits for the order of its levels."""

    name: str
    data: bytes


def report_on_file(*, user_id: int, name: str, data: bytes, reading: ReadOptions, seed: int) -> uuid.UUID:
    """Compute the report and keep it; one file of a person at a time.

    Raises
    ------
    FileRefused
        If the file cannot be read as ratings, or takes too much.
    """
    if not cache.add(busy := f"ratings-file-busy:{user_id}", True, WAIT):
        raise FileRefused(gettext("Another file of yours is being computed; wait for its report, then try again."))
    try:
        answer = _compute(name, data, reading, seed)
    finally:
        cache.delete(busy)
    if "refusal" in answer:
        raise FileRefused(answer["refusal"], answer["words"])
    report = {
        "name": name,
        "file_sha256": hashlib.sha256(data).hexdigest(),
        "until": (datetime.now(UTC) + DAY).isoformat(timespec="minutes"),
        **answer["report"],
    }
    cache.set(_report_key(user_id, pk := uuid.uuid4()), zlib.compress(json.dumps(report).encode()), _seconds(DAY))
    return pk


def kept_report(*, user_id: int, report_id: uuid.UUID) -> dict[str, Any] | None:
    """The report, for the person who uploaded the file, until it runs out."""
    found: bytes | None = cache.get(_report_key(user_id, report_id))
    if found is None:
        return None
    report: dict[str, Any] = json.loads(zlib.decompress(found))
    return report


def forget_report(*, user_id: int, report_id: uuid.UUID) -> None:
    cache.delete(_report_key(user_id, report_id))


def keep_file(*, user_id: int, name: str, data: bytes) -> uuid.UUID | None:
    """Keep a file until its levels are in order; None where it is too large for that."""
    if len(data) > LARGEST_KEPT_FILE:
        return None
    cache.set(_file_key(user_id, pk := uuid.uuid4()), (name, zlib.compress(data)), _seconds(QUARTER))
    return pk


def kept_file(*, user_id: int, file_id: uuid.UUID) -> KeptFile | None:
    found: tuple[str, bytes] | None = cache.get(_file_key(user_id, file_id))
    return None if found is None else KeptFile(found[0], zlib.decompress(found[1]))


def _compute(name: str, data: bytes, reading: ReadOptions, seed: int) -> dict[str, Any]:
    settings = {"name": name, "reading": asdict(reading), "seed": seed, "version": CODE_VERSION}
    command = [sys.executable, "-P", "-m", "evaluation.reports.file_process", json.dumps(settings)]
    # It learns nothing of the installation: no address of a database, no key.
    environment = {
        "PATH": os.defpath,
        "PYTHONPATH": os.pathsep.join(place for place in sys.path if place),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=WAIT, env=environment)  # noqa: S603
    except subprocess.TimeoutExpired:
        return {"refusal": f"{name}: {LIMITS}", "words": None}
    if done.returncode != 0:
        logger.warning("a ratings file was not read (%s): %s", done.returncode, done.stderr.decode(errors="replace"))
        reason = LIMITS if done.returncode < 0 else "it could not be read; save it as CSV, and try again"
        return {"refusal": f"{name}: {reason}", "words": None}
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _report_key(user_id: int, pk: uuid.UUID) -> str:
    return f"ratings-report:{user_id}:{pk}"


def _file_key(user_id: int, pk: uuid.UUID) -> str:
    return f"ratings-file:{user_id}:{pk}"


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())
