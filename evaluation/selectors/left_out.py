"""What the figures do not rest on, by reason. Missing is not a level, and not one thing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from django.utils.translation import gettext_noop

from evaluation.selectors.agreement import REMOVED, fetch

__all__ = ["MISSING", "SET_ASIDE", "LeftOut", "left_out"]

# Why a seat of a rated item has no rating, in the order of reports and of `missing.csv`.
MISSING = {
    "not_assigned": gettext_noop("never given to a reviewer"),
    "not_reached": gettext_noop("claimed, not answered yet"),
    "skipped": gettext_noop("skipped by the reviewer"),
    "expired": gettext_noop("lease ran out without an answer"),
    "withdrawn": gettext_noop("withdrawn"),
    "unanswered": gettext_noop("item answered, but not on this criterion"),
}
# Why a rating that was given is not counted.
SET_ASIDE = {
    "practice": gettext_noop("on practice items"),
    "attention": gettext_noop("on attention checks"),
    "repeat": gettext_noop("hidden repeats"),
    "removed": gettext_noop("by removed reviewers"),
    "surplus": gettext_noop("surplus: answered after the seat was given up"),
    "unfinished": gettext_noop("on items that were not finished"),
}
GIVEN_UP = {"claimed": "not_reached", "skipped": "skipped", "expired": "expired", "withdrawn": "withdrawn"}


@dataclass(frozen=True)
class LeftOut:
    """Seats of one criterion: planned, counted, missing by reason; and the ratings set aside, by reason.

    A seat that was given up and given out again counts once for each reviewer who held it.
    """

    planned: int
    counted: int = 0
    missing: dict[str, int] = field(default_factory=dict)
    set_aside: dict[str, int] = field(default_factory=dict)


def left_out(*, study_id: int) -> dict[int, LeftOut]:
    """Count seats and ratings of each criterion of the study; two statements."""
    ((planned, not_assigned),) = fetch(SEATS, study_id=study_id)
    counted: Counter[int] = Counter()
    missing: dict[int, Counter[str]] = {}
    set_aside: dict[int, Counter[str]] = {}
    for criterion, kind, repeat, state, removed, answered, slots in fetch(ANSWERS, study_id=study_id):
        missing.setdefault(criterion, Counter({"not_assigned": not_assigned}))
        set_aside.setdefault(criterion, Counter())
        if state is None:
            continue
        reason = _reason(kind, repeat, state, removed) if answered else None
        if answered and reason is None:
            counted[criterion] += slots
        elif reason is not None:
            set_aside[criterion][reason] += slots
        elif kind == "rated" and not repeat:
            missing[criterion][GIVEN_UP.get(state, "unanswered")] += slots
    return {
        criterion: LeftOut(
            planned=planned,
            counted=counted[criterion],
            missing={reason: missing[criterion][reason] for reason in MISSING if missing[criterion][reason]},
            set_aside={reason: set_aside[criterion][reason] for reason in SET_ASIDE if set_aside[criterion][reason]},
        )
        for criterion in missing
    }


def _reason(kind: str, repeat: bool, state: str, removed: bool) -> str | None:
    """Why a given rating is not counted; None where it is."""
    if kind != "rated":
        return kind
    if repeat:
        return "repeat"
    if removed:
        return "removed"
    if state == "surplus":
        return "surplus"
    return None if state == "rated" else "unfinished"


SEATS = """
    SELECT count(item.id) * study.raters_per_item,
           COALESCE(sum(GREATEST(0, study.raters_per_item - given.slots)), 0)::bigint
    FROM evaluation_study study
    LEFT JOIN evaluation_item item ON item.study_id = study.id AND item.kind = 'rated'
    LEFT JOIN LATERAL (
        SELECT count(*) AS slots FROM evaluation_slot slot WHERE slot.item_id = item.id AND slot.pass_number = 0
    ) given ON item.id IS NOT NULL
    WHERE study.id = %(study)s GROUP BY study.id"""

ANSWERS = f"""
    SELECT criterion.id, item.kind, slot.pass_number > 0 AS repeat, slot.state, {REMOVED} AS removed,
           EXISTS (SELECT FROM evaluation_rating rating
                   WHERE rating.slot_id = slot.id AND rating.criterion_id = criterion.id) AS answered,
           count(*)
    FROM evaluation_criterion criterion
    LEFT JOIN evaluation_item item ON item.study_id = criterion.study_id
    LEFT JOIN evaluation_slot slot ON slot.item_id = item.id
    WHERE criterion.study_id = %(study)s AND criterion.kind = 'levels'
    GROUP BY criterion.id, item.kind, repeat, slot.state, removed, answered"""  # noqa: S608
