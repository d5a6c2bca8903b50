"""Criteria with ordered levels, before they are stored: what a study is rated on.

The order of `levels` is the order of the scale, lowest first. It is data: never inferred from labels.
"""

import re
from dataclasses import dataclass

from django.utils.text import slugify

__all__ = [
    "IMPORTANCE",
    "MEANINGFULNESS",
    "TEMPLATES",
    "CriterionSpec",
    "LevelSpec",
    "RubricError",
    "check_rubric",
    "criterion_from_text",
    "levels_as_text",
]

FEWEST_LEVELS, MOST_LEVELS = 2, 11


class RubricError(ValueError):
    """The criteria cannot be rated on; the message says which one, and what to change."""


@dataclass(frozen=True)
class LevelSpec:
    """One step: `value` is what exports say, `label` what the button says."""

    value: str
    label: str
    definition: str = ""


@dataclass(frozen=True)
class CriterionSpec:
    key: str
    name: str
    levels: tuple[LevelSpec, ...]
    definition: str = ""


MEANINGFULNESS = CriterionSpec(
    key="meaningfulness",
    name="Meaningfulness",
    definition=(
        "Does the abstract take up the central concepts of its field, get them right, and tie them together in a way "
        "that an expert would recognise? Judge the ideas, not the polish of the language."
    ),
    levels=(
        LevelSpec("low", "Low", "Key concepts are missing, wrong, or only strung together."),
        LevelSpec("medium", "Medium", "Fitting concepts, but shallow, or only loosely related to each other."),
        LevelSpec("high", "High", "The right concepts, used correctly and in depth, joined to one line of thought."),
    ),
)
IMPORTANCE = CriterionSpec(
    key="importance",
    name="Importance",
    definition=(
        "Suppose the abstract reports real work. How much would it matter to the field: would people change what they "
        "study, build or decide because of it?"
    ),
    levels=(
        LevelSpec("low", "Low", "Of little consequence: known already, trivial, or of no use to anyone."),
        LevelSpec("medium", "Medium", "Useful to some in the field; a step, though not one to wait for."),
        LevelSpec("high", "High", "Many in the field would want to know it, and some would act on it."),
    ),
)
TEMPLATES: tuple[CriterionSpec, ...] = (MEANINGFULNESS, IMPORTANCE)


def check_rubric(criteria: tuple[CriterionSpec, ...]) -> None:
    """Raise RubricError unless there are criteria, each with 2 to 11 distinct, named levels under a key of its own."""
    if not criteria:
        raise RubricError("A study needs at least one criterion.")
    keys = [criterion.key for criterion in criteria]
    for criterion in criteria:
        name = criterion.name or criterion.key
        if not criterion.name.strip():
            raise RubricError(f"Criterion {criterion.key!r} has no name.")
        if not re.fullmatch(r"[a-z0-9]+(?:[-_][a-z0-9]+)*", criterion.key) or len(criterion.key) > 60:
            raise RubricError(f"{name}: the key {criterion.key!r} may hold a–z, 0–9 and single hyphens, 60 at most.")
        if keys.count(criterion.key) > 1:
            raise RubricError(f"{name}: another criterion has the key {criterion.key!r} too; rename one.")
        if not FEWEST_LEVELS <= len(criterion.levels) <= MOST_LEVELS:
            raise RubricError(f"{name}: {len(criterion.levels)} levels; give {FEWEST_LEVELS} to {MOST_LEVELS}.")
        for what in ("value", "label"):
            given = [getattr(level, what).strip() for level in criterion.levels]
            if "" in given:
                raise RubricError(f"{name}: a level has no {what}.")
            if double := next((one for one in given if given.count(one) > 1), None):
                raise RubricError(f"{name}: two levels share the {what} {double!r}.")


def criterion_from_text(*, position: int, name: str, definition: str, levels: str) -> CriterionSpec:
    """A criterion from a form: one level a line, lowest first, as `label` or `label: definition`."""
    steps = []
    for line in filter(None, map(str.strip, levels.splitlines())):
        label, _, meaning = line.partition(":")
        steps.append(LevelSpec(value=label.strip().lower()[:60], label=label.strip()[:100], definition=meaning.strip()))
    key = slugify(name)[:60].strip("-_") or f"criterion-{position}"
    return CriterionSpec(key=key, name=name.strip(), levels=tuple(steps), definition=definition.strip())


def levels_as_text(criterion: CriterionSpec) -> str:
    """The inverse of `criterion_from_text` for its levels."""
    return "\n".join(
        f"{level.label}: {level.definition}" if level.definition else level.label for level in criterion.levels
    )
