"""Studies, what is rated on which scale, who rates what, and the ratings."""

from evaluation.models.exports import Export
from evaluation.models.people import Conflict, Event, Invitation, Membership
from evaluation.models.ratings import (
    Adjudication,
    AuthorshipGuess,
    Comment,
    Confidence,
    Highlight,
    OpenAnswer,
    Rating,
    Submission,
)
from evaluation.models.slots import Opening, Slot
from evaluation.models.studies import Anchor, Criterion, Expectation, Item, Level, Study

__all__ = [
    "Adjudication",
    "Anchor",
    "AuthorshipGuess",
    "Comment",
    "Confidence",
    "Conflict",
    "Criterion",
    "Event",
    "Expectation",
    "Export",
    "Highlight",
    "Invitation",
    "Item",
    "Level",
    "Membership",
    "OpenAnswer",
    "Opening",
    "Rating",
    "Slot",
    "Study",
    "Submission",
]
