"""How reliable the mean rating of an item is, and so how high any correlation with it can be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.science.coefficients.icc import icc_ck
from evaluation.science.coefficients.krippendorff import krippendorff_alpha
from evaluation.science.moments import coincidence_features, coincidences, score_features, score_sums
from evaluation.science.patterns import level_counts, rating_patterns
from evaluation.science.ratings import RatingsTable

__all__ = ["Reliability", "reliability_of_mean"]


@dataclass(frozen=True)
class Reliability:
    """Reliability of items' mean ratings, by name; `ceiling` is its square root."""

    value: float | None
    name: str
    reason: str | None

    @property
    def ceiling(self) -> float | None:
        return None if self.value is None or self.value <= 0 else float(np.sqrt(self.value))


def reliability_of_mean(table: RatingsTable) -> Reliability:
    """ICC(C,k) where every rater rated every item; else Krippendorff's interval α stepped up by Spearman–Brown.

    A constant difference between raters moves no item's rank in a complete design, hence consistency. In an
    incomplete design it does, hence α (absolute), for the harmonic mean number of ratings an item. Both take levels
    as equally spaced. None where undefined; a value ≤ 0 gives no ceiling.
    """
    kept, _, _ = table.without_empty()
    k, r = len(kept.levels), len(kept.raters)
    patterns = rating_patterns(kept)
    given = level_counts(patterns.rows, k).sum(axis=1)
    if r < 2 or not (given >= 2).any():
        return Reliability(None, "none", "no item has ratings by two raters")
    with np.errstate(all="ignore"):
        if (given == r).all():
            value = float(icc_ck(score_sums(patterns.counts @ score_features(patterns.rows))))
            return _named(value, "ICC(C,k)")
        sums = patterns.counts @ coincidence_features(patterns.rows, k)
        single = float(krippendorff_alpha(coincidences(sums, k), "interval"))
        ratings = float(patterns.counts.sum() / (patterns.counts / given).sum())
        return _named(
            ratings * single / (1 + (ratings - 1) * single), "Spearman-Brown of Krippendorff's interval alpha"
        )


def _named(value: float, name: str) -> Reliability:
    if not np.isfinite(value):
        return Reliability(None, name, "the ratings do not vary between items: reliability would be 0/0")
    reason = None if value > 0 else "the reliability is not positive: there is no ceiling and no correction"
    return Reliability(value, name, reason)
