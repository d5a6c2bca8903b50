"""The agreement report of one criterion: every coefficient and test, for each pair of raters and overall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evaluation.science.advice import advise
from evaluation.science.estimates import Estimate, TestResult
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.marginal.friedman import friedman
from evaluation.science.marginal.options import ExactOptions
from evaluation.science.overall import overall_estimates
from evaluation.science.pairs import PairReport, pair_reports
from evaluation.science.patterns import Patterns, rating_patterns
from evaluation.science.ratings import MISSING, Level, RatingsTable

__all__ = ["CriterionReport", "PairReport", "report"]

_EXACT_BUDGET = 2_000_000  # outcomes enumerated over all pairs
_DRAWS_BUDGET = 400_000  # Monte Carlo draws over all pairs


@dataclass(frozen=True)
class CriterionReport:
    """Agreement on one criterion. `missing` counts the cells of items × raters without a rating."""

    criterion: str | None
    levels: tuple[Level, ...]
    raters: tuple[str, ...]
    items: int
    ratings: int
    missing: int
    overall: dict[str, Estimate]
    pairs: tuple[PairReport, ...]
    marginal_tests: dict[str, TestResult]
    warnings: tuple[str, ...]
    data_sha256: str

    def to_json(self) -> dict[str, Any]:
        """Shape of one entry of `criteria` in the public JSON."""
        return {
            "criterion": self.criterion,
            "levels": list(self.levels),
            "items": self.items,
            "raters": len(self.raters),
            "ratings": self.ratings,
            "missing": self.missing,
            "rater_names": list(self.raters),
            "overall": {name: estimate.to_json() for name, estimate in self.overall.items()},
            "pairs": [pair.to_json() for pair in self.pairs],
            "marginal_tests": {name: test.to_json() for name, test in self.marginal_tests.items()},
            "warnings": list(self.warnings),
            "data_sha256": self.data_sha256,
        }


def report(
    table: RatingsTable,
    *,
    criterion: str | None = None,
    options: IntervalOptions | None = None,
    exact: ExactOptions | None = None,
) -> CriterionReport:
    """Compute every coefficient and test that the ratings allow.

    Parameters
    ----------
    table : RatingsTable
        Ratings on the full declared scale; with clusters, intervals are resampled by cluster.
    criterion : str, optional
        Name to carry into the report.
    options : IntervalOptions, optional
        Interval method, confidence, resamples and seed.
    exact : ExactOptions, optional
        Limits of exact p values; by default a share of one budget for each pair, with the seed of `options`.

    Returns
    -------
    CriterionReport
        Undefined coefficients are None with a reason; nothing raises on degenerate data. Rater columns and items
        without any rating are set aside first, with a warning.
    """
    options = options or IntervalOptions()
    kept, empty_raters, empty_items = table.without_empty()
    number = max(1, len(kept.raters) * (len(kept.raters) - 1) // 2)
    exact = exact or ExactOptions(
        outcomes=max(10_000, min(500_000, _EXACT_BUDGET // number)),
        draws=max(1_000, min(20_000, _DRAWS_BUDGET // number)),
        seed=options.seed,
    )
    patterns = rating_patterns(kept)
    pairs = tuple(pair_reports(kept, patterns, options, exact))
    overall = overall_estimates(kept, patterns, options)
    return CriterionReport(
        criterion=criterion,
        levels=kept.levels,
        raters=kept.raters,
        items=table.items,
        ratings=kept.ratings,
        missing=table.items * len(kept.raters) - kept.ratings,
        overall=overall,
        pairs=pairs,
        marginal_tests=_marginal(patterns, exact),
        warnings=advise(
            kept, patterns, overall, pairs_n=[pair.n for pair in pairs], dropped=empty_raters, empty_items=empty_items
        ),
        data_sha256=kept.sha256(),
    )


def _marginal(patterns: Patterns, exact: ExactOptions) -> dict[str, TestResult]:
    full = (patterns.rows != MISSING).all(axis=1)
    return {"friedman": friedman(patterns.rows[full], patterns.counts[full], exact)}
