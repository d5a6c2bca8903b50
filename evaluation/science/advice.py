"""What a reader must know beside the figures: warnings in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.science.estimates import Estimate
from evaluation.science.patterns import Patterns, level_counts
from evaluation.science.ratings import Level, RatingsTable

__all__ = ["advise", "alphabetical"]

_FEW_ITEMS = 30


def advise(
    table: RatingsTable,
    patterns: Patterns,
    overall: Mapping[str, Estimate],
    *,
    pairs_n: Sequence[int],
    dropped: Sequence[str],
    empty_items: int,
) -> tuple[str, ...]:
    """Collect the warnings of a report."""
    found = [f"rater {rater} has no rating and was left out" for rater in dropped]
    if empty_items:
        found.append(f"{empty_items} item{'s have' if empty_items > 1 else ' has'} no rating and cannot contribute")
    if alphabetical(table.levels):
        found.append(
            f"the levels {', '.join(map(str, table.levels))} stand in alphabetical order: "
            "check that this is their true order, for weighted coefficients depend on it"
        )
    used = level_counts(patterns.rows, len(table.levels)).sum(axis=0) > 0
    unused = [str(level) for level, seen in zip(table.levels, used, strict=True) if not seen]
    if unused and used.any():
        found.append(f"never used: {', '.join(unused)}; coefficients still count every declared level")
    alone = sum(n == 0 for n in pairs_n)
    if alone:
        found.append(f"{alone} pair{'s' if alone > 1 else ''} of raters share no item")
    n = overall["exact_agreement"].n
    if 0 < n < _FEW_ITEMS:
        found.append(
            f"{n} item{'s' if n > 1 else ''} with two or more ratings: below about {_FEW_ITEMS} no interval keeps its "
            "stated coverage in every situation; read these as rough"
        )
    clusters = table.clusters
    if clusters is not None:
        groups = len(np.unique(clusters))
        if groups < 10:
            found.append(f"only {groups} cluster{'s' if groups > 1 else ''}: intervals by cluster are unreliable")
    found += _paradox(overall)
    return tuple(found)


def alphabetical(levels: Sequence[Level]) -> bool:
    """Whether three or more text levels are in the order of the alphabet, as software leaves them by default."""
    names = [str(level).casefold() for level in levels]
    words = all(isinstance(level, str) and len(level) > 1 and not level[0].isdigit() for level in levels)
    return len(names) >= 3 and words and names == sorted(names)


def _paradox(overall: Mapping[str, Estimate]) -> list[str]:
    """High agreement beside low chance-corrected agreement: right, but it needs an explanation."""
    exact, alpha = overall["exact_agreement"].value, overall["krippendorff_alpha_nominal"].value
    if exact is None or alpha is None or exact < 0.8 or alpha > 0.4:
        return []
    return [
        f"raters agree on {exact:.0%} of rating pairs, yet chance-corrected agreement is low ({alpha:.2f}): nearly all "
        "ratings are at one level, so that little variation is left to agree on; compare gwet_ac1"
    ]
