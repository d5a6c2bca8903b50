"""Intra-rater agreement: the same rater, the same item, twice."""

from __future__ import annotations

import numpy as np

from evaluation.science.agreement import PairReport, report
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.ratings import MISSING, RatingsTable

__all__ = ["intra_rater"]


def intra_rater(
    first: RatingsTable, repeat: RatingsTable, *, options: IntervalOptions | None = None
) -> dict[str, PairReport]:
    """Report each rater's agreement with themselves, over the items that the rater rated in both passes.

    Parameters
    ----------
    first, repeat : RatingsTable
        One row an item in the same order, the same raters in the same order, the same levels.
    options : IntervalOptions, optional

    Returns
    -------
    Rater → the pair (first pass, repeat), with every coefficient and marginal test of a pair: the shift tests say
    whether the rater became stricter. Raters without a repeated item are left out.

    Raises
    ------
    ValueError
        If items, raters or levels do not correspond.
    """
    if first.codes.shape != repeat.codes.shape or (first.raters, first.levels) != (repeat.raters, repeat.levels):
        raise ValueError("both passes must have the same items, raters and levels in the same order")
    found: dict[str, PairReport] = {}
    for column, rater in enumerate(first.raters):
        codes = np.column_stack([first.codes[:, column], repeat.codes[:, column]])
        both = (codes != MISSING).all(axis=1) & (first.counts > 0)
        if not both.any():
            continue
        passes = RatingsTable(
            levels=first.levels,
            raters=(f"{rater}, first", f"{rater}, repeat"),
            codes=codes[both],
            counts=first.counts[both],
            clusters=None if first.clusters is None else first.clusters[both],
        )
        found[rater] = report(passes, options=options).pairs[0]
    return found
