"""The rating page's context: reviewers meet it with their answers, researchers as a preview."""

import uuid
from typing import Any

from django.utils.translation import gettext as _

from evaluation.selectors.guidelines import guidelines
from evaluation.selectors.slot_pages import SlotPage, questions
from evaluation.selectors.standing import Standing

__all__ = ["OTHER", "skip_reasons", "skip_words", "slot_context", "sureness"]

OTHER = "Other"


def slot_context(
    page: SlotPage, standing: Standing, *, kept: dict[str, str] | None = None, comment: str | None = None
) -> dict[str, Any]:
    """Everything that the rating page shows; `kept` and `comment` are not stored yet."""
    told = guidelines(study_id=page.study_pk, frozen_sha256=page.frozen_sha256)
    kept = kept or {}
    stored = page.answers
    confidence = kept.get("confidence", stored.get("confidence", ""))
    return {
        "page": page,
        # Practice comes first, so that what is rated is counted from 1 after it.
        "number": page.position if page.is_practice else page.position - told.practice,
        "standing": standing,
        "guidelines": told,
        "scales": questions(page, told, kept),
        "sureness": [(str(value), name, str(value) == confidence) for value, name in sureness()]
        if page.asks_confidence
        else [],
        "stored_confidence": stored.get("confidence", ""),
        "seen": page.seen(told.criteria),
        "comment": page.comment if comment is None else comment,
        "is_kept": any(stored.get(name, "") != value for name, value in kept.items()),
        "is_saved": bool(stored),
        "key": uuid.uuid4(),
        "skip_reasons": skip_reasons(),
    }


def sureness() -> list[tuple[int, str]]:
    """How sure a reviewer is, in words; what is stored is the number."""
    return list(enumerate((_("Guessing"), _("Unsure"), _("Fairly sure"), _("Sure"), _("Certain")), start=1))


def skip_reasons() -> list[tuple[str, str]]:
    """What is stored, whatever the language, and what is shown."""
    return [
        ("Outside my field", _("Outside my field")),
        ("I cannot read or understand it", _("I cannot read or understand it")),
        ("I know who wrote it", _("I know who wrote it")),
        (OTHER, _("Other")),
    ]


def skip_words(stored: str) -> str:
    """A stored reason with what the reviewer added to it, as the page shows it."""
    reason, colon, added = stored.partition(": ")
    return dict(skip_reasons()).get(reason, reason) + colon + added
