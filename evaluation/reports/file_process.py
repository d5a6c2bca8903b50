"""A process of its own that reads one file of ratings, within limits of memory and processor time.

Files come from outside: a workbook can unpack to any size. So no web process reads one; this process does, knows
nothing of the installation, and may be killed by its limits without harm.

`python -m evaluation.reports.file_process SETTINGS < FILE` writes {"report": …} or {"refusal": …, "words": …}.
"""

from __future__ import annotations

import json
import resource
import sys
import zipfile
from contextlib import suppress
from io import BytesIO
from typing import Any

__all__ = ["LARGEST_ANSWER", "LARGEST_UNPACKED", "MEMORY", "SECONDS", "main"]

MEMORY = 2 * 1024**3  # address space, of which libraries take a part without using it
SECONDS = 40
LARGEST_UNPACKED = 200 * 1024**2
LARGEST_ANSWER = 32 * 1024**2


def main(settings: str, data: bytes) -> bytes:
    """Answer in JSON; refusals are answers too."""
    given = json.loads(settings)
    name = given["name"]
    try:
        answer = _answer(data, given)
    except MemoryError:
        answer = {"refusal": f"{name}: reading it takes more memory than a page may use", "words": None}
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False).encode(errors="replace")
    if len(text) > LARGEST_ANSWER:
        message = f"{name}: the report on so many raters is too large for a page; use kappagraph agreement FILE --json"
        return json.dumps({"refusal": message, "words": None}).encode()
    return text


def _answer(data: bytes, given: dict[str, Any]) -> dict[str, Any]:
    from evaluation.reports.file_report import file_report, words_found
    from evaluation.science.intervals.choice import IntervalOptions
    from evaluation.science.reading.errors import RatingsFileError
    from evaluation.science.reading.options import ReadOptions

    fields = given["reading"]
    levels = None if fields["levels"] is None else tuple(fields["levels"])
    reading = ReadOptions(**{**fields, "levels": levels, "raters": tuple(fields["raters"])})
    name = given["name"]
    if _unpacked(data) > LARGEST_UNPACKED:
        limit = f"{LARGEST_UNPACKED // 1024**2} MB"
        return {"refusal": f"{name}: the workbook unpacks to more than {limit}; save it as CSV", "words": None}
    try:
        intervals = IntervalOptions(seed=given["seed"])
        report = file_report(data, name=name, reading=reading, intervals=intervals, version=given["version"])
    except RatingsFileError as refusal:
        try:
            words = words_found(data, name=name, reading=reading)
        except RatingsFileError:
            words = None
        return {"refusal": str(refusal), "words": words}
    return {"report": report}


def _unpacked(data: bytes) -> int:
    """What a workbook's parts add up to, as its directory says: reading stops there for each part."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return sum(part.file_size for part in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return 0  # no workbook; the reader says what it is


def _limit() -> None:
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        with suppress(ValueError, OSError):  # not every system can limit everything
            resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    _limit()
    sys.stdout.buffer.write(main(sys.argv[1], sys.stdin.buffer.read()))
