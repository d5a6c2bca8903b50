"""A value that does not exist, and why."""

from dataclasses import dataclass

__all__ = ["Undefined"]


@dataclass(frozen=True, slots=True)
class Undefined:
    """Returned in place of a number where the definition gives none: never NaN, never a made-up 0 or 1.

    Attributes
    ----------
    reason : str
        For people: what is missing, in a few words.
    """

    reason: str
