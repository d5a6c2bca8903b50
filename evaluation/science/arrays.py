"""The array type of the formulas, and division that knows it can be undefined."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "cells_total", "ratio", "weighted"]

# Real in ordinary use; complex where an influence is taken by a complex step.
Array: TypeAlias = npt.NDArray[Any]

_NEGLIGIBLE = 1e-12


def ratio(numerator: Array, denominator: Array) -> Array:
    """Divide elementwise; NaN (later reported as undefined) where the denominator vanishes."""
    vanishes = np.abs(denominator.real) < _NEGLIGIBLE
    return np.asarray(np.where(vanishes, np.nan, numerator / np.where(vanishes, 1.0, denominator)))


def cells_total(tables: Array) -> Array:
    """Sum of the cells of each table, (..., k, k) → (...)."""
    return np.asarray(_flat(tables) @ np.ones(tables.shape[-2] * tables.shape[-1]))


def weighted(tables: Array, weights: Array) -> Array:
    """Σ_ab w_ab t_ab of each table, (..., k, k) → (...). One matrix product: much faster than a product and a sum."""
    return np.asarray(_flat(tables) @ weights.reshape(-1))


def _flat(tables: Array) -> Array:
    return tables.reshape(*tables.shape[:-2], -1)
