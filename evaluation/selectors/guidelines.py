"""What a reviewer is told about a study: instructions, criteria, and what each level means, with examples."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from django.db import connection

from evaluation.models import Criterion
from evaluation.presentation import neutral_text, render_markdown

__all__ = ["Example", "Guidelines", "RubricCriterion", "RubricLevel", "guidelines", "rubric"]

# As on the keyboard's top row.
KEYS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-")
KEYS_FROM_ZERO = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-")


@dataclass(frozen=True)
class Example:
    """A short text that shows what a level means, and why it has that level."""

    body: str
    explanation: str


@dataclass(frozen=True)
class RubricLevel:
    index: int
    label: str
    definition: str
    key: str
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True)
class RubricCriterion:
    """A criterion as reviewers meet it; one that asks for a number or words has no levels."""

    key: str
    name: str
    definition: str
    levels: tuple[RubricLevel, ...]
    kind: str = Criterion.Kind.LEVELS
    is_required: bool = True
    minimum: float | None = None
    maximum: float | None = None

    @cached_property
    def fingerprint(self) -> str:
        """Differs wherever anything differs that a page may show of it."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    @property
    def field(self) -> str:
        """The name that its answer has in the page's form."""
        return f"{'level' if self.levels else self.kind}-{self.key}"

    @property
    def least(self) -> str:
        return "" if self.minimum is None else f"{self.minimum:.15g}"

    @property
    def most(self) -> str:
        return "" if self.maximum is None else f"{self.maximum:.15g}"


@dataclass(frozen=True)
class Guidelines:
    """`instructions` are safe HTML; `practice` is the number of texts to practise on."""

    instructions: str
    criteria: tuple[RubricCriterion, ...]
    practice: int


def rubric(*, study_id: int, frozen_sha256: str) -> tuple[RubricCriterion, ...]:
    """Criteria and levels in their order; remembered once the launch has frozen them."""
    return guidelines(study_id=study_id, frozen_sha256=frozen_sha256).criteria


def guidelines(*, study_id: int, frozen_sha256: str) -> Guidelines:
    """Everything in one statement; remembered once the launch has frozen it."""
    return _frozen(study_id, frozen_sha256) if frozen_sha256 else _read(study_id)


@lru_cache(maxsize=256)
def _frozen(study_id: int, frozen_sha256: str) -> Guidelines:
    return _read(study_id)


def _read(study_id: int) -> Guidelines:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT study.instructions,
                   (SELECT count(*) FROM evaluation_item item
                    WHERE item.study_id = study.id AND item.kind = 'practice'),
                   (SELECT jsonb_agg(jsonb_build_array(
                            criterion.key, criterion.name, criterion.definition, criterion.kind, criterion.is_required,
                            criterion.minimum, criterion.maximum,
                            (SELECT jsonb_agg(jsonb_build_array(level.index, level.label, level.definition,
                                    (SELECT jsonb_agg(jsonb_build_array(anchor.body, anchor.explanation)
                                                      ORDER BY anchor.position)
                                     FROM evaluation_anchor anchor WHERE anchor.level_id = level.id))
                                ORDER BY level.index)
                             FROM evaluation_level level WHERE level.criterion_id = criterion.id))
                        ORDER BY criterion.position)
                    FROM evaluation_criterion criterion WHERE criterion.study_id = study.id)
            FROM evaluation_study study WHERE study.id = %s
            """,
            [study_id],
        )
        instructions, practice, criteria = cursor.fetchone()
    found = json.loads(criteria) if isinstance(criteria, str) else criteria
    html = render_markdown(instructions) if instructions.strip() else ""
    return Guidelines(html, tuple(_criterion(*one) for one in found or ()), practice)


def _criterion(
    key: str,
    name: str,
    definition: str,
    kind: str,
    is_required: bool,
    minimum: float | None,
    maximum: float | None,
    levels: list[list[Any]] | None,
) -> RubricCriterion:
    steps = levels or []
    # On a scale that begins with the label 0, each digit chooses the level that it names.
    keys = KEYS_FROM_ZERO if steps and steps[0][1] == "0" else KEYS
    return RubricCriterion(
        key,
        name,
        definition,
        tuple(
            RubricLevel(
                index,
                label,
                meaning,
                keys[index],
                tuple(Example(neutral_text(body), explanation) for body, explanation in examples or ()),
            )
            for index, label, meaning, examples in steps
        ),
        kind,
        is_required,
        minimum,
        maximum,
    )
