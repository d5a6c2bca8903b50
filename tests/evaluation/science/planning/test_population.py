"""Populations of known agreement."""

import numpy as np
import pytest

from evaluation.science.coefficients.cohen import cohen_kappa
from evaluation.science.planning.population import margin_of, population
from evaluation.science.weights import disagreement_weights


@pytest.mark.parametrize("levels", [2, 3, 5, 10])
@pytest.mark.parametrize("kappa", [0.0, 0.3, 0.8, 0.95, 0.99])
@pytest.mark.parametrize("margin", ["balanced", "skewed"])
@pytest.mark.parametrize("model", ["latent", "mixture"])
def test_kappa_and_margins_are_those_asked_for(levels, kappa, margin, model):
    table = population(levels, kappa, margin=margin, model=model).pair_table
    assert table.sum() == pytest.approx(1)
    assert table == pytest.approx(table.T)
    assert table.sum(axis=0) == pytest.approx(margin_of(levels, margin), abs=1e-3)
    assert cohen_kappa(table, disagreement_weights(levels, "linear")) == pytest.approx(kappa, abs=1e-10)


def test_the_mixture_is_its_formula():
    shares = margin_of(4, "skewed")
    expected = 0.6 * np.outer(shares, shares) + 0.4 * np.diag(shares)
    assert population(4, 0.4, margin="skewed", model="mixture").pair_table == pytest.approx(expected)


def test_latent_disagreement_is_mostly_between_neighbours():
    latent, mixture = (population(5, 0.5, model=model).pair_table for model in ("latent", "mixture"))
    assert latent[0, 1] > 2 * latent[0, 3]
    assert mixture[0, 1] == pytest.approx(mixture[0, 3])


def test_a_large_draw_has_the_table_of_the_population():
    drawn = population(3, 0.5, margin="skewed")
    codes = drawn.draw(40_000, 3, 1, np.random.default_rng(1))[0]
    assert codes.shape == (40_000, 3)
    for a, b in ((0, 1), (1, 2), (0, 2)):
        table = np.bincount(codes[:, a] * 3 + codes[:, b], minlength=9).reshape(3, 3) / len(codes)
        assert table == pytest.approx(drawn.pair_table, abs=0.01)


@pytest.mark.parametrize(("levels", "kappa"), [(1, 0.5), (3, -0.1), (3, 1.0)])
def test_what_cannot_be_is_refused(levels, kappa):
    with pytest.raises(ValueError, match=r"must|needs"):
        population(levels, kappa)
