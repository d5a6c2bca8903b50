"""When a study will have all its ratings, if they go on coming as they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["FEWEST_DAYS", "FEWEST_RATINGS", "Forecast", "days_left"]

# Below these nothing is foretold: the interval would span years.
FEWEST_RATINGS = 10
FEWEST_DAYS = 3


@dataclass(frozen=True)
class Forecast:
    """Days until the last rating: expected, and the interval. All None with a reason where too little is known."""

    days: float | None
    ci: tuple[float, float] | None
    a_day: float | None
    dispersion: float | None
    reason: str | None


def days_left(counts: Sequence[int], *, left: int, confidence: float = 0.8) -> Forecast:
    """Predict the time until `left` more ratings from the counts of past days.

    The mean rate c/T of the T days goes on: left · T/c days. Were ratings to come one by one at a constant rate, the
    time for R more against the time per rating so far would follow F with 2R and 2c degrees of freedom (both times are
    gamma-distributed). They come in sittings instead, so both degrees of freedom are divided by the dispersion φ of
    the daily counts, Σ(x − x̄)²/((T − 1) x̄), not below 1 (quasi-Poisson; McCullagh & Nelder 1989).

    Parameters
    ----------
    counts
        Ratings on each whole past day, the last one most recent; days without any count.
    left
        Ratings still to come.
    confidence
        Of the prediction interval.

    Returns
    -------
    Forecast. Weekends, holidays, reviewers who are done and those who are yet to come are not foreseen.
    """
    days = np.asarray(counts, float)
    total = float(days.sum())
    if left <= 0:
        return Forecast(None, None, None, None, "all ratings are in")
    if len(days) < FEWEST_DAYS:
        return Forecast(None, None, None, None, f"fewer than {FEWEST_DAYS} whole days so far")
    if not total:
        return Forecast(None, None, None, None, f"no rating in the last {len(days)} days")
    if total < FEWEST_RATINGS:
        return Forecast(None, None, None, None, f"fewer than {FEWEST_RATINGS} ratings in the last {len(days)} days")
    from scipy.special import fdtri

    rate = total / len(days)
    dispersion = max(1.0, float(((days - rate) ** 2).sum() / ((len(days) - 1) * rate)))
    tail = (1 - confidence) / 2
    low, high = (float(fdtri(2 * left / dispersion, 2 * total / dispersion, p)) for p in (tail, 1 - tail))
    expected = left / rate
    return Forecast(expected, (expected * low, expected * high), rate, dispersion, None)
