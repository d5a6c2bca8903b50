"""The columns of each CSV file: name, meaning and form. The codebook is written from the same lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.reports.export.cells import csv_flag, csv_text, csv_time

__all__ = ["Column", "Row", "flag", "number", "repr_number", "text", "time"]

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """One column: `form` says how its cells read, `meaning` what they hold."""

    name: str
    form: str
    meaning: str
    cell: Callable[[Row], str]


def text(name: str, meaning: str, source: str | None = None) -> Column:
    key = source or name
    return Column(name, "text", meaning, lambda row: csv_text(row[key]))


def number(name: str, meaning: str, source: str | None = None) -> Column:
    key = source or name
    return Column(name, "number", meaning, lambda row: "" if row[key] is None else repr_number(row[key]))


def time(name: str, meaning: str, source: str | None = None) -> Column:
    key = source or name
    return Column(name, "UTC time", meaning, lambda row: csv_time(row[key]))


def flag(name: str, meaning: str, source: str | None = None) -> Column:
    key = source or name
    return Column(name, "true or false", meaning, lambda row: csv_flag(row[key]))


def repr_number(value: Any) -> str:
    """Floats with the fewest digits that give the same float back; other numbers as they are."""
    return repr(float(value)) if isinstance(value, float) else str(value)
