"""Models that turn a text into a vector: back ends in a registry, and the models that come with the installation."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from corpora.embedding import sentence_transformers, wordllama
from corpora.embedding.protocol import Embedder, EmbedderUnavailable, ModelSpec, Vectors, unit_vectors

__all__ = [
    "BACKENDS",
    "PACKAGED_MODELS",
    "Embedder",
    "EmbedderUnavailable",
    "ModelSpec",
    "PackagedModel",
    "Vectors",
    "load_embedder",
    "missing_modules",
    "unit_vectors",
]


@dataclass(frozen=True)
class Backend:
    """`modules` must be importable where the model runs; `remedy` says how they get there."""

    load: Callable[[ModelSpec], Embedder]
    modules: tuple[str, ...]
    remedy: str


@dataclass(frozen=True)
class PackagedModel:
    """A model whose weights a package brings, so that it works without a network."""

    key: str
    revision: str
    backend: str
    name: str
    dimensions: int
    description: str
    modules: tuple[str, ...] = ()


BACKENDS = {
    "wordllama": Backend(wordllama.load, ("wordllama",), "run `make install`"),
    "sentence-transformers": Backend(
        sentence_transformers.load, ("torch", "sentence_transformers"), "run `make models` where the workers run"
    ),
}
PACKAGED_MODELS = (
    PackagedModel(
        key="wordllama-256",
        revision="l2-supercat-256",
        backend="wordllama",
        name="WordLlama 256",
        dimensions=256,
        description="Averaged word vectors: hundreds of texts a second on any processor. For trying things and tests.",
    ),
    PackagedModel(
        key="all-minilm-l6-v2",
        revision="gt-0.1",
        backend="sentence-transformers",
        name="all-MiniLM-L6-v2",
        dimensions=384,
        description="A sentence transformer that reads the first 256 tokens: about ten texts a second without a GPU.",
        modules=(sentence_transformers.PACKAGED,),
    ),
)


def load_embedder(spec: ModelSpec) -> Embedder:
    """The model, loaded once a process.

    Raises
    ------
    EmbedderUnavailable
        With what to install or to mend.
    """
    if spec.backend not in BACKENDS:
        raise EmbedderUnavailable(f"There is no embedding back end {spec.backend!r}; known are {', '.join(BACKENDS)}.")
    return BACKENDS[spec.backend].load(spec)


def missing_modules(backend: str, *more: str) -> list[str]:
    """What is not installed in this process's environment; nothing is imported to find out."""
    return [module for module in (*BACKENDS[backend].modules, *more) if find_spec(module) is None]
