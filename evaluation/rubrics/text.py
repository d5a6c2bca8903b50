"""Scales as people type them: one level a line, lowest first, as `label` or `label: definition`."""

from django.utils.text import slugify

from evaluation.rubrics.specs import LEVELS, CriterionSpec, LevelSpec

__all__ = ["criterion_from_text", "levels_as_text", "levels_from_text"]


def levels_from_text(levels: str) -> tuple[LevelSpec, ...]:
    steps = []
    for line in filter(None, map(str.strip, levels.splitlines())):
        label, _, meaning = line.partition(":")
        steps.append(LevelSpec(value=label.strip().lower()[:60], label=label.strip()[:100], definition=meaning.strip()))
    return tuple(steps)


def criterion_from_text(*, position: int, name: str, definition: str, levels: str, key: str = "") -> CriterionSpec:
    """A criterion with levels from a form; without a key it gets one from its name."""
    key = key or slugify(name)[:60].strip("-_") or f"criterion-{position}"
    return CriterionSpec(
        key=key, name=name.strip(), levels=levels_from_text(levels), definition=definition.strip(), kind=LEVELS
    )


def levels_as_text(criterion: CriterionSpec) -> str:
    """The inverse of `levels_from_text`."""
    return "\n".join(
        f"{level.label}: {level.definition}" if level.definition else level.label for level in criterion.levels
    )
