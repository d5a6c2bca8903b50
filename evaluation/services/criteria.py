"""Criteria of a draft with their levels and examples, and the levels expected of its texts, stored as given."""

from evaluation.errors import StudyError
from evaluation.models import Anchor, Criterion, Expectation, Level, Study
from evaluation.rubrics import CriterionSpec, RubricError, check_rubric

__all__ = ["add_criteria", "check_criteria", "put_expectations"]


def check_criteria(criteria: tuple[CriterionSpec, ...]) -> None:
    try:
        check_rubric(criteria)
    except RubricError as error:
        raise StudyError(str(error)) from error


def add_criteria(study: Study, criteria: tuple[CriterionSpec, ...]) -> None:
    """Four statements, however many there are."""
    made = Criterion.objects.bulk_create(
        Criterion(
            study=study,
            position=position,
            key=spec.key,
            name=spec.name,
            definition=spec.definition,
            kind=spec.kind,
            minimum=spec.minimum,
            maximum=spec.maximum,
            is_required=spec.is_required,
        )
        for position, spec in enumerate(criteria, start=1)
    )
    steps = [
        (one, index, level) for one, spec in zip(made, criteria, strict=True) for index, level in enumerate(spec.levels)
    ]
    levels = Level.objects.bulk_create(
        Level(criterion=one, index=index, value=level.value, label=level.label, definition=level.definition)
        for one, index, level in steps
    )
    Anchor.objects.bulk_create(
        Anchor(level=level, position=position, body=anchor.body.strip(), explanation=anchor.explanation.strip())
        for level, (_, _, spec) in zip(levels, steps, strict=True)
        for position, anchor in enumerate(spec.anchors, start=1)
    )


def put_expectations(*, study: Study, expected: list[tuple[int, str, str]]) -> int:
    """Store expectations by position, key and value; how many found no such text, criterion or level any more."""
    if not expected:
        return 0
    items = dict(study.items.exclude(kind="rated").values_list("position", "pk"))
    levels = {
        (key, value): (criterion, level)
        for criterion, key, level, value in Level.objects.filter(criterion__study=study).values_list(
            "criterion_id", "criterion__key", "pk", "value"
        )
    }
    fitting = [
        Expectation(item_id=items[position], criterion_id=found[0], level_id=found[1])
        for position, key, value in expected
        if position in items and (found := levels.get((key, value)))
    ]
    Expectation.objects.bulk_create(fitting, batch_size=1000)
    return len(expected) - len(fitting)
