"""What the evaluation's services refuse, in words for the person who asked."""

from typing import Any

from django.utils.translation import gettext

__all__ = [
    "AgreementHidden",
    "KeyReused",
    "NotYours",
    "Overtaken",
    "RatingRefused",
    "StudyClosed",
    "StudyError",
    "UploadError",
]


class StudyError(ValueError):
    """A study cannot be made, changed, launched or closed like this; the message says what to do instead."""


class AgreementHidden(StudyError):
    """Agreement so far stays hidden until enough ratings are in, or somebody opens it on record."""

    def __init__(self, percent: int, needed: int) -> None:
        super().__init__(
            gettext(
                "Agreement is hidden until %(needed)s %% of the ratings are in (%(percent)s %% now). "
                "The study's owner can open it on the report's page, which goes on record."
            )
            % {"needed": needed, "percent": percent}
        )


class UploadError(StudyError):
    """A file was refused as a whole; `problems` name file, row and remedy."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class RatingRefused(Exception):
    """Nothing was stored; the message says why."""


class NotYours(RatingRefused):
    """The study or the seat belongs to somebody else, or does not exist: the two are not told apart."""


class StudyClosed(RatingRefused):
    """The study takes no answers any more (or none yet)."""


class KeyReused(RatingRefused):
    """The idempotency key has already stored an answer for another text."""


class Overtaken(RatingRefused):
    """Another page stored newer answers than the sender had seen; `newer` has one entry a field that differs.

    Each names the `field`, the `revision` and `value` in force, and in words what is `shown` there and `here`.
    """

    def __init__(self, newer: list[dict[str, Any]]) -> None:
        super().__init__(gettext("This text was answered in another window meanwhile. Nothing was stored."))
        self.newer = newer
