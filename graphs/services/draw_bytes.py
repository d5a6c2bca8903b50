"""Drawn metrics on their way through the database, to the last bit."""

import io

import numpy as np

from graphs.models import NullChunk
from graphs.science.null_draws import NullDraws

ARRAYS = ("values", "defined", "edges", "components")


def pack(drawn: NullDraws) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **{name: getattr(drawn, name) for name in ARRAYS})
    return buffer.getvalue()


def unpack(chunk: NullChunk) -> NullDraws:
    comparison = chunk.comparison
    with np.load(io.BytesIO(bytes(chunk.drawn)), allow_pickle=False) as arrays:
        parts = {name: arrays[name] for name in ARRAYS}
    return NullDraws(model=comparison.null_model, seed=comparison.seed, start=chunk.start, **parts)
