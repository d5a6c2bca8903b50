"""Telling texts of people from texts of machines: a yes/no detection task."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, sqrt

from evaluation.science.intervals.wilson import wilson

__all__ = ["Detection", "Rate", "detection", "fisher_exact"]


@dataclass(frozen=True)
class Rate:
    """A share of n with Wilson's interval; None with a reason where n is 0."""

    hits: int
    n: int
    value: float | None
    ci: tuple[float, float] | None
    reason: str | None


@dataclass(frozen=True)
class Detection:
    """What definite guesses show. `p` is against chance: guesses that have nothing to do with the truth."""

    sensitivity: Rate
    specificity: Rate
    youden: float | None
    d_prime: float | None
    d_prime_se: float | None
    criterion: float | None
    p: float | None
    reason: str | None


def detection(*, hits: int, misses: int, false_alarms: int, rejections: int, confidence: float = 0.95) -> Detection:
    """Sensitivity, specificity, Youden's J, d′ and the exact test of independence of a 2×2 table of definite guesses.

    A hit is a person's text taken for a person's, a false alarm a machine's text taken for a person's. With H and F the
    two rates after Hautus' log-linear correction, (hits + ½)/(persons + 1) and (false alarms + ½)/(machines + 1):

    d′ = z(H) − z(F),  c = −(z(H) + z(F))/2,  Var d′ = H(1−H)/(n_p φ(zH)²) + F(1−F)/(n_m φ(zF)²).

    Sensitivity, specificity and J = sensitivity + specificity − 1 are not corrected.

    Parameters
    ----------
    hits, misses, false_alarms, rejections
        Non-negative counts; guesses of "unsure" are in none of them.

    Returns
    -------
    Detection; J, d′, c and p are None with a reason where there was no guess on texts of one of the two kinds.

    References
    ----------
    Gourevitch & Galanter (1967), Psychometrika 32, 25–33 (variance). Hautus (1995), Behavior Research Methods 27,
    46–51 (correction). Wilson (1927), JASA 22, 209–212. Youden (1950), Cancer 3, 32–35. Fisher (1935).
    """
    if min(hits, misses, false_alarms, rejections) < 0:
        raise ValueError("counts are not negative")
    people, machines = hits + misses, false_alarms + rejections
    sensitivity = _rate(hits, people, "no guess on a text by a person", confidence)
    specificity = _rate(rejections, machines, "no guess on a text by a machine", confidence)
    reason = sensitivity.reason or specificity.reason
    if sensitivity.value is None or specificity.value is None:
        return Detection(sensitivity, specificity, None, None, None, None, None, reason)
    from scipy.special import ndtri

    h, f = (hits + 0.5) / (people + 1), (false_alarms + 0.5) / (machines + 1)
    zh, zf = float(ndtri(h)), float(ndtri(f))
    return Detection(
        sensitivity=sensitivity,
        specificity=specificity,
        youden=sensitivity.value + specificity.value - 1,
        d_prime=zh - zf,
        d_prime_se=sqrt(_variance(h, zh, people) + _variance(f, zf, machines)),
        criterion=-(zh + zf) / 2,
        p=fisher_exact(hits, misses, false_alarms, rejections),
        reason=None,
    )


def fisher_exact(a: int, b: int, c: int, d: int) -> float:
    """Two-sided p of Fisher's exact test: the tables with these margins that are no more probable than this one.

    Probabilities are compared as whole numbers, so that ties are ties.
    """
    rows, column, total = a + b, a + c, a + b + c + d
    ways = [
        comb(rows, x) * comb(total - rows, column - x)
        for x in range(max(0, column - total + rows), 1 + min(rows, column))
    ]
    observed = comb(rows, a) * comb(total - rows, column - a)
    return sum(way for way in ways if way <= observed) / sum(ways)


def _rate(hits: int, n: int, reason: str, confidence: float) -> Rate:
    if not n:
        return Rate(0, 0, None, None, reason)
    return Rate(hits, n, hits / n, wilson(hits / n, n, confidence), None)


def _variance(rate: float, z: float, n: int) -> float:
    from math import exp, pi

    density = exp(-z * z / 2) / sqrt(2 * pi)
    return rate * (1 - rate) / (n * density * density)
