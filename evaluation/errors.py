"""What the evaluation's services refuse, in words for the person who asked."""

__all__ = ["KeyReused", "NotYours", "RatingRefused", "StudyClosed", "StudyError", "UploadError"]


class StudyError(ValueError):
    """A study cannot be made, changed, launched or closed like this; the message says what to do instead."""


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
