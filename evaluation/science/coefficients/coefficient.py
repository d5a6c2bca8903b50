"""The record that describes a coefficient to the machinery of intervals and reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evaluation.science.arrays import Array

__all__ = ["Coefficient"]


@dataclass(frozen=True)
class Coefficient:
    """One named coefficient as a function of sums over items.

    Attributes
    ----------
    name : str
        Public name (JSON key).
    value : callable
        Sums of features (..., d) → values (...); NaN where undefined.
    undefined : str
        The reason given where the value is NaN.
    bounds : (float, float)
        Range; jackknife intervals are cut at it, Fisher's z scale ends there.
    kappa_like : bool
        Whether it is a κ, to which the Landis–Koch bands are customarily applied.
    sample_variance : bool
        Variance of the linearisation with n − 1 (Gwet) instead of n (Fleiss–Cohen–Everitt).
    share : (float, float) or None
        (a, b) where the value is a + b·p for a plain proportion p of items: then Wilson's interval applies.
    fisher : bool
        Whether the default interval is made on Fisher's z scale; not for differences, which lie around 0.
    f_interval : callable or None
        (sums, confidence) → interval, where the field's asymptotic interval is not value ± z·se.
    """

    name: str
    value: Callable[[Array], Array]
    undefined: str
    bounds: tuple[float, float] = (-1.0, 1.0)
    kappa_like: bool = False
    sample_variance: bool = True
    share: tuple[float, float] | None = None
    fisher: bool = True
    f_interval: Callable[[Array, float], tuple[float, float] | None] | None = None
