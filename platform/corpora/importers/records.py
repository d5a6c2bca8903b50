"""What every importer gives: records, with the row of the file each was read from."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class Refused(Exception):
    """The whole file cannot be imported; the message names the file, the place and the way out."""


@dataclass(frozen=True, slots=True)
class Record:
    """One row as it stands in the file, in the columns that matter here; absent ones are empty."""

    row: int
    title: str
    abstract: str
    doi: str = ""
    authors: str = ""
    year: str = ""
    source: str = ""
    is_ragged: bool = False


class Source(Protocol):
    """An export that was recognised; iterating reads it from the start, a row at a time."""

    layout: str
    encoding: str
    columns: dict[str, str]
    missing_columns: list[str]

    def __iter__(self) -> Iterator[Record]: ...


class Importer(Protocol):
    def open(self, path: Path, name: str) -> Source:
        """Recognise the file; raises `Refused` where it is no export of this kind."""
        ...
