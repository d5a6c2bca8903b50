"""Metrics of graphs drawn from a null model, in chunks that can be computed anywhere and joined."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphs.science import engine
from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.metrics import metrics_with
from graphs.science.null_models import NULL_MODELS, NullSource

__all__ = ["WITHOUT_KERNEL", "NullDraws", "draw_null", "join_draws"]

#: The first draws are always computed with NumPy, so that a small number of them needs no kernel.
WITHOUT_KERNEL = 50


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NullDraws:
    """Draws ``start`` … ``start + B − 1`` of a null model.

    Attributes
    ----------
    model : str
        Key of the null model.
    seed, start : int
        What the draws were made from; draw b depends on nothing but the text, the settings, the model, the seed and b.
    values : ndarray of float64, shape (B, 8)
        Metrics in the order of ``METRIC_KEYS``; meaningless where not ``defined``.
    defined : ndarray of bool, shape (B, 8)
        Which metrics of which draw exist.
    edges, components : ndarray of int64, shape (B,)
        Size of each drawn graph.
    """

    model: str
    seed: int
    start: int
    values: NDArray[np.float64]
    defined: NDArray[np.bool_]
    edges: NDArray[np.int64]
    components: NDArray[np.int64]


def draw_null(source: NullSource, model: str, *, draws: int = 1000, seed: int = 0, start: int = 0) -> NullDraws:
    """Draw graphs from a null model and compute their metrics.

    Every draw has a random stream of its own, numbered by the model and the draw. So the same seed gives the same
    draws for any number of workers, any split into chunks and any order of work.

    Parameters
    ----------
    source : NullSource
        The observed text.
    model : str
        Key in ``NULL_MODELS``.
    draws : int
        Number of draws B, at least 1.
    seed : int
        At least 0.
    start : int
        Number of the first draw: where an earlier chunk ended.

    Raises
    ------
    ValueError
        If the model is unknown or a number is out of range.
    """
    if model not in NULL_MODELS:
        raise ValueError(f"no null model is called {model!r}; there are: {', '.join(NULL_MODELS)}")
    if draws < 1 or seed < 0 or start < 0:
        raise ValueError("draws must be at least 1, seed and start at least 0")
    null_model = NULL_MODELS[model]
    # By number, not by how many there are: a draw must not depend on how the draws are split.
    kernel = engine.load_kernel() if start + draws > WITHOUT_KERNEL else None
    values = np.zeros((draws, len(METRIC_KEYS)))
    defined = np.zeros((draws, len(METRIC_KEYS)), dtype=bool)
    edges = np.zeros(draws, dtype=np.int64)
    components = np.zeros(draws, dtype=np.int64)
    for row in range(draws):
        stream = np.random.SeedSequence(seed, spawn_key=(null_model.stream, start + row))
        graph = null_model.draw(source, np.random.default_rng(stream))
        metrics = metrics_with(None if start + row < WITHOUT_KERNEL else kernel, graph)
        edges[row], components[row] = metrics.edges, metrics.components
        for column, value in enumerate(metrics.values().values()):
            if value is not None:
                values[row, column], defined[row, column] = value, True
    return NullDraws(
        model=model,
        seed=seed,
        start=start,
        values=values,
        defined=defined,
        edges=edges,
        components=components,
    )


def join_draws(chunks: Sequence[NullDraws]) -> NullDraws:
    """Join chunks of one model and seed, in any order, into one.

    Raises
    ------
    ValueError
        If there is no chunk, models or seeds differ, or the chunks leave a gap or overlap.
    """
    ordered = sorted(chunks, key=lambda chunk: chunk.start)
    if not ordered:
        raise ValueError("there is no chunk to join")
    first = ordered[0]
    expected = first.start
    for chunk in ordered:
        if (chunk.model, chunk.seed) != (first.model, first.seed):
            raise ValueError("chunks of different models or seeds cannot be joined")
        if chunk.start != expected:
            raise ValueError(f"draw {expected} should come next, but a chunk starts at {chunk.start}")
        expected += len(chunk.values)
    return NullDraws(
        model=first.model,
        seed=first.seed,
        start=first.start,
        values=np.concatenate([chunk.values for chunk in ordered]),
        defined=np.concatenate([chunk.defined for chunk in ordered]),
        edges=np.concatenate([chunk.edges for chunk in ordered]),
        components=np.concatenate([chunk.components for chunk in ordered]),
    )
