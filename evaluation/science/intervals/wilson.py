"""Wilson's interval of a plain proportion."""

from __future__ import annotations

import numpy as np

__all__ = ["wilson"]


def wilson(share: float, n: int, confidence: float) -> tuple[float, float]:
    """Score interval of a proportion `share` of n items (Wilson 1927); inside [0, 1] and never of zero width."""
    from scipy.special import ndtri

    z = float(ndtri((1 + confidence) / 2))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * float(np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)))
    return max(0.0, middle - half), min(1.0, middle + half)
