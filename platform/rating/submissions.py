"""What a browser sent from a rating page, read before anything is stored."""

import math
import uuid
from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

from evaluation.services.ratings import LONGEST_COMMENT

PREFIX = "level-"
# One more than any scale has; the services say which level does not exist.
HIGHEST = 11


class Unreadable(ValueError):
    """The form was tampered with, or cut off on its way."""


@dataclass(frozen=True)
class Submission:
    answers: dict[str, int]
    key: uuid.UUID
    seconds: float
    comment: str | None
    go: str


def read_submission(request: HttpRequest) -> Submission:
    form = request.POST
    try:
        key = uuid.UUID(form.get("key", ""))
        seconds = float(form.get("seconds") or 0)
    except ValueError:
        raise Unreadable("This page is out of date. Reload it, and choose once more.") from None
    comment = form.get("comment")
    if comment is not None:
        # A text area sends each line break as two characters, which its own limit counts as one.
        comment = comment.replace("\r\n", "\n")
        if len(comment) > LONGEST_COMMENT or "\0" in comment:
            raise Unreadable(f"The comment is too long: {LONGEST_COMMENT:,} characters are the most.")
    if not math.isfinite(seconds) or seconds < 0:
        raise Unreadable("This page is out of date. Reload it, and choose once more.")
    return Submission(read_choices(form), key, seconds, comment, form.get("go", "save"))


def read_choices(form: QueryDict) -> dict[str, int]:
    """Level indices by criterion, from `level-<criterion>=<index>`."""
    chosen = {}
    for name, value in form.items():
        if name.startswith(PREFIX):
            if not (value.isascii() and value.isdecimal() and len(value) < 3 and int(value) < HIGHEST):
                raise Unreadable("A level was sent that no scale has. Reload the page, and choose once more.")
            chosen[name.removeprefix(PREFIX)] = int(value)
    return chosen
