"""What a criterion is made of, and which criteria can be rated on.

The order of `levels` is the order of the scale, lowest first. It is data: never inferred from labels.
"""

import math
import re
from dataclasses import dataclass

from django.utils.translation import gettext as _

__all__ = [
    "FEWEST_LEVELS",
    "LEVELS",
    "MOST_ANCHORS",
    "MOST_LEVELS",
    "NUMBER",
    "WORDS",
    "AnchorSpec",
    "CriterionSpec",
    "LevelSpec",
    "RubricError",
    "check_rubric",
]

FEWEST_LEVELS, MOST_LEVELS = 2, 11
MOST_ANCHORS, LONGEST_ANCHOR = 5, 5000
LEVELS, NUMBER, WORDS = "levels", "number", "words"


class RubricError(ValueError):
    """The criteria cannot be rated on; the message says which one, and what to change."""


@dataclass(frozen=True)
class AnchorSpec:
    """A short text that shows what a level means, and why it has that level. Plain text, no Markdown."""

    body: str
    explanation: str = ""


@dataclass(frozen=True)
class LevelSpec:
    """One step: `value` is what exports say, `label` what the button says."""

    value: str
    label: str
    definition: str = ""
    anchors: tuple[AnchorSpec, ...] = ()


@dataclass(frozen=True)
class CriterionSpec:
    """Judged by an ordered level, or (`kind`) by a number between `minimum` and `maximum`, or in words."""

    key: str
    name: str
    levels: tuple[LevelSpec, ...] = ()
    definition: str = ""
    kind: str = LEVELS
    minimum: float | None = None
    maximum: float | None = None
    is_required: bool = True


def check_rubric(criteria: tuple[CriterionSpec, ...]) -> None:
    """Raise RubricError unless there are criteria that can be rated on, one of them with levels or asked for.

    Each has a name and a key of its own; levels are 2 to 11, distinct and named; a range of numbers is in order.
    """
    if not criteria:
        raise RubricError(_("A study needs at least one criterion."))
    if not any(criterion.is_required for criterion in criteria):
        raise RubricError(_("Every criterion may be left out: then an empty answer is complete. Require one of them."))
    keys = [criterion.key for criterion in criteria]
    for criterion in criteria:
        name = criterion.name or criterion.key
        if not criterion.name.strip():
            raise RubricError(_("Criterion “{key}” has no name.").format(key=criterion.key))
        if not re.fullmatch(r"[a-z0-9]+(?:[-_][a-z0-9]+)*", criterion.key) or len(criterion.key) > 60:
            raise RubricError(
                _("{name}: the key “{key}” may hold a–z, 0–9 and single hyphens, 60 at most.").format(
                    name=name, key=criterion.key
                )
            )
        if keys.count(criterion.key) > 1:
            raise RubricError(
                _("{name}: another criterion has the key “{key}” too; rename one.").format(name=name, key=criterion.key)
            )
        if criterion.kind == LEVELS:
            _check_levels(name, criterion)
        elif criterion.levels:
            raise RubricError(_("{name}: it is answered without levels; take them out.").format(name=name))
        _check_range(name, criterion)


def _check_levels(name: str, criterion: CriterionSpec) -> None:
    if not FEWEST_LEVELS <= len(criterion.levels) <= MOST_LEVELS:
        raise RubricError(
            _("{name}: {count} levels; give {fewest} to {most}.").format(
                name=name, count=len(criterion.levels), fewest=FEWEST_LEVELS, most=MOST_LEVELS
            )
        )
    for what, word in (("value", _("value")), ("label", _("label"))):
        given = [getattr(level, what).strip() for level in criterion.levels]
        if "" in given:
            raise RubricError(_("{name}: a level has no {what}.").format(name=name, what=word))
        if double := next((one for one in given if given.count(one) > 1), None):
            raise RubricError(
                _("{name}: two levels share the {what} “{double}”.").format(name=name, what=word, double=double)
            )
    for level in criterion.levels:
        if len(level.anchors) > MOST_ANCHORS:
            raise RubricError(
                _("{name}, {level}: {count} examples; {most} are the most that people read.").format(
                    name=name, level=level.label, count=len(level.anchors), most=MOST_ANCHORS
                )
            )
        if any(not anchor.body.strip() for anchor in level.anchors):
            raise RubricError(_("{name}, {level}: an example has no text.").format(name=name, level=level.label))


def _check_range(name: str, criterion: CriterionSpec) -> None:
    given = [bound for bound in (criterion.minimum, criterion.maximum) if bound is not None]
    if given and criterion.kind != NUMBER:
        raise RubricError(_("{name}: only a number has a smallest and a largest value.").format(name=name))
    if not all(map(math.isfinite, given)):
        raise RubricError(_("{name}: the smallest and the largest value are plain numbers.").format(name=name))
    if len(given) == 2 and given[0] >= given[1]:
        raise RubricError(
            _("{name}: the smallest value {low:g} is not below the largest, {high:g}.").format(
                name=name, low=given[0], high=given[1]
            )
        )
