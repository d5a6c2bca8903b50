"""How values stand in CSV cells."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["csv_flag", "csv_text", "csv_time"]

# Spreadsheets set to an East Asian language read the wide forms like the plain ones.
FORMULA_STARTS = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")


def csv_text(value: str | None) -> str:
    """A text that no spreadsheet takes for a formula.

    A text that begins with ``= + - @`` or a control character gets an apostrophe in front, as spreadsheets themselves
    mark text. Numbers are never passed through here: -0.5 stays a number.
    """
    if not value:
        return ""
    first = value[0]
    control = first < " " or "\x7f" <= first <= "\x9f"
    return f"'{value}" if control or first in FORMULA_STARTS else value


def csv_time(value: datetime | None) -> str:
    """UTC in ISO 8601 with microseconds, so that all times of a column have one form."""
    return "" if value is None else value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def csv_flag(value: bool) -> str:
    return "true" if value else "false"
