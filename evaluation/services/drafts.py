"""Drafts: a protocol that can still change, and the next version of one that cannot."""

import secrets

from django.db import transaction

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Criterion, Item, Level, Membership, Study
from evaluation.rubrics import TEMPLATES, CriterionSpec, LevelSpec, RubricError, check_rubric

__all__ = ["change_protocol", "create_study", "delete_draft", "lock_draft", "make_new_version", "stored_criteria"]


@transaction.atomic
def create_study(
    *,
    title: str,
    created_by: User | None = None,
    instructions: str = "",
    raters_per_item: int = 2,
    lease_minutes: int = 60,
    criteria: tuple[CriterionSpec, ...] = TEMPLATES,
    order_seed: int | None = None,
) -> Study:
    """A draft without texts; its creator becomes the owner."""
    _check_protocol(title, raters_per_item, criteria)
    study = Study.objects.create(
        title=title.strip(),
        instructions=instructions.strip(),
        raters_per_item=raters_per_item,
        lease_minutes=lease_minutes,
        order_seed=secrets.randbelow(2**31) if order_seed is None else order_seed,
        created_by=created_by,
    )
    _add_criteria(study, criteria)
    if created_by is not None:
        Membership.objects.create(study=study, user=created_by, role=Membership.Role.OWNER)
    return study


@transaction.atomic
def change_protocol(
    *,
    study: Study,
    title: str,
    instructions: str,
    raters_per_item: int,
    lease_minutes: int,
    criteria: tuple[CriterionSpec, ...],
    order_seed: int | None = None,
) -> Study:
    """Everything but the texts of a draft, written anew; without a seed the old one stays."""
    _check_protocol(title, raters_per_item, criteria)
    study = lock_draft(study=study)
    study.title, study.instructions = title.strip(), instructions.strip()
    study.raters_per_item, study.lease_minutes = raters_per_item, lease_minutes
    study.order_seed = study.order_seed if order_seed is None else order_seed
    study.save()
    study.criteria.all().delete()
    _add_criteria(study, criteria)
    return study


@transaction.atomic
def make_new_version(*, study: Study, created_by: User | None = None) -> Study:
    """A draft with the protocol and texts of a launched study, which it supersedes; ratings stay with the old one."""
    study = Study.objects.select_for_update().get(pk=study.pk)
    if study.state == Study.State.DRAFT:
        raise StudyError("A draft can still be changed itself.")
    if Study.objects.filter(supersedes=study).exists():
        raise StudyError("This study has a newer version already.")
    version = create_study(
        title=study.title,
        created_by=created_by,
        instructions=study.instructions,
        raters_per_item=study.raters_per_item,
        lease_minutes=study.lease_minutes,
        criteria=stored_criteria(study=study),
        order_seed=study.order_seed,
    )
    version.supersedes = study
    version.save(update_fields=["supersedes"])
    items = study.items.order_by("position").iterator()
    kept = ("position", "kind", "external_id", "question", "stratum", "text_id", "abstract_id", "document_id")
    copies = [Item(study=version, **{name: getattr(item, name) for name in kept}) for item in items]
    Item.objects.bulk_create(copies, batch_size=1000)
    return version


@transaction.atomic
def delete_draft(*, study: Study) -> None:
    lock_draft(study=study).delete()


def stored_criteria(*, study: Study) -> tuple[CriterionSpec, ...]:
    """The criteria of a study as they were given."""
    return tuple(
        CriterionSpec(
            key=criterion.key,
            name=criterion.name,
            definition=criterion.definition,
            levels=tuple(
                LevelSpec(level.value, level.label, level.definition) for level in criterion.levels.order_by("index")
            ),
        )
        for criterion in study.criteria.order_by("position")
    )


def lock_draft(*, study: Study) -> Study:
    """Inside a transaction: the study's row, locked, if it may still be changed."""
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.state != Study.State.DRAFT:
        raise StudyError("The study is launched: its texts and criteria are frozen. Make a new version instead.")
    return locked


def _check_protocol(title: str, raters_per_item: int, criteria: tuple[CriterionSpec, ...]) -> None:
    if not title.strip():
        raise StudyError("Give the study a title.")
    if not 1 <= raters_per_item <= 100:
        raise StudyError("One to a hundred people can rate each text.")
    try:
        check_rubric(criteria)
    except RubricError as error:
        raise StudyError(str(error)) from error


def _add_criteria(study: Study, criteria: tuple[CriterionSpec, ...]) -> None:
    for position, spec in enumerate(criteria, start=1):
        criterion = Criterion.objects.create(
            study=study, position=position, key=spec.key, name=spec.name, definition=spec.definition
        )
        Level.objects.bulk_create(
            Level(criterion=criterion, index=index, value=level.value, label=level.label, definition=level.definition)
            for index, level in enumerate(spec.levels)
        )
