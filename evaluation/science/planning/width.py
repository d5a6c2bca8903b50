"""Expected width of the interval of a planned study, and the number of items that a wanted width takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evaluation.science.arrays import Array
from evaluation.science.intervals.fisher_z import fisher_z
from evaluation.science.planning.design import Design
from evaluation.science.planning.population import population
from evaluation.science.planning.samples import jackknifed_alpha, jackknifed_kappa

__all__ = ["ALPHA", "SIMULATED_ITEMS", "Precision", "expected_precision", "items_needed", "kappa_name"]

ALPHA = "krippendorff_alpha_ordinal"
SIMULATED_ITEMS = 300
_MOST_ITEMS = 1_000_000
_CODES_A_CHUNK = 400_000  # ratings × levels held at a time


@dataclass(frozen=True)
class Precision:
    """What the interval of one coefficient will look like.

    Attributes
    ----------
    expected : float or None
        Mean of the estimates. At few items it lies a little below the anticipated value.
    width : float or None
        Mean width over the studies that have an interval; None if none has.
    low, high : float or None
        Mean ends.
    without_interval : float
        Share of studies without an interval: all ratings at one level, or agreement complete.
    """

    expected: float | None
    width: float | None
    low: float | None
    high: float | None
    without_interval: float

    def to_json(self) -> dict[str, Any]:
        return {
            "expected": self.expected,
            "width": self.width,
            "interval": None if self.low is None else [self.low, self.high],
            "without_interval": self.without_interval,
        }


def kappa_name(raters: int) -> str:
    """Public name of linear kappa for so many raters."""
    return "cohen_kappa_linear" if raters == 2 else "mean_pairwise_cohen_kappa_linear"


def expected_precision(items: int, design: Design, *, simulations: int = 400, seed: int = 0) -> dict[str, Precision]:
    """Expected interval of linear kappa and of ordinal alpha, by simulation of the default interval.

    Parameters
    ----------
    items : int
        Two or more. Beyond 300 the widths are those of 300 items times √(300/items), their limiting law; the
        quantile of t differs from its limit by less than 0.5 % there.
    design : Design
    simulations : int
        Simulated studies. With 400 the mean width is known to about 1 %.
    seed : int
        The same seed gives the same figures.

    Returns
    -------
    Public name of the coefficient → precision: linear κ (with more than two raters the mean over pairs) and
    Krippendorff's ordinal α.

    Raises
    ------
    ValueError
        If there are fewer than two items or simulations.
    """
    if items < 2:
        raise ValueError("a plan takes two items or more")
    if simulations < 2:
        raise ValueError("a plan takes two simulated studies or more")
    return {name: _precision(items, design, name, simulations, seed) for name in (kappa_name(design.raters), ALPHA)}


def items_needed(
    width: float, design: Design, *, coefficient: str | None = None, simulations: int = 400, seed: int = 0
) -> int | None:
    """Smallest number of items whose expected interval is no wider than `width`; None where a million do not do.

    `coefficient` is linear kappa by default, or :data:`ALPHA`.
    """
    if not 0 < width < 2:
        raise ValueError("the width must lie between 0 and 2")
    name = coefficient or kappa_name(design.raters)
    if name not in (kappa_name(design.raters), ALPHA):
        raise ValueError(f"a plan is for {kappa_name(design.raters)} or {ALPHA}")

    def wide(items: int) -> bool:
        found = _precision(items, design, name, simulations, seed).width
        return found is None or found > width

    # Each try draws its own studies, so that widths fall with the items up to about a percent of noise.
    high = 4
    while wide(high):
        if high >= _MOST_ITEMS:
            return None
        high *= 2
    low = high // 2
    while high - low > max(1, low // 200):
        middle = (low + high) // 2
        low, high = (middle, high) if wide(middle) else (low, middle)
    return high


def _precision(items: int, design: Design, name: str, simulations: int, seed: int) -> Precision:
    simulated = min(items, SIMULATED_ITEMS)
    found = _simulate(simulated, design, name, simulations, seed)
    return found if simulated == items else _shrunk(found, float(np.sqrt(simulated / items)))


def _simulate(items: int, design: Design, name: str, simulations: int, seed: int) -> Precision:
    drawn = population(design.levels, design.kappa, margin=design.margin, model=design.model)
    # The same studies for every coefficient.
    rng = np.random.default_rng([seed, items])
    step = max(1, _CODES_A_CHUNK // (items * design.raters * design.levels))
    parts = []
    for start in range(0, simulations, step):
        codes = drawn.draw(items, design.raters, min(step, simulations - start), rng)
        if name == ALPHA:
            parts.append(jackknifed_alpha(codes, design.levels, "ordinal"))
        else:
            parts.append(jackknifed_kappa(codes, design.levels))
    return _summed_up(parts, items, design.confidence)


def _summed_up(chunks: list[tuple[Array, Array]], items: int, confidence: float) -> Precision:
    values, errors = (np.concatenate(part) for part in zip(*chunks, strict=True))
    low, high = fisher_z(values, errors, items, confidence)
    given = high - low > 1e-12
    defined = values[np.isfinite(values)]
    expected = float(defined.mean()) if len(defined) else None
    without = float(1 - given.mean())
    if not given.any():
        return Precision(expected, None, None, None, without)
    ends = float(low[given].mean()), float(high[given].mean())
    return Precision(expected, ends[1] - ends[0], *ends, without)


def _shrunk(precision: Precision, factor: float) -> Precision:
    if precision.width is None or precision.low is None or precision.high is None or precision.expected is None:
        return precision
    middle = precision.expected
    low, high = (middle + factor * (end - middle) for end in (precision.low, precision.high))
    return replace(precision, width=high - low, low=low, high=high, without_interval=0.0)
