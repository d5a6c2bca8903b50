"""Studies, what is rated on which scale, who rates what, and the ratings."""

from evaluation.models.exports import Export
from evaluation.models.people import Invitation, Membership
from evaluation.models.ratings import Comment, Rating, Submission
from evaluation.models.slots import Opening, Slot
from evaluation.models.studies import Criterion, Item, Level, Study

__all__ = [
    "Comment",
    "Criterion",
    "Export",
    "Invitation",
    "Item",
    "Level",
    "Membership",
    "Opening",
    "Rating",
    "Slot",
    "Study",
    "Submission",
]
