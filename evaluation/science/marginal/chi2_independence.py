"""Pearson's χ² test of independence on a k×k table, under its true name: it does not compare margins."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evaluation.science.arrays import Array
from evaluation.science.estimates import TestResult
from evaluation.science.marginal.options import ExactOptions

__all__ = ["chi2_independence"]


def chi2_independence(table: npt.NDArray[np.int64], options: ExactOptions) -> TestResult:
    """χ² = n (Σ n_ab²/(n_a+ n_+b) − 1) over non-empty rows and columns; df = (rows − 1)(columns − 1)  (Pearson 1900).

    exact_p: P(χ² ≥ observed) given both margins, over all tables with these margins where they are few enough, else
    over seeded draws. Undefined where only one row or one column is in use.
    """
    used = table[table.any(axis=1)][:, table.any(axis=0)]
    if min(used.shape, default=0) < 2:
        return TestResult.undefined("a rater used a single level: independence cannot be tested")
    from scipy.special import chdtrc

    rows, columns, n = used.sum(1), used.sum(0), int(used.sum())
    expected = rows[:, None] * columns[None, :] / n

    def statistic(tables: Array) -> Array:
        return np.asarray(((tables - expected) ** 2 / expected).sum((-2, -1)))

    value = float(statistic(used.astype(float)))
    threshold = value - 1e-9 * max(1.0, value)
    df = (used.shape[0] - 1) * (used.shape[1] - 1)
    p = float(chdtrc(df, value))
    every = _all_tables(rows, columns, options.outcomes)
    if every is not None:
        values, mass = statistic(every.astype(float)), _masses(every)
        largest = values.max()
        return TestResult(
            value,
            df,
            p,
            min(1.0, float(mass[values >= threshold].sum())),
            float(mass[values >= largest - 1e-9 * max(1.0, largest)].sum()),
            None,
            "enumeration",
        )
    drawn = statistic(_draw_tables(rows, columns, options).astype(float))
    exact = (1 + int((drawn >= threshold).sum())) / (1 + options.draws)
    method = f"Monte Carlo, {options.draws} draws, seed {options.seed}"
    return TestResult(value, df, p, exact, None, None, method)


def _all_tables(
    rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64], limit: int
) -> npt.NDArray[np.int64] | None:
    """Every table with these margins, (N, r, c), row by row; None beyond `limit` of them (or on the way there)."""
    tables = np.zeros((1, 0, len(columns)), np.int64)
    left = columns[None, :].copy()
    for total in rows[:-1].tolist():
        parents, fills = _row_fillings(left, total, limit)
        if fills is None:
            return None
        tables = np.concatenate([tables[parents], fills[:, None, :]], axis=1)
        left = left[parents] - fills
    return np.concatenate([tables, left[:, None, :]], axis=1)


def _row_fillings(
    left: npt.NDArray[np.int64], total: int, limit: int
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64] | None]:
    """All ways to put `total` into a row within the column totals `left` (N, c); with the index of their parent."""
    parents = np.arange(len(left))
    fills = np.zeros((len(left), 0), np.int64)
    need = np.full(len(left), total)
    for column in range(left.shape[1]):
        room = left[parents, column]
        later = left[parents, column + 1 :].sum(axis=1)
        low, high = np.maximum(0, need - later), np.minimum(room, need)
        width = high - low + 1
        if width.sum() > limit:
            return parents, None
        index = np.repeat(np.arange(len(parents)), width)
        offset = np.arange(len(index)) - np.repeat(np.cumsum(width) - width, width)
        chosen = low[index] + offset
        parents, fills = parents[index], np.column_stack([fills[index], chosen])
        need = need[index] - chosen
    return parents, fills


def _masses(tables: npt.NDArray[np.int64]) -> Array:
    """Probability of each table given the margins: Π r! Π c! / (n! Π n_ab!)."""
    from scipy.special import gammaln

    log_mass = -gammaln(tables + 1).sum((-2, -1))
    mass = np.exp(log_mass - log_mass.max())
    return np.asarray(mass / mass.sum())


def _draw_tables(
    rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64], options: ExactOptions
) -> npt.NDArray[np.int64]:
    """Draw tables with these margins, cell by cell from the hypergeometric distribution."""
    rng = np.random.default_rng(options.seed)
    tables = np.zeros((options.draws, len(rows), len(columns)), np.int64)
    left = np.tile(columns, (options.draws, 1))
    for row, total in enumerate(rows[:-1].tolist()):
        need = np.full(options.draws, total)
        for column in range(len(columns) - 1):
            later = left[:, column + 1 :].sum(axis=1)
            tables[:, row, column] = rng.hypergeometric(left[:, column], later, need)
            need = need - tables[:, row, column]
        tables[:, row, -1] = need
        left = left - tables[:, row]
    tables[:, -1] = left
    return tables
