"""What a browser sent from a rating page, read before anything is stored."""

import json
import math
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from evaluation.services.ratings import LONGEST_COMMENT, LONGEST_WORDS

LEVEL, NUMBER, WORDS, MARKS = "level-", "number-", "words-", "marks-"
# One more than any scale has; the services say which level does not exist.
HIGHEST = 11
MOST_REVISIONS = 10**9
# A comma before decimals. “1,234” may be one thousand and more, and is asked for again.
COMMA = re.compile(r"\A(-?0|-?[0-9]*(?=,[0-9]{1,2}\Z|,[0-9]{4,}\Z)),([0-9]+)\Z")


class Unreadable(ValueError):
    """The form was tampered with, or cut off on its way."""


@dataclass(frozen=True)
class Submission:
    """`feedback` says that the page showed the feedback on a practice text."""

    levels: dict[str, int]
    opened: dict[str, float | str | None]
    confidence: int | None
    highlights: dict[str, list[list[int]]]
    key: uuid.UUID
    seconds: float
    comment: str | None
    seen: dict[str, int]
    go: str
    feedback: bool


def read_submission(request: HttpRequest) -> Submission:
    form = request.POST
    try:
        key = uuid.UUID(form.get("key", ""))
        seconds = float(form.get("seconds") or 0)
    except ValueError:
        raise _out_of_date() from None
    if not math.isfinite(seconds) or seconds < 0:
        raise _out_of_date()
    return Submission(
        levels={name.removeprefix(LEVEL): _level(value) for name, value in form.items() if name.startswith(LEVEL)},
        opened=_opened(form),
        confidence=_confidence(form.get("confidence", "")),
        highlights={name.removeprefix(MARKS): _spans(value) for name, value in form.items() if name.startswith(MARKS)},
        key=key,
        seconds=seconds,
        comment=_comment(form.get("comment")),
        seen=_seen(form.get("seen", "")),
        go=form.get("go", "save"),
        feedback=bool(form.get("feedback")),
    )


def kept_fields(form: Mapping[str, str]) -> dict[str, str]:
    """The answers in a form as they were sent, so that a page can show them again; a broken one is dropped."""
    kept = {}
    for name, value in form.items():
        if name.startswith(LEVEL) or name == "confidence":
            if value.isascii() and value.isdecimal() and len(value) < 3:
                kept[name] = value
        elif name.startswith((NUMBER, WORDS)) and len(value) <= LONGEST_WORDS and "\0" not in value:
            kept[name] = value
    return kept


def _out_of_date() -> Unreadable:
    return Unreadable(_("This page is out of date. Reload it, and choose once more."))


def _level(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 3 and int(value) < HIGHEST):
        raise Unreadable(_("A level was sent that no scale has. Reload the page, and choose once more."))
    return int(value)


def _confidence(value: str) -> int | None:
    if value and value not in set("12345"):
        raise _out_of_date()
    return int(value) if value else None


def _opened(form: QueryDict) -> dict[str, float | str | None]:
    opened: dict[str, float | str | None] = {}
    for name, value in form.items():
        if name.startswith(WORDS):
            opened[name.removeprefix(WORDS)] = _words(value)
        elif name.startswith(NUMBER):
            opened[name.removeprefix(NUMBER)] = _number(value.strip())
    return opened


def _words(value: str) -> str:
    # A text area sends each line break as two characters, which its own limit counts as one.
    value = value.replace("\r\n", "\n")
    if len(value) > LONGEST_WORDS or "\0" in value:
        most = f"{LONGEST_WORDS:,}"
        raise Unreadable(_("An answer is too long: %(most)s characters are the most.") % {"most": most})
    return value


def _number(value: str) -> float | None:
    if not value:
        return None
    point = COMMA.sub(r"\1.\2", value)
    try:
        number = float(point) if point.isascii() and len(point) < 40 and "_" not in point else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise Unreadable(_("“%(value)s” is no number. Write digits, with a point before decimals.") % {"value": value})
    return number


def _comment(comment: str | None) -> str | None:
    if comment is None:
        return None
    comment = comment.replace("\r\n", "\n")
    if len(comment) > LONGEST_COMMENT or "\0" in comment:
        most = f"{LONGEST_COMMENT:,}"
        raise Unreadable(_("The comment is too long: %(most)s characters are the most.") % {"most": most})
    return comment


def _spans(value: str) -> list[list[int]]:
    """`[[start, end], …]`; whether they lie inside the text, the service says."""
    spans = _json(value or "[]")
    if not isinstance(spans, list):
        raise _out_of_date()
    for span in spans:
        if not (isinstance(span, list) and len(span) == 2 and all(type(end) is int for end in span)):
            raise _out_of_date()
    return spans


def _seen(value: str) -> dict[str, int]:
    seen = _json(value or "{}")
    if not isinstance(seen, dict) or any(
        type(one) is not int or not 0 <= one < MOST_REVISIONS for one in seen.values()
    ):
        raise _out_of_date()
    return seen


def _json(value: str) -> object:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise _out_of_date() from None
