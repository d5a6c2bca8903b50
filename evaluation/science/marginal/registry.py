"""The marginal tests of a pair of raters under their public names."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evaluation.science.estimates import TestResult
from evaluation.science.marginal.bowker import bowker
from evaluation.science.marginal.chi2_independence import chi2_independence
from evaluation.science.marginal.mcnemar import mcnemar
from evaluation.science.marginal.options import ExactOptions
from evaluation.science.marginal.shift import sign_shift, wilcoxon_shift
from evaluation.science.marginal.stuart_maxwell import bhapkar, stuart_maxwell

__all__ = ["pair_tests"]


def pair_tests(table: npt.NDArray[np.int64], options: ExactOptions) -> dict[str, TestResult]:
    """All tests of a k×k table; the table is never changed and no cell is ever filled."""
    if table.sum() == 0:
        nothing = TestResult.undefined("the two raters share no item")
        names = ("stuart_maxwell", "bhapkar", "bowker", "mcnemar", "wilcoxon_shift", "sign_shift")
        return dict.fromkeys((*names, "chi2_independence"), nothing)
    homogeneity = stuart_maxwell(table, options)
    return {
        "stuart_maxwell": homogeneity,
        "bhapkar": bhapkar(homogeneity, int(table.sum())),
        "bowker": bowker(table, options),
        "mcnemar": mcnemar(table),
        "wilcoxon_shift": wilcoxon_shift(table, options),
        "sign_shift": sign_shift(table),
        "chi2_independence": chi2_independence(table, options),
    }
