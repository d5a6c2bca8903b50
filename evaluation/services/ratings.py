"""Storing what a reviewer answers: append-only, idempotent, never lost without a word."""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.errors import KeyReused, NotYours, Overtaken, RatingRefused
from evaluation.models import Slot, Submission
from evaluation.presentation import neutral_text
from evaluation.rubrics import MOST_LEVELS
from evaluation.services.allocation import Claim, claim_next_within
from evaluation.services.slot_lock import LockedSlot, lock_slot, sit_down_late
from evaluation.services.storing import Answers, Wanted, store

__all__ = ["LONGEST_COMMENT", "LONGEST_WORDS", "Receipt", "record_ratings"]

LONGEST_COMMENT = 10_000
LONGEST_WORDS = 10_000
MOST_SPANS = 200
LONGEST_SPELL = 24 * 3600.0  # seconds that one submission may claim to have been active


@dataclass(frozen=True)
class Receipt:
    """What the sender may rely on; the same for the same key, however often it is sent.

    `answered` and `criteria` count the criteria that must be answered; `revisions` are those now in force of the fields
    that were sent (`level-<criterion>`, `number-…`, `words-…`, `marks-…`, `confidence`, `comment`). `newer` are answers
    that another page stored meanwhile in fields that this one left as they were. `claim` is what was claimed with it.
    """

    key: UUID
    answered: int
    criteria: int
    study_id: int
    following: UUID | None = None
    is_practice: bool = field(default=False, compare=False)
    revisions: dict[str, int] = field(default_factory=dict, compare=False)
    newer: list[dict[str, Any]] = field(default_factory=list, compare=False)
    claim: Claim | None = field(default=None, compare=False)

    @property
    def complete(self) -> bool:
        return self.answered == self.criteria


def record_ratings(
    *,
    slot_id: UUID,
    reviewer: User,
    answers: Mapping[str, int],
    key: UUID,
    seconds_active: float = 0.0,
    comment: str | None = None,
    open_answers: Mapping[str, float | str | None] | None = None,
    confidence: int | None = None,
    highlights: Mapping[str, Sequence[Sequence[int]]] | None = None,
    seen: Mapping[str, int] | None = None,
    claims_next: bool = False,
) -> Receipt:
    """Store answers at a slot: two statements, whatever the size of the study.

    Parameters
    ----------
    slot_id
        The slot's `public_id`.
    answers
        Index of the level given, by the key of its criterion; criteria may be left out and answered later. A level
        that differs from the one in force becomes a new revision, the same level again stores nothing.
    key
        Chosen by the sender. The same key again changes nothing and gets the same receipt.
    seconds_active
        Time spent since the last submission, at most a day.
    comment
        None leaves the comment as it is.
    open_answers
        A number (None takes it back) or words ("" takes them back), by criterion.
    confidence
        From 1 (guessing) to 5 (certain); None leaves it as it is.
    highlights
        Stretches `[start, end]` in characters of the text as shown, by criterion; an empty list takes them back.
    seen
        The revision of each field that the sender's page showed, 0 for none. A field left out is stored over whatever
        is in force.
    claims_next
        Give the reviewer their next text in the same transaction, once this one is complete and none is begun: what
        was stored and what was given reach the disk together. After practice nothing is claimed.

    Raises
    ------
    NotYours, StudyClosed, KeyReused
        As they say; nothing is stored.
    Overtaken
        A newer answer than the one seen is in force and differs from this one; nothing is stored.
    RatingRefused
        A criterion or level does not exist, or a value is out of range; nothing is stored.
    """
    _check(answers, seconds_active, comment, open_answers or {}, confidence)
    if any(not name.isprintable() for name in highlights or ()):
        raise RatingRefused(_("A criterion is named by its key."))
    with transaction.atomic():
        slot = lock_slot(slot_id=slot_id, reviewer=reviewer, with_membership=claims_next)
        sent = Answers(
            levels=dict(answers),
            opened={name: value.strip() if isinstance(value, str) else value for name, value in open_answers.items()}
            if open_answers
            else {},
            confidence=confidence,
            highlights=_spans(slot, highlights) if highlights else {},
            comment=comment,
            seen=dict(seen or {}),
        )
        wanted = Wanted(
            slot.pk,
            slot.study_id,
            reviewer.pk,
            slot.minutes,
            slot.has_open,
            slot.asks_confidence,
            slot.allows_highlights,
        )
        if (sent.opened and not slot.has_open) or (confidence is not None and not slot.asks_confidence):
            raise RatingRefused(_("The study does not ask this."))
        stored = store(wanted=wanted, answers=sent, key=key, seconds=min(seconds_active, LONGEST_SPELL))
        if not stored.fits:
            raise RatingRefused(_misfit(slot.study_id, sent))
        if not stored.is_new:
            if stored.overtaken and not stored.is_known:
                raise Overtaken(stored.overtaken)
            return _replay(slot, key)
        receipt = Receipt(
            key,
            stored.answered,
            stored.criteria,
            slot.study_id,
            slot.following,
            slot.is_practice,
            stored.revisions,
            stored.newer,
        )
        if receipt.complete and slot.state in {Slot.State.EXPIRED, Slot.State.SKIPPED, Slot.State.WITHDRAWN}:
            sit_down_late(slot=slot)
        if claims_next and receipt.complete and slot.following is None and not slot.is_practice:
            with suppress(NotYours):  # a person who is no reviewer any more has answered, and gets no further text
                return replace(receipt, claim=claim_next_within(study_id=slot.study_id, reviewer=reviewer))
        return receipt


def _check(
    answers: Mapping[str, int],
    seconds_active: float,
    comment: str | None,
    open_answers: Mapping[str, float | str | None],
    confidence: int | None,
) -> None:
    """Refuse what no study could take."""
    if not (math.isfinite(seconds_active) and seconds_active >= 0):
        raise RatingRefused(_("The time spent must be a number of seconds."))
    if comment is not None and (len(comment) > LONGEST_COMMENT or "\0" in comment):
        most = f"{LONGEST_COMMENT:,}"
        raise RatingRefused(_("A comment may have %(most)s characters and no null character.") % {"most": most})
    if any(not name.isprintable() for name in (*answers, *open_answers)):
        raise RatingRefused(_("A criterion is named by its key."))
    if any(isinstance(index, bool) or not 0 <= index < MOST_LEVELS for index in answers.values()):
        raise RatingRefused(_("A level is named by its place in the scale, from 0."))
    for value in open_answers.values():
        if isinstance(value, str) and (len(value) > LONGEST_WORDS or "\0" in value):
            most = f"{LONGEST_WORDS:,}"
            raise RatingRefused(_("An answer may have %(most)s characters and no null character.") % {"most": most})
        if isinstance(value, float) and not math.isfinite(value):
            raise RatingRefused(_("A number must be finite."))
    if confidence is not None and confidence not in range(1, 6):
        raise RatingRefused(_("How sure you are is said from 1 to 5."))


def _spans(slot: LockedSlot, highlights: Mapping[str, Sequence[Sequence[int]]]) -> dict[str, list[list[int]]]:
    """Spans in order, those that touch made one; inside the text as the reviewer saw it."""
    if slot.body is None:
        raise RatingRefused(_("The study does not ask this."))
    length = len(neutral_text(slot.body))
    tidy: dict[str, list[list[int]]] = {}
    for name, spans in highlights.items():
        if len(spans) > MOST_SPANS or any(len(span) != 2 or not 0 <= span[0] < span[1] <= length for span in spans):
            raise RatingRefused(_("Marked words must lie inside the text."))
        joined: list[list[int]] = []
        for start, end in sorted((int(span[0]), int(span[1])) for span in spans):
            if joined and start <= joined[-1][1]:
                joined[-1][1] = max(joined[-1][1], end)
            else:
                joined.append([start, end])
        tidy[name] = joined
    return tidy


def _replay(slot: LockedSlot, key: UUID) -> Receipt:
    """The receipt of an earlier time, with the revisions that were made then."""
    submission = Submission.objects.get(pk=key)
    if submission.slot_id != slot.pk:
        raise KeyReused(_("This answer's key was used for another text already; reload the page and answer once more."))
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT 'level-' || criterion.key, made.revision FROM evaluation_rating made
            JOIN evaluation_criterion criterion ON criterion.id = made.criterion_id WHERE made.submission_id = %(key)s
            UNION ALL
            SELECT criterion.kind || '-' || criterion.key, made.revision FROM evaluation_openanswer made
            JOIN evaluation_criterion criterion ON criterion.id = made.criterion_id WHERE made.submission_id = %(key)s
            UNION ALL
            SELECT 'marks-' || criterion.key, made.revision FROM evaluation_highlight made
            JOIN evaluation_criterion criterion ON criterion.id = made.criterion_id WHERE made.submission_id = %(key)s
            UNION ALL
            SELECT 'confidence', made.revision FROM evaluation_confidence made WHERE made.submission_id = %(key)s
            """,
            {"key": key},
        )
        revisions = dict(cursor.fetchall())
    return Receipt(
        key,
        submission.answered,
        submission.criteria,
        slot.study_id,
        slot.following,
        slot.is_practice,
        revisions,
    )


def _misfit(study_id: int, sent: Answers) -> str:
    """Which answer the study's criteria do not have."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT criterion.key, criterion.name, criterion.kind, criterion.minimum, criterion.maximum,
                   array(SELECT index FROM evaluation_level level WHERE level.criterion_id = criterion.id)
            FROM evaluation_criterion criterion WHERE criterion.study_id = %s
            """,
            [study_id],
        )
        criteria = {key: rest for key, *rest in cursor.fetchall()}
    for name in (*sent.levels, *sent.opened, *sent.highlights):
        if name not in criteria:
            return _("There is no criterion '%(name)s' in this study.") % {"name": name}
    for name, index in sent.levels.items():
        if index not in criteria[name][4]:
            return _("There is no level %(index)s of '%(name)s' in this study.") % {"index": index, "name": name}
    for name, value in sent.opened.items():
        label, kind, least, most, _levels = criteria[name]
        if kind == "number" and isinstance(value, int | float):
            bounds = {"name": label, "least": _plain(least), "most": _plain(most)}
            if least is not None and most is not None:
                return _("%(name)s: give a number from %(least)s to %(most)s.") % bounds
            if least is not None:
                return _("%(name)s: give a number of %(least)s or more.") % bounds
            return _("%(name)s: give a number of %(most)s or less.") % bounds
    return _("The answers do not fit the study's criteria.")


def _plain(bound: float | None) -> str:
    return "" if bound is None else f"{bound:g}"
