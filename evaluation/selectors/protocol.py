"""What a study asks, as it was given: criteria, expected levels, and the record that the launch's hash is over."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from evaluation.models import Expectation, Study
from evaluation.presentation import FORMAT
from evaluation.protocol import FROZEN_OPTIONS
from evaluation.rubrics import AnchorSpec, CriterionSpec, LevelSpec

__all__ = ["expected_levels", "protocol_lines", "protocol_sha256", "stored_criteria"]

# Raise it when what the hash covers would change.
PROTOCOL = 2


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


def protocol_sha256(*, study: Study) -> str:
    """SHA-256 over everything that reviewers meet: over `protocol_lines`, one after the other."""
    digest = hashlib.sha256()
    for line in protocol_lines(study=study):
        digest.update(line.encode())
    return digest.hexdigest()


def protocol_lines(*, study: Study) -> Iterator[str]:
    """Lines of JSON: instructions, consent, options and form of display; criteria; texts and order; expected levels.

    Texts stand by their own hash, with what they are for and the feedback on them.
    """
    for part in _parts(study):
        yield json.dumps(part, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def _parts(study: Study) -> Iterator[Any]:
    yield {
        "format": FORMAT,
        "protocol": PROTOCOL,
        "instructions": study.instructions,
        "raters_per_item": study.raters_per_item,
        "order_seed": study.order_seed,
        **{name: getattr(study, name) for name in FROZEN_OPTIONS},
    }
    for criterion in stored_criteria(study=study):
        yield asdict(criterion)
    yield from (
        study.items.order_by("position")
        .values_list(
            "position", "kind", "external_id", "question", "text__sha256", "feedback", "block", "shuffled_position"
        )
        .iterator()
    )
    yield expected_levels(study=study)
