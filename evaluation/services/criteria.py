"""Criteria of a draft, their levels and examples: stored as given, and read back."""

from evaluation.errors import StudyError
from evaluation.models import Anchor, Criterion, Expectation, Level, Study
from evaluation.rubrics import AnchorSpec, CriterionSpec, LevelSpec, RubricError, check_rubric

__all__ = ["add_criteria", "check_criteria", "expected_levels", "put_expectations", "stored_criteria"]


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


def stored_criteria(*, study: Study) -> tuple[CriterionSpec, ...]:
    """The criteria of a study as they were given."""
    return tuple(
        CriterionSpec(
            key=criterion.key,
            name=criterion.name,
            definition=criterion.definition,
            kind=criterion.kind,
            minimum=criterion.minimum,
            maximum=criterion.maximum,
            is_required=criterion.is_required,
            levels=tuple(
                LevelSpec(
                    level.value,
                    level.label,
                    level.definition,
                    tuple(AnchorSpec(anchor.body, anchor.explanation) for anchor in level.anchors.all()),
                )
                for level in criterion.levels.all()
            ),
        )
        for criterion in study.criteria.order_by("position").prefetch_related("levels__anchors")
    )


def expected_levels(*, study: Study) -> list[tuple[int, str, str]]:
    """(position of the text, key of the criterion, value of the level) of all expectations, in order."""
    rows = Expectation.objects.filter(item__study=study).order_by("item__position", "criterion__position")
    return list(rows.values_list("item__position", "criterion__key", "level__value"))


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
