"""A study's life: made as a draft, frozen by its launch, closed for good."""

import hashlib
import json
import secrets
from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction
from django.db.models.functions import Now

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Criterion, Item, Level, Membership, Opening, Study
from evaluation.presentation import FORMAT
from evaluation.rubrics import TEMPLATES, CriterionSpec, LevelSpec, RubricError, check_rubric

__all__ = [
    "change_protocol",
    "close_study",
    "create_study",
    "delete_draft",
    "launch_study",
    "lock_draft",
    "make_new_version",
    "protocol_sha256",
    "stored_criteria",
]

MANY = 1000


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
def launch_study(*, study: Study) -> Study:
    """Shuffle the items by the study's seed, open k seats for each, and freeze texts, rubric and order under a hash."""
    study = lock_draft(study=study)
    count = study.items.filter(kind=Item.Kind.RATED).count()
    if not count:
        raise StudyError("There is no text to rate yet. Add some before the launch.")
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE evaluation_item AS item SET shuffled_position = shuffled.place
            FROM (
                SELECT id, row_number() OVER (
                    ORDER BY md5(%(seed)s::text || ':' || position::text) COLLATE "C", position
                ) - 1 AS place
                FROM evaluation_item WHERE study_id = %(study)s AND kind = 'rated'
            ) AS shuffled
            WHERE item.id = shuffled.id
            """,
            {"study": study.pk, "seed": study.order_seed},
        )
        cursor.execute(
            """
            INSERT INTO evaluation_opening (study_id, item_id, pass_number, seat, ring)
            SELECT item.study_id, item.id, 0, seat, item.shuffled_position
            FROM evaluation_item item, generate_series(0, %(raters)s - 1) AS seat
            WHERE item.study_id = %(study)s AND item.kind = 'rated'
            """,
            {"study": study.pk, "raters": study.raters_per_item},
        )
        if count >= MANY:
            # The planner knows nothing yet of rows that came a moment ago, and the first claims would read them all.
            cursor.execute("ANALYZE evaluation_item, evaluation_opening, corpora_text")
    study.state = Study.State.OPEN
    study.item_count = count
    study.frozen_sha256 = protocol_sha256(study=study)
    study.launched_at = Now()
    study.save(update_fields=["state", "item_count", "frozen_sha256", "launched_at"])
    study.refresh_from_db()
    return study


@transaction.atomic
def close_study(*, study: Study) -> Study:
    """Take no more answers. Waits for those that are being stored; closing twice is closing once."""
    study = Study.objects.select_for_update().get(pk=study.pk)
    if study.state == Study.State.DRAFT:
        raise StudyError("A draft cannot be closed: launch it first, or delete it.")
    if study.state == Study.State.OPEN:
        study.state = Study.State.CLOSED
        study.closed_at = Now()
        study.save(update_fields=["state", "closed_at"])
        Opening.objects.filter(study=study).delete()
        study.refresh_from_db()
    return study


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


def protocol_sha256(*, study: Study) -> str:
    """SHA-256 over everything that reviewers meet: texts, criteria, instructions, order, and the form of display."""
    digest = hashlib.sha256()
    for part in _protocol(study):
        digest.update(json.dumps(part, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    return digest.hexdigest()


def _protocol(study: Study) -> Iterator[Any]:
    yield {
        "format": FORMAT,
        "instructions": study.instructions,
        "raters_per_item": study.raters_per_item,
        "order_seed": study.order_seed,
    }
    for criterion in study.criteria.order_by("position").prefetch_related("levels"):
        levels = [[level.index, level.value, level.label, level.definition] for level in criterion.levels.all()]
        yield [criterion.key, criterion.name, criterion.definition, levels]
    yield from (
        study.items.order_by("position")
        .values_list("position", "kind", "external_id", "question", "text__sha256", "shuffled_position")
        .iterator()
    )


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
