"""Agreement of a rater with themself on texts that came twice, in a form light enough for a page of many raters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.science.coefficients.cohen import cohen_kappa
from evaluation.science.intervals.wilson import wilson
from evaluation.science.weights import disagreement_weights

__all__ = ["Consistency", "self_consistency"]


@dataclass(frozen=True)
class Consistency:
    """Same and near answers of n that were given twice. `repeats.intra_rater` has all coefficients with intervals."""

    n: int
    same: int
    within_one: int
    share: float | None
    ci: tuple[float, float] | None
    linear_kappa: float | None
    reason: str | None


def self_consistency(table: Sequence[Sequence[int]], *, confidence: float = 0.95) -> Consistency:
    """Exact agreement with its Wilson interval, and linearly weighted κ (Cohen 1968), of two answers to one text.

    Parameters
    ----------
    table
        k×k counts: the first answer in rows, the repeat in columns, over all declared levels.

    Returns
    -------
    Consistency. Without a repeat all is None; where both answers used one level throughout, κ alone is None. `reason`
    says which.
    """
    cells = np.asarray(table, float)
    n = int(cells.sum())
    if not n:
        return Consistency(0, 0, 0, None, None, None, "no text was rated twice")
    index = np.arange(len(cells))
    same = int(np.trace(cells))
    near = int(cells[np.abs(index[:, None] - index[None, :]) <= 1].sum())
    kappa = float(cohen_kappa(cells[None], disagreement_weights(len(cells), "linear"))[0])
    undefined = bool(np.isnan(kappa))
    return Consistency(
        n=n,
        same=same,
        within_one=near,
        share=same / n,
        ci=wilson(same / n, n, confidence),
        linear_kappa=None if undefined else kappa,
        reason="both answers use one level throughout" if undefined else None,
    )
