"""Criteria before they are stored: what a study is rated on, with the paper's two as templates."""

from evaluation.rubrics.specs import (
    FEWEST_LEVELS,
    MOST_ANCHORS,
    MOST_LEVELS,
    AnchorSpec,
    CriterionSpec,
    LevelSpec,
    RubricError,
    check_rubric,
)
from evaluation.rubrics.templates import IMPORTANCE, MEANINGFULNESS, TEMPLATES, worded_templates
from evaluation.rubrics.text import criterion_from_text, levels_as_text, levels_from_text

__all__ = [
    "FEWEST_LEVELS",
    "IMPORTANCE",
    "MEANINGFULNESS",
    "MOST_ANCHORS",
    "MOST_LEVELS",
    "TEMPLATES",
    "AnchorSpec",
    "CriterionSpec",
    "LevelSpec",
    "RubricError",
    "check_rubric",
    "criterion_from_text",
    "levels_as_text",
    "levels_from_text",
    "worded_templates",
]
