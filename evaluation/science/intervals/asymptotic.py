"""Standard errors from influences, and the Wald interval on them."""

from __future__ import annotations

import numpy as np

from evaluation.science.arrays import Array
from evaluation.science.resampling.sample import Sample

__all__ = ["standard_error", "wald"]


def standard_error(influence: Array, sample: Sample, *, sample_variance: bool) -> float | None:
    """Delta-method standard error √(Σ_u D_u²), D the centred influence of a unit (item or cluster).

    For Cohen's κs on a table this *is* the Fleiss–Cohen–Everitt non-null ASE (1969); with `sample_variance`, the sum
    times n/(n − 1), it is Gwet's linearisation (2008). With clusters the influences of a cluster add up before they
    are squared, which is the cluster-robust form.

    Returns
    -------
    The standard error; None for a single unit under `sample_variance`, or where an influence is undefined.
    """
    n = sample.units
    by_unit = influence if sample.composition is None else sample.composition @ influence
    if not np.isfinite(by_unit).all() or (sample_variance and n < 2):
        return None
    centred = by_unit - (sample.multiplicity @ by_unit) / n
    variance = float(sample.multiplicity @ centred**2)
    if sample_variance:
        variance *= n / (n - 1)
    return float(np.sqrt(variance))


def wald(value: float, se: float, confidence: float) -> tuple[float, float]:
    """value ± z·se, uncut, as the field prints it."""
    from scipy.special import ndtri

    z = float(ndtri((1 + confidence) / 2))
    return value - z * se, value + z * se
