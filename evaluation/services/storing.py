"""The one statement that stores what a reviewer sent: made of parts, so that a study pays for what it asks only.

Everything hangs on `submitted`, which is empty when the key is known, when an answer does not fit its criterion, or
when another page (a second tab, say) stored a newer answer that differs. The slot is locked by the caller, so the
revisions read here are the newest.

An answer comes with the revision that its page had `seen`. Where a newer one is in force, an answer equal to the one
seen was not touched on that page and is left alone; any other that differs from the newer one is *overtaken*.
"""

import json
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from evaluation.prepared import prepared_cursor
from evaluation.services.storing_statement import storing_statement

__all__ = ["Answers", "Stored", "Wanted", "store"]


@dataclass(frozen=True)
class Answers:
    """What was sent, by criterion; `seen` holds the revision of each field that the sender's page showed."""

    levels: dict[str, int]
    opened: dict[str, float | str | None] = field(default_factory=dict)
    confidence: int | None = None
    highlights: dict[str, list[list[int]]] = field(default_factory=dict)
    comment: str | None = None
    seen: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Wanted:
    """The slot to store at, and which of the optional questions its study asks."""

    slot: int
    study: int
    reviewer: int
    minutes: int
    has_open: bool
    asks_confidence: bool
    allows_highlights: bool


@dataclass(frozen=True)
class Stored:
    """What came of it, by field.

    `revisions` are those now in force of what was sent; `overtaken` says why nothing was stored, and `newer` what other
    pages stored meanwhile in fields that were not touched on this one.
    """

    fits: bool
    is_known: bool
    is_new: bool
    criteria: int
    answered: int
    revisions: dict[str, int]
    overtaken: list[dict[str, Any]]
    newer: list[dict[str, Any]]


def store(*, wanted: Wanted, answers: Answers, key: UUID, seconds: float) -> Stored:
    """Run the statement; nothing of it happens unless `is_new`."""
    asked = {"open": wanted.has_open, "sure": wanted.asks_confidence, "marks": wanted.allows_highlights}
    # A field of which its sender saw no revision is stored over whatever is in force.
    seen, last = answers.seen, 2**31 - 1
    parameters: dict[str, Any] = {
        "slot": wanted.slot,
        "study": wanted.study,
        "reviewer": wanted.reviewer,
        "minutes": wanted.minutes,
        "key": key,
        "seconds": seconds,
        "comment": answers.comment.strip() if answers.comment is not None else None,
        "seen_comment": seen.get("comment", last),
        "levels": json.dumps(
            [
                {"key": name, "index": int(index), "seen": seen.get(f"level-{name}", last)}
                for name, index in answers.levels.items()
            ]
        ),
        "opened": json.dumps(
            [
                {"key": name, "value": value, "seen": seen.get(_open_field(name, value), last)}
                for name, value in answers.opened.items()
            ]
        ),
        "confidence": answers.confidence,
        "seen_confidence": seen.get("confidence", last),
        "marks": json.dumps(
            [
                {"key": name, "spans": spans, "seen": seen.get(f"marks-{name}", last)}
                for name, spans in answers.highlights.items()
            ]
        ),
    }
    parts = tuple(part for part, is_asked in asked.items() if is_asked)
    with prepared_cursor() as cursor:
        cursor.execute(storing_statement(parts), parameters)
        fits, is_known, is_new, criteria, answered, overtaken, *rest = cursor.fetchone()
    revisions, newer = (_decoded(one) for one in rest)
    return Stored(fits, is_known, is_new, criteria, answered, revisions or {}, _decoded(overtaken), newer or [])


def _open_field(name: str, value: float | str | None) -> str:
    return f"{'words' if isinstance(value, str) else 'number'}-{name}"


def _decoded(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
