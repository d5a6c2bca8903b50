"""All coefficients under their public names, for two raters (from the k×k table) and for any number.

A new coefficient is a new file beside its siblings and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np

from evaluation.science.arrays import Array, cells_total, weighted
from evaluation.science.coefficients.binary import bias_index, pabak, prevalence_index
from evaluation.science.coefficients.brennan_prediger import brennan_prediger
from evaluation.science.coefficients.coefficient import Coefficient
from evaluation.science.coefficients.cohen import cohen_kappa, cohen_kappa_max
from evaluation.science.coefficients.conger import conger_kappa
from evaluation.science.coefficients.exact import exact_agreement
from evaluation.science.coefficients.fleiss import fleiss_kappa
from evaluation.science.coefficients.gwet import gwet_ac
from evaluation.science.coefficients.icc import icc_a1, icc_a1_interval, icc_c1, icc_c1_interval
from evaluation.science.coefficients.krippendorff import Metric, krippendorff_alpha
from evaluation.science.moments import coincidences, identity_sums, pair_sums, score_sums
from evaluation.science.weights import Scheme, agreement_weights, disagreement_weights

__all__ = [
    "BINARY_ONLY",
    "coincidence_coefficients",
    "complete_coefficients",
    "identity_coefficients",
    "pair_coefficients",
    "rating_coefficients",
    "score_coefficients",
]

SINGLE_LEVEL = "a single level is declared: agreement beyond chance has no meaning"
NO_PAIRS = "no item has ratings by two raters"
ONE_LEVEL = (
    "all ratings are at one level, so that agreement and chance agreement are both complete (0/0); "
    "Gwet's AC1 and Brennan-Prediger remain defined"
)
NO_VARIANCE = "the scores do not vary enough: it would be 0/0"
BINARY_ONLY = {
    "pabak": "PABAK is for two levels; Brennan-Prediger is its form for more",
    "prevalence_index": "the prevalence index is for two levels",
    "bias_index": "the bias index is for two levels; see the marginal tests",
}
METRICS: tuple[Metric, ...] = ("nominal", "ordinal", "interval")
SUFFIXES: tuple[tuple[Scheme, str], ...] = (
    ("identity", ""),
    ("linear", "_linear"),
    ("quadratic", "_quadratic"),
)
AC_NAMES: tuple[tuple[Scheme, str], ...] = (
    ("identity", "gwet_ac1"),
    ("linear", "gwet_ac2_linear"),
    ("quadratic", "gwet_ac2_quadratic"),
    ("ordinal", "gwet_ac2_ordinal"),
)


@cache
def pair_coefficients(k: int) -> tuple[Coefficient, ...]:
    """Coefficients of a k×k table; features are its k² cells."""

    def table(sums: Array) -> Array:
        return sums.reshape(*sums.shape[:-1], k, k)

    def pooled(sums: Array) -> Array:
        cells = table(sums)
        return np.asarray(cells @ np.ones(k) + np.ones(k) @ cells)

    def symmetric(sums: Array) -> Array:
        cells = table(sums)
        return np.asarray(cells + np.swapaxes(cells, -1, -2))

    scores = np.arange(k, dtype=float)
    totals = scores[:, None] + scores[None, :]
    squares = scores[:, None] ** 2 + scores[None, :] ** 2

    def anova(sums: Array) -> Array:
        cells = table(sums)
        return np.stack(
            [
                cells_total(cells),
                weighted(cells, squares),
                weighted(cells, totals**2),
                weighted(cells, np.broadcast_to(scores[:, None], (k, k))),
                weighted(cells, np.broadcast_to(scores, (k, k))),
            ],
            axis=-1,
        )

    found = [
        Coefficient("exact_agreement", lambda s: exact_agreement(table(s)), NO_PAIRS, (0.0, 1.0), share=(0.0, 1.0))
    ]
    for scheme, suffix in SUFFIXES:
        found.append(
            Coefficient(
                f"cohen_kappa{suffix}",
                partial(lambda v, s: cohen_kappa(table(s), v), disagreement_weights(k, scheme)),
                ONE_LEVEL,
                kappa_like=True,
                sample_variance=False,
            )
        )
    found.append(Coefficient("cohen_kappa_max", lambda s: cohen_kappa_max(table(s)), ONE_LEVEL, sample_variance=False))
    if k == 2:
        found += [
            Coefficient("pabak", lambda s: pabak(table(s)), NO_PAIRS, share=(-1.0, 2.0)),
            Coefficient("prevalence_index", lambda s: prevalence_index(table(s)), NO_PAIRS),
            Coefficient("bias_index", lambda s: bias_index(table(s)), NO_PAIRS),
        ]
    found.append(
        Coefficient(
            "scott_pi",
            lambda s: fleiss_kappa(table(s), pooled(s), disagreement_weights(k)),
            ONE_LEVEL,
            kappa_like=True,
        )
    )
    found += _chance_fixed(k, table, pooled, paired=True)
    found += _alphas(symmetric)
    found += _iccs(anova)
    return tuple(found)


@cache
def rating_coefficients(k: int, *, paired: bool = False) -> tuple[Coefficient, ...]:
    """Coefficients over all items with a rating (Gwet's convention); features are those of `pair_features`.

    `paired`: there are two raters, so that each item either agrees or does not.
    """

    def pairs(sums: Array) -> Array:
        return pair_sums(sums, k)[0]

    def prevalence(sums: Array) -> Array:
        return pair_sums(sums, k)[1]

    return (
        Coefficient(
            "exact_agreement",
            lambda s: exact_agreement(pairs(s)),
            NO_PAIRS,
            (0.0, 1.0),
            share=(0.0, 1.0) if paired else None,
        ),
        Coefficient(
            "fleiss_kappa_available",
            lambda s: fleiss_kappa(pairs(s), prevalence(s), disagreement_weights(k)),
            ONE_LEVEL,
            kappa_like=True,
        ),
        *_chance_fixed(k, pairs, prevalence, paired=paired),
    )


@cache
def complete_coefficients(k: int) -> tuple[Coefficient, ...]:
    """Coefficients over the items that every rater rated; features are those of `pair_features`."""
    return (
        Coefficient(
            "fleiss_kappa",
            lambda s: fleiss_kappa(*pair_sums(s, k), disagreement_weights(k)),
            ONE_LEVEL,
            kappa_like=True,
        ),
    )


@cache
def coincidence_coefficients(k: int) -> tuple[Coefficient, ...]:
    """Coefficients over items with two or more ratings; features are those of `coincidence_features`."""
    return tuple(_alphas(lambda s: coincidences(s, k)))


@cache
def identity_coefficients(k: int) -> tuple[Coefficient, ...]:
    """Coefficients that know which rater is which; features are those of `identity_features`."""
    return (
        Coefficient(
            "conger_kappa",
            lambda s: conger_kappa(*identity_sums(s, k), disagreement_weights(k)),
            ONE_LEVEL,
            kappa_like=True,
        ),
    )


@cache
def score_coefficients() -> tuple[Coefficient, ...]:
    """Intraclass correlations; features are those of `score_features`."""
    return tuple(_iccs(lambda s: s))


def _chance_fixed(
    k: int, pairs: Callable[[Array], Array], prevalence: Callable[[Array], Array], *, paired: bool
) -> list[Coefficient]:
    found: list[Coefficient] = []
    for scheme, suffix in SUFFIXES:
        w = agreement_weights(k, scheme)
        chance = float(w.mean())
        plain = scheme == "identity" and paired
        found.append(
            Coefficient(
                f"brennan_prediger{suffix}",
                partial(lambda w, s: brennan_prediger(pairs(s), w), w),
                NO_PAIRS,
                (-chance / (1 - chance), 1.0),
                share=(-chance / (1 - chance), 1 / (1 - chance)) if plain else None,
            )
        )
    for scheme, name in AC_NAMES:
        w = agreement_weights(k, scheme)
        chance = float(w.mean())
        found.append(
            Coefficient(
                name,
                partial(lambda w, s: gwet_ac(pairs(s), prevalence(s), w), w),
                NO_PAIRS,
                (-chance / (1 - chance), 1.0),
            )
        )
    return found


def _alphas(coincidence_matrix: Callable[[Array], Array]) -> list[Coefficient]:
    return [
        Coefficient(
            f"krippendorff_alpha_{metric}",
            partial(lambda m, s: krippendorff_alpha(coincidence_matrix(s), m), metric),
            ONE_LEVEL,
        )
        for metric in METRICS
    ]


def _iccs(features: Callable[[Array], Array]) -> list[Coefficient]:
    return [
        Coefficient(
            "icc_a1",
            lambda s: icc_a1(score_sums(features(s))),
            NO_VARIANCE,
            f_interval=lambda s, level: icc_a1_interval(score_sums(features(s)), level),
        ),
        Coefficient(
            "icc_c1",
            lambda s: icc_c1(score_sums(features(s))),
            NO_VARIANCE,
            f_interval=lambda s, level: icc_c1_interval(score_sums(features(s)), level),
        ),
    ]
