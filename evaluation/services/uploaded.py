"""Texts that somebody brings: rated ones, practice with expected levels and feedback, attention checks."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from corpora.models import Text
from evaluation.errors import StudyError, UploadError
from evaluation.models import Expectation, Item, Level, Study
from evaluation.services.appending import append_items
from evaluation.services.drafts import lock_draft
from evaluation.uploads import MOST_PROBLEMS, TextRow

__all__ = ["add_items_from_rows"]


@dataclass(frozen=True)
class _Scale:
    key: str
    criterion: int
    labels: list[str]
    levels: dict[str, int]


@transaction.atomic
def add_items_from_rows(*, study: Study, rows: Sequence[TextRow]) -> int:
    """Add uploaded texts, all or none."""
    study = lock_draft(study=study)
    taken = {row.external_id for row in rows}.intersection(study.items.values_list("external_id", flat=True))
    if taken:
        names = ", ".join(sorted(taken)[:5])
        raise StudyError(
            _("The study already has texts with these ids: {names}. Give yours others.").format(names=names)
        )
    expected = _expected(study, rows)
    texts = Text.objects.intern([row.text for row in rows])
    items = [
        Item(
            external_id=row.external_id,
            question=row.question,
            text_id=texts[row.text],
            stratum="upload",
            kind=row.kind,
            feedback=row.feedback,
        )
        for row in rows
    ]
    added = append_items(study, items)
    Expectation.objects.bulk_create(
        Expectation(item=item, criterion_id=criterion, level_id=level)
        for item, levels in zip(items, expected, strict=True)
        for criterion, level in levels
    )
    return added


def _expected(study: Study, rows: Sequence[TextRow]) -> list[list[tuple[int, int]]]:
    """(criterion, level) of each row's expected levels, named by value or label; UploadError lists those unknown."""
    if not any(row.expected for row in rows):
        return [[] for _row in rows]
    scales = _scales(study)
    names = sorted({scale.key for scale in scales.values()})
    found: list[list[tuple[int, int]]] = []
    problems: dict[str, None] = {}
    for row in rows:
        levels: dict[int, int] = {}
        for key, name in row.expected:
            scale = scales.get(key.casefold())
            if scale is None:
                # Said once for the column, not for each row.
                problem = _("No criterion with levels is called “{key}”. In “expected: …” write one of: {keys}.")
                problems[problem.format(key=key, keys=", ".join(names) or _("none, all criteria are open"))] = None
            elif (level := scale.levels.get(name.casefold())) is None:
                problem = _("{place}: “{level}” is no level of {key}. Write one of: {levels}.")
                place = row.place or row.external_id
                labels = ", ".join(scale.labels)
                problems[problem.format(place=place, level=name, key=scale.key, levels=labels)] = None
            else:
                levels[scale.criterion] = level
        found.append(list(levels.items()))
    if problems:
        told = list(problems)
        more = len(told) - MOST_PROBLEMS
        rest = [_("… and {count} more like these.").format(count=more)] if more > 0 else []
        raise UploadError(told[:MOST_PROBLEMS] + rest)
    return found


def _scales(study: Study) -> dict[str, _Scale]:
    """The criteria with levels, by key and by name; levels by value and by label."""
    scales: dict[str, _Scale] = {}
    for level in Level.objects.filter(criterion__study=study).select_related("criterion").order_by("pk"):
        criterion = level.criterion
        scale = scales.setdefault(criterion.key, _Scale(criterion.key, criterion.pk, [], {}))
        scales.setdefault(criterion.name.casefold(), scale)
        scale.labels.append(level.label)
        for name in (level.value, level.label):
            scale.levels.setdefault(name.casefold(), level.pk)
    return scales
