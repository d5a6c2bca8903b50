"""What an embedding back end offers, and how it says that it cannot run here."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Embedder", "EmbedderUnavailable", "ModelSpec", "Vectors", "unit_vectors"]

Vectors = NDArray[np.float32]


class EmbedderUnavailable(Exception):
    """The model cannot be loaded on this machine; the message says what to install or to mend."""


@dataclass(frozen=True)
class ModelSpec:
    """Which weights to load: `location` is a folder or a hub's name, empty where a package brings them."""

    backend: str
    revision: str
    location: str = ""
    trust_remote_code: bool = False


class Embedder(Protocol):
    """A loaded model. Vectors are float32 of unit length, a row a text, so that cosine similarity is their product."""

    dimensions: int

    def embed_documents(self, texts: list[str]) -> Vectors: ...

    def embed_query(self, text: str) -> Vectors: ...


def unit_vectors(vectors: Vectors) -> Vectors:
    """Rows scaled to length one.

    Raises
    ------
    ValueError
        Where a row is zero or not finite: its cosine similarity with anything would be undefined.
    """
    vectors = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = np.flatnonzero(~(np.isfinite(lengths[:, 0]) & (lengths[:, 0] > 0)))
    if bad.size:
        raise ValueError(f"the model gives no direction for text {int(bad[0]) + 1} of {len(vectors)}")
    return np.asarray(vectors / lengths, dtype=np.float32)
