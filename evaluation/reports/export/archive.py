"""A zip whose bytes depend on its contents only, written row by row."""

from __future__ import annotations

import csv
import hashlib
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from evaluation.reports.export.columns import Column, Row

__all__ = ["Archive", "Entry"]

# The earliest time that a zip can hold: when a file was written must not change its bytes.
EPOCH = (1980, 1, 1, 0, 0, 0)
ORDINARY_FILE = 0o100644 << 16
UNIX = 3


@dataclass(frozen=True)
class Entry:
    """A finished file: `rows` without the header for tables, None for others."""

    sha256: str
    bytes: int
    rows: int | None


class Archive:
    """Adds one file after the other; memory stays at a row and a compression window whatever the size."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, allowZip64=True)
        self.entries: dict[str, Entry] = {}

    def add_table(self, name: str, columns: list[Column], rows: Iterable[Row]) -> None:
        """Write RFC 4180 CSV: UTF-8, comma, CRLF, a header."""
        count = 0
        with self._open(name) as sink:
            writer = csv.writer(sink, lineterminator="\r\n")
            writer.writerow([column.name for column in columns])
            for row in rows:
                writer.writerow([column.cell(row) for column in columns])
                count += 1
        self.entries[name] = Entry(sink.digest.hexdigest(), sink.size, count)

    def add_text(self, name: str, body: str) -> None:
        with self._open(name) as sink:
            sink.write(body)
        self.entries[name] = Entry(sink.digest.hexdigest(), sink.size, None)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *exception: object) -> None:
        self._zip.close()

    @contextmanager
    def _open(self, name: str) -> Iterator[_Sink]:
        info = zipfile.ZipInfo(name, date_time=EPOCH)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = ORDINARY_FILE
        info.create_system = UNIX
        with self._zip.open(info, "w", force_zip64=True) as member:
            yield _Sink(member)


class _Sink:
    """Passes text on as UTF-8, and counts and hashes the bytes on the way."""

    def __init__(self, member: IO[bytes]) -> None:
        self._member = member
        self.digest = hashlib.sha256()
        self.size = 0

    def write(self, text: str) -> int:
        block = text.encode()
        self._member.write(block)
        self.digest.update(block)
        self.size += len(block)
        return len(text)
