"""WordLlama: static word vectors, averaged. Small and quick, and its weights come inside its package."""

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from corpora.embedding.protocol import Embedder, ModelSpec, Vectors, unit_vectors

__all__ = ["load"]

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"


class WordLlamaEmbedder:
    def __init__(self, model: Any) -> None:
        self._model = model
        self.dimensions = int(model.embedding.shape[1])

    def embed_documents(self, texts: list[str]) -> Vectors:
        return unit_vectors(self._model.embed(texts, norm=False))

    def embed_query(self, text: str) -> Vectors:
        return unit_vectors(self._model.embed([text], norm=False))[0, :]


@cache
def load(spec: ModelSpec) -> Embedder:
    # The package's own loader looks for the tokenizer in a folder that it does not ship, and then asks the network.
    from safetensors import safe_open
    from wordllama import WordLlama
    from wordllama.inference import WordLlamaInference

    with resources.as_file(resources.files("wordllama")) as folder:
        with safe_open(str(folder / WEIGHTS), framework="np") as weights:
            matrix = weights.get_tensor("embedding.weight")
        tokenizer = WordLlama.load_tokenizer(Path(folder / TOKENIZER))
    return WordLlamaEmbedder(WordLlamaInference(matrix, tokenizer))
