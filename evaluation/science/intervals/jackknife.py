"""The jackknife-t interval."""

from __future__ import annotations

import numpy as np

from evaluation.science.arrays import Array
from evaluation.science.resampling.sample import Sample

__all__ = ["jackknife_se", "jackknife_t"]


def jackknife_se(leave_one_out: Array, sample: Sample) -> float | None:
    """√((n−1)/n Σ (θ_(−i) − mean)²) over units; None where a leave-one-out value is undefined or n < 2."""
    n = sample.units
    if n < 2 or not np.isfinite(leave_one_out).all():
        return None
    mean = (sample.multiplicity @ leave_one_out) / n
    return float(np.sqrt((n - 1) / n * (sample.multiplicity @ (leave_one_out - mean) ** 2)))


def jackknife_t(value: float, leave_one_out: Array, sample: Sample, confidence: float) -> tuple[float, float] | None:
    """value ± t_{n−1} · jackknife standard error (Tukey 1958)."""
    from scipy.special import stdtrit

    se = jackknife_se(leave_one_out, sample)
    if se is None:
        return None
    t = float(stdtrit(sample.units - 1, (1 + confidence) / 2))
    return value - t * se, value + t * se
