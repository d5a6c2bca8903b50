"""What a coefficient and a test answer: frozen records in the shape of the public JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["Estimate", "LandisKoch", "TestResult", "undefined_estimates"]


@dataclass(frozen=True)
class LandisKoch:
    """A verbal band and, from the resamples, how probable each band is. A convention, not a property of the data."""

    band: str
    probabilities: dict[str, float] | None

    def to_json(self) -> dict[str, Any]:
        return {"band": self.band, "probabilities": self.probabilities, "note": "a convention (Landis & Koch 1977)"}


@dataclass(frozen=True)
class Estimate:
    """A coefficient: value, interval and the number of items behind it.

    `value` is None where the coefficient is undefined, and then `reason` says why. Where only the interval is
    missing, `reason` is about the interval.
    """

    value: float | None
    ci: tuple[float, float] | None
    ci_method: str | None
    se: float | None
    n: int
    reason: str | None
    landis_koch: LandisKoch | None = None
    undefined_resamples: int | None = None

    def to_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = {
            "value": self.value,
            "ci": None if self.ci is None else list(self.ci),
            "ci_method": self.ci_method,
            "se": self.se,
            "n": self.n,
            "reason": self.reason,
        }
        if self.undefined_resamples is not None:
            answer["undefined_resamples"] = self.undefined_resamples
        if self.landis_koch is not None:
            answer["landis_koch"] = self.landis_koch.to_json()
        return answer


@dataclass(frozen=True)
class TestResult:
    """A test: asymptotic p, exact p beside it, and the smallest p that the data could have reached.

    `exact_method` names how `exact_p` came about ("enumeration", or Monte Carlo with its number of draws).
    """

    __test__ = False  # not a test class, whatever its name makes pytest think

    statistic: float | None
    df: int | None
    p: float | None
    exact_p: float | None
    min_p: float | None
    reason: str | None
    exact_method: str | None = None
    mid_p: float | None = None

    @classmethod
    def undefined(cls, reason: str) -> TestResult:
        return cls(None, None, None, None, None, reason)

    def to_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = {
            "statistic": self.statistic,
            "df": self.df,
            "p": self.p,
            "exact_p": self.exact_p,
            "min_p": self.min_p,
            "reason": self.reason,
            "exact_method": self.exact_method,
        }
        if self.mid_p is not None:
            answer["mid_p"] = self.mid_p
        return answer


def undefined_estimates(names: Iterable[str], reason: str, n: int) -> dict[str, Estimate]:
    """The same reason for each of these coefficients."""
    return {name: Estimate(None, None, None, None, n, reason) for name in names}
