"""The bands of Landis and Koch: a much used convention, without a basis in data, hence always with probabilities."""

from __future__ import annotations

import numpy as np

from evaluation.science.arrays import Array

__all__ = ["BANDS", "POOR", "band", "band_probabilities"]

# Each band with the value at which it ends; a value on a limit belongs to the lower band (Landis & Koch 1977).
BANDS: tuple[tuple[str, float], ...] = (
    ("slight", 0.20),
    ("fair", 0.40),
    ("moderate", 0.60),
    ("substantial", 0.80),
    ("almost perfect", float("inf")),
)
POOR = "poor"
_TOLERANCE = 1e-12


def band(value: float) -> str:
    """Name the band of a coefficient; below 0 it is poor."""
    if value < -_TOLERANCE:
        return POOR
    return next(name for name, end in BANDS if value <= end + _TOLERANCE)


def band_probabilities(replicates: Array) -> dict[str, float] | None:
    """Share of the defined resampled values that falls into each band.

    None where there are none, or where they do not vary and so say nothing about uncertainty.
    """
    defined = replicates[np.isfinite(replicates)]
    if len(defined) == 0 or np.ptp(defined) < _TOLERANCE:
        return None
    limits = np.array([-_TOLERANCE, *(end + _TOLERANCE for _, end in BANDS[:-1])])
    # side="left": a value on a limit stays below it; the first limit is open so that 0 itself is "slight".
    places = np.searchsorted(limits, defined, side="left")
    shares = np.bincount(places, minlength=len(BANDS) + 1) / len(defined)
    return dict(zip([POOR, *(name for name, _ in BANDS)], shares.tolist(), strict=True))
