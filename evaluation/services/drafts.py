"""Drafts: a protocol that can still change."""

import secrets
from collections.abc import Mapping
from typing import Unpack

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Membership, Study
from evaluation.protocol import Options, check_options
from evaluation.rubrics import TEMPLATES, CriterionSpec
from evaluation.selectors.protocol import expected_levels
from evaluation.services.criteria import add_criteria, check_criteria, put_expectations

__all__ = ["change_protocol", "create_study", "delete_draft", "lock_draft"]


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
    **options: Unpack[Options],
) -> Study:
    """A draft without texts; its creator becomes the owner."""
    _check_protocol(title, raters_per_item, criteria, options)
    study = Study.objects.create(
        title=title.strip(),
        instructions=instructions.strip(),
        raters_per_item=raters_per_item,
        lease_minutes=lease_minutes,
        order_seed=secrets.randbelow(2**31) if order_seed is None else order_seed,
        created_by=created_by,
        **options,
    )
    add_criteria(study, criteria)
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
    renamed: Mapping[str, str] | None = None,
    **options: Unpack[Options],
) -> int:
    """Everything but the texts of a draft, written anew; without a seed the old one stays, and so do options not given.

    Expected levels stay with their texts where criterion (by its key, or its new one in `renamed`) and level are still
    there; returns how many are lost.
    """
    _check_protocol(title, raters_per_item, criteria, options)
    study = lock_draft(study=study)
    study.title, study.instructions = title.strip(), instructions.strip()
    study.raters_per_item, study.lease_minutes = raters_per_item, lease_minutes
    study.order_seed = study.order_seed if order_seed is None else order_seed
    for name, value in options.items():
        setattr(study, name, value)
    study.save()
    expected = expected_levels(study=study)
    study.criteria.all().delete()
    add_criteria(study, criteria)
    moved = renamed or {}
    return put_expectations(study=study, expected=[(text, moved.get(key, key), value) for text, key, value in expected])


@transaction.atomic
def delete_draft(*, study: Study) -> None:
    """What is on record stays: a draft that something was written down about can only be archived."""
    study = lock_draft(study=study)
    if study.events.exists():
        raise StudyError(_("Something is on record about this draft, and stays there: archive it instead."))
    study.delete()


def lock_draft(*, study: Study) -> Study:
    """Inside a transaction: the study's row, locked, if it may still be changed."""
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if locked.state != Study.State.DRAFT:
        raise StudyError(_("The study is launched: its texts and criteria are frozen. Make a new version instead."))
    return locked


def _check_protocol(title: str, raters_per_item: int, criteria: tuple[CriterionSpec, ...], options: Options) -> None:
    if not title.strip():
        raise StudyError(_("Give the study a title."))
    if not 1 <= raters_per_item <= 100:
        raise StudyError(_("One to a hundred people can rate each text."))
    check_options(options)
    check_criteria(criteria)
