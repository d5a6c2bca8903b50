"""From a bound statistic to an estimate: which interval, and what to say where there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from evaluation.science.arrays import Array
from evaluation.science.bands import band, band_probabilities
from evaluation.science.coefficients.coefficient import Coefficient
from evaluation.science.estimates import Estimate, LandisKoch
from evaluation.science.intervals.asymptotic import standard_error, wald
from evaluation.science.intervals.bootstrap import bca, percentile
from evaluation.science.intervals.fisher_z import fisher_z
from evaluation.science.intervals.jackknife import jackknife_se, jackknife_t
from evaluation.science.intervals.wilson import wilson
from evaluation.science.resampling.sample import Sample
from evaluation.science.resampling.statistic import SmoothStatistic, Statistic

__all__ = ["METHODS", "Bound", "IntervalMethod", "IntervalOptions", "estimate_all"]

IntervalMethod = Literal["auto", "wald", "jackknife-t", "fisher-z", "percentile", "bca"]
METHODS: tuple[IntervalMethod, ...] = ("auto", "wald", "jackknife-t", "fisher-z", "percentile", "bca")
_ZERO_WIDTH = 1e-12
_MOST_DRAWN_COUNTS = 10_000_000  # 5,000 kinds of items at 2,000 resamples


@dataclass(frozen=True)
class IntervalOptions:
    """How intervals are made.

    "auto" is the jackknife-t on Fisher's z scale, the best-covering of those measured (docs/intervals.md). Exceptions:
    Wilson's interval for plain proportions of items; the jackknife-t for differences and for an estimate that stands
    at a bound; the percentile bootstrap where leaving one item out makes a coefficient undefined.
    """

    method: IntervalMethod = "auto"
    confidence: float = 0.95
    bootstrap: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"interval method must be one of {', '.join(METHODS)}")
        if not 0 < self.confidence < 1:
            raise ValueError("the confidence must lie between 0 and 1")
        if self.bootstrap < 0:
            raise ValueError("the number of resamples must not be negative")


@dataclass(frozen=True)
class Bound:
    """A coefficient on data.

    `n` is the number of items behind it; `variance_shift` (P,) is added to the influences times the value, for the
    variance conventions that hold a ratio of sample sizes fixed.
    """

    coefficient: Coefficient
    statistic: Statistic
    n: int
    variance_shift: Array | None = None


def estimate_all(bounds: Mapping[str, Bound], sample: Sample, options: IntervalOptions) -> dict[str, Estimate]:
    """Estimate coefficients that share one sample; all see the same resamples."""
    found = {name: _Evaluated.of(bound, sample) for name, bound in bounds.items()}
    resampled = {name: entry for name, entry in found.items() if entry.needs_resamples(options)}
    replicates = _limiting if _is_large(sample, options) else _replicates
    drawn = replicates(resampled, sample, options) if resampled and options.bootstrap else {}
    return {name: _estimate(entry, sample, options, drawn.get(name, np.empty(0))) for name, entry in found.items()}


@dataclass(frozen=True)
class _Evaluated:
    """A coefficient's value and, once asked for, its values without each unit."""

    bound: Bound
    value: float
    sample: Sample

    @classmethod
    def of(cls, bound: Bound, sample: Sample) -> _Evaluated:
        return cls(bound, bound.statistic.value(), sample)

    @cached_property
    def leave_one_out(self) -> Array:
        without = self.sample.without_unit
        return self.bound.statistic.leave_one_out() if without is None else self.bound.statistic.at(without)

    def needs_resamples(self, options: IntervalOptions) -> bool:
        """For bands, for bootstrap intervals, and for the fallback of "auto"; all else is computed without."""
        if not np.isfinite(self.value):
            return False
        if self.bound.coefficient.kappa_like or options.method in ("percentile", "bca"):
            return True
        return options.method == "auto" and not np.isfinite(self.leave_one_out).all()


def _is_large(sample: Sample, options: IntervalOptions) -> bool:
    """Whether resamples only serve bands or a fallback, and would take long for so many kinds of units."""
    asked_for = options.method in ("percentile", "bca")
    return not asked_for and len(sample.multiplicity) * options.bootstrap > _MOST_DRAWN_COUNTS


def _limiting(entries: Mapping[str, _Evaluated], sample: Sample, options: IntervalOptions) -> dict[str, Array]:
    """Resampled values as they are distributed in the limit: normal, with the bootstrap's (delta-method) variance."""
    found = {}
    for name, entry in entries.items():
        se = standard_error(entry.bound.statistic.influence(), sample, sample_variance=False)
        noise = np.random.default_rng(options.seed).standard_normal(options.bootstrap)
        found[name] = entry.value + (np.nan if se is None else se) * noise
    return found


def _replicates(entries: Mapping[str, _Evaluated], sample: Sample, options: IntervalOptions) -> dict[str, Array]:
    statistics = {name: entry.bound.statistic for name, entry in entries.items()}
    rng = np.random.default_rng(options.seed)
    parts: dict[str, list[Array]] = {name: [] for name in statistics}
    width = max(statistic.width for statistic in statistics.values())
    for counts in sample.draws(options.bootstrap, rng, width):
        for name, statistic in statistics.items():
            parts[name].append(statistic.at(counts))
    return {name: np.concatenate(chunks) for name, chunks in parts.items()}


def _estimate(entry: _Evaluated, sample: Sample, options: IntervalOptions, replicates: Array) -> Estimate:
    bound, value, coefficient = entry.bound, entry.value, entry.bound.coefficient
    if not np.isfinite(value):
        return Estimate(None, None, None, None, bound.n, coefficient.undefined)
    influence = bound.statistic.influence()
    if bound.variance_shift is not None:
        influence = influence + value * bound.variance_shift
    se = standard_error(influence, sample, sample_variance=coefficient.sample_variance)
    interval, method = _interval(entry, se, sample, options, replicates)
    reason = None if interval else _no_interval(entry, sample, options)
    undefined = int((~np.isfinite(replicates)).sum()) if len(replicates) else None
    verdict = LandisKoch(band(value), band_probabilities(replicates)) if coefficient.kappa_like else None
    return Estimate(_tidy(value), interval, method if interval else None, se, bound.n, reason, verdict, undefined)


def _interval(
    entry: _Evaluated, se: float | None, sample: Sample, options: IntervalOptions, replicates: Array
) -> tuple[tuple[float, float] | None, str]:
    bound, value, coefficient, confidence = entry.bound, entry.value, entry.bound.coefficient, options.confidence
    if options.method == "wald":
        nested = sample.composition is not None
        sums = bound.statistic.sums if isinstance(bound.statistic, SmoothStatistic) and not nested else None
        if coefficient.f_interval is not None and sums is not None:
            return _wide(coefficient.f_interval(sums, confidence)), "f"
        return _wide(None if se is None else wald(value, se, confidence)), "wald"
    if options.method == "percentile":
        return _wide(percentile(replicates, confidence)), "percentile"
    if options.method == "bca":
        return _wide(bca(value, replicates, entry.leave_one_out, sample, confidence)), "bca"
    if options.method == "auto" and coefficient.share is not None and sample.composition is None:
        a, b = coefficient.share
        low, high = wilson((value - a) / b, bound.n, confidence)
        # The way through the share and back rounds, and could leave a value at a bound just outside.
        return (min(a + b * low, value), max(a + b * high, value)), "wilson"
    if options.method == "fisher-z" or (options.method == "auto" and coefficient.fisher):
        interval = _wide(_fisher_z(entry, sample, confidence))
        if interval is not None or options.method == "fisher-z":
            return interval, "fisher-z"
    cut = _cut(jackknife_t(value, entry.leave_one_out, sample, confidence), coefficient.bounds)
    if cut is not None or options.method == "jackknife-t":
        return cut, "jackknife-t"
    return _wide(percentile(replicates, confidence)), "percentile"


def _fisher_z(entry: _Evaluated, sample: Sample, confidence: float) -> tuple[float, float] | None:
    se = jackknife_se(entry.leave_one_out, sample)
    if se is None:
        return None
    low, high = fisher_z(entry.value, se, sample.units, confidence, entry.bound.coefficient.bounds)
    return float(low), float(high)


def _wide(interval: tuple[float, float] | None) -> tuple[float, float] | None:
    if interval is None or not np.isfinite(interval).all() or interval[1] - interval[0] < _ZERO_WIDTH:
        return None
    return interval


def _cut(interval: tuple[float, float] | None, bounds: tuple[float, float]) -> tuple[float, float] | None:
    wide = _wide(interval)
    return None if wide is None else _wide((max(wide[0], bounds[0]), min(wide[1], bounds[1])))


def _no_interval(entry: _Evaluated, sample: Sample, options: IntervalOptions) -> str:
    n = sample.units
    unit = "item" if sample.composition is None else "cluster"
    if n < 2:
        return f"no interval from a single {unit}"
    if np.isclose(entry.value, 1.0):
        limit = 1 - (1 - options.confidence) ** (1 / n)
        return (
            f"no interval: agreement is complete on all {n} {unit}s and does not vary between resamples; "
            f"up to {limit:.0%} of {unit}s with disagreement would still be compatible with that"
        )
    if options.method in ("percentile", "bca") and not options.bootstrap:
        return "no interval: resampling was switched off"
    without = entry.leave_one_out
    if np.isfinite(without).all() and np.ptp(without) < _ZERO_WIDTH:
        return f"no interval: the value stays the same whichever of the {n} {unit}s is left out"
    return f"no interval by this method: the coefficient is undefined or does not vary when a {unit} is left out"


def _tidy(value: float) -> float:
    """Full precision, without a negative zero."""
    return value + 0.0
