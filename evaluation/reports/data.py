"""Everything that a study's figures rest on, read once in a constant number of statements, and its hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from evaluation.models import Study
from evaluation.science.ratings import MISSING, RatingsTable
from evaluation.selectors.agreement import (
    Pattern,
    Rater,
    Scale,
    criterion_scales,
    rating_patterns,
    study_raters,
)
from evaluation.selectors.correlations import ItemFacts, ItemRatings, item_facts, item_ratings, score_settings
from evaluation.selectors.left_out import LeftOut, left_out
from evaluation.selectors.opening import Opened, require_opened

__all__ = ["CODE_VERSION", "StudyData", "load", "ratings_table"]

try:
    CODE_VERSION = version("kappagraph")
except PackageNotFoundError:  # run from a copy that is not installed
    CODE_VERSION = "unknown"
# Below this number of questions a resample by question says little (docs/exports.md).
FEWEST_QUESTIONS = 10


@dataclass(frozen=True)
class StudyData:
    """Ratings in force, what is left out, and the measures of the items' texts."""

    study: Study
    scales: list[Scale]
    raters: list[Rater]
    patterns: dict[int, list[Pattern]]
    left_out: dict[int, LeftOut]
    item_ratings: dict[int, list[ItemRatings]]
    items: list[ItemFacts]
    score_settings: str | None
    opened: Opened

    @cached_property
    def questions(self) -> int:
        return len({item.question for item in self.items})

    @property
    def resampled_by_question(self) -> bool:
        """Whether items are nested in enough questions for intervals to be resampled by question."""
        return FEWEST_QUESTIONS <= self.questions < len(self.items)

    @cached_property
    def sha256(self) -> str:
        """Identity of the figures: the same ratings, scales and measures give the same hash.

        Reviewers enter by their order, not by who they are.
        """
        order = {rater.pk: number for number, rater in enumerate(self.raters)}
        place = {item.pk: item.position for item in self.items}
        rest = {
            "scales": [[scale.key, scale.levels] for scale in self.scales],
            "left_out": [
                [found.planned, found.counted, found.missing, found.set_aside]
                for found in (self.left_out[scale.pk] for scale in self.scales)
            ],
            "items": [
                [item.external_id, item.question, item.cell, list(item.measures.values())] for item in self.items
            ],
            "ratings": [
                [[place[row.item], [[order[r], level] for r, level in zip(row.reviewers, row.levels, strict=True)]]
                 for row in self.item_ratings.get(scale.pk, [])]
                for scale in self.scales
            ],
            "score_settings": self.score_settings,
        }  # fmt: skip
        return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def load(*, study: Study) -> StudyData:
    """Read it all, or raise `AgreementHidden`: whoever holds these rows can compute agreement."""
    opened = require_opened(study=study)
    settings = score_settings(study_id=study.pk)
    return StudyData(
        study=study,
        scales=criterion_scales(study_id=study.pk),
        raters=study_raters(study_id=study.pk),
        patterns=rating_patterns(study_id=study.pk),
        left_out=left_out(study_id=study.pk),
        item_ratings=item_ratings(study_id=study.pk),
        items=item_facts(study_id=study.pk, settings_id=settings[0] if settings else None),
        score_settings=settings[1] if settings else None,
        opened=opened,
    )


def ratings_table(*, data: StudyData, scale: Scale, names: Mapping[int, str]) -> RatingsTable:
    """The ratings of one criterion as counted patterns, a column for each reviewer with a rating.

    Items without a rating are a row of their own, so that the report says how many there are.
    """
    patterns = data.patterns.get(scale.pk, [])
    present = {reviewer for pattern in patterns for reviewer in pattern.raters}
    columns = {rater.pk: number for number, rater in enumerate(r for r in data.raters if r.pk in present)}
    codes = np.full((len(patterns), len(columns)), MISSING, np.int32)
    for row, pattern in enumerate(patterns):
        codes[row, [columns[reviewer] for reviewer in pattern.raters]] = pattern.levels
    counts = [pattern.items for pattern in patterns]
    clusters = [pattern.question for pattern in patterns]
    empty = len(data.items) - sum(counts)
    if empty:
        codes = np.vstack([codes, np.full((1, len(columns)), MISSING, np.int32)])
        counts, clusters = [*counts, empty], [*clusters, ""]
    return RatingsTable.from_codes(
        codes,
        levels=scale.levels,
        raters=[names[reviewer] for reviewer in columns],
        counts=counts,
        clusters=clusters if data.resampled_by_question else None,
    )
