"""Models in this process, through Hugging Face transformers: a local folder or a name on the hub."""

import inspect
import logging
import os
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from generation.science.backends.chat import encode_messages
from generation.science.backends.options import read_text, read_whole_number, refuse_unknown
from generation.science.backends.protocol import Failure, OptionsError, Outcome, Output, Request
from generation.science.backends.versions import library_versions

__all__ = ["TransformersBackend"]

logger = logging.getLogger(__name__)
DTYPES = ("auto", "float32", "bfloat16", "float16")


class TransformersBackend:
    """A causal language model with its tokenizer.

    Options
    -------
    model
        A folder, or a name on the hub.
    revision
        A hub commit; "main" moves, so name one for a study.
    dtype
        auto (as stored), float32, bfloat16 or float16.
    device
        auto (a GPU if there is one), or a torch device such as cpu or cuda:1.
    group_size
        Runs of a cell that are sampled together, 8 by default.

    Code that a model brings along is never run.
    """

    def __init__(self, *, model: str, revision: str, dtype: str, device: str, group_size: int) -> None:
        self.model_name, self.revision, self.dtype, self.device_name = model, revision, dtype, device
        self.group_size = group_size

    @classmethod
    def from_options(cls, options: Mapping[str, Any], *, cache: Path) -> Self:
        refuse_unknown(options, ["model", "revision", "dtype", "device", "group_size"])
        dtype = read_text(options, "dtype", "auto")
        if dtype not in DTYPES:
            raise OptionsError(f"option dtype must be one of {', '.join(DTYPES)}, not {dtype!r}")
        return cls(
            model=read_text(options, "model"),
            revision=read_text(options, "revision", "main"),
            dtype=dtype,
            device=read_text(options, "device", "auto"),
            group_size=read_whole_number(options, "group_size", 8, least=1, most=256),
        )

    @cached_property
    def tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(self.model_name, revision=self.revision)

    @cached_property
    def model(self) -> Any:
        import torch
        from transformers import AutoModelForCausalLM, GenerationConfig
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()
        # On shared CPUs one thread is faster than many (docs/models.md); OMP_NUM_THREADS says otherwise.
        torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
        dtype = self.dtype if self.dtype == "auto" else getattr(torch, self.dtype)
        model = AutoModelForCausalLM.from_pretrained(self.model_name, revision=self.revision, dtype=dtype)
        model.eval().to(self.device)
        stops = model.generation_config.eos_token_id
        if stops is None:
            stops = self.tokenizer.eos_token_id
        # A model's own defaults (top-k, top-p, penalties) would silently bend the distribution: begin from none.
        model.generation_config = GenerationConfig(
            do_sample=False, num_beams=1, eos_token_id=stops, pad_token_id=self._pad_token_id(stops)
        )
        return model

    @cached_property
    def device(self) -> str:
        import torch

        if self.device_name != "auto":
            return self.device_name
        return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"

    @cached_property
    def _cache_argument(self) -> str:
        """transformers 5.2x renamed it."""
        return "cache" if "cache" in inspect.signature(self.model.forward).parameters else "past_key_values"

    def describe(self) -> dict[str, Any]:
        return {
            "model": self.model_name,
            "revision": getattr(self.model.config, "_commit_hash", None) or self.revision,
            "dtype": str(self.model.dtype).removeprefix("torch."),
            "device": self.device,
            "parameters": self.model.num_parameters(),
            "sampling": "seeded Gumbel-max over the full distribution",
            "versions": library_versions("torch", "transformers", "tokenizers"),
        }

    def generate(self, request: Request, seeds: Sequence[int]) -> list[Outcome]:
        prompt, template = encode_messages(self.tokenizer, request.messages)
        limit = getattr(self.model.config, "max_position_embeddings", None)
        if limit is not None and len(prompt) + request.max_new_tokens > limit:
            error = (
                f"the prompt has {len(prompt)} tokens; with {request.max_new_tokens} new ones that is more than the "
                f"{limit} the model can hold: retrieve fewer abstracts or ask for less text"
            )
            return [Failure(error, is_transient=False) for _ in seeds]
        details = {"chat_template": template}
        if request.temperature == 0:
            # Greedy decoding takes no notice of the seed: one computation answers all.
            return [outcome for outcome in self._sample(prompt, request, seeds[:1], details) for _ in seeds]
        return self._sample(prompt, request, seeds, details)

    def _sample(
        self, prompt: list[int], request: Request, seeds: Sequence[int], details: dict[str, Any]
    ) -> list[Outcome]:
        """Sample all seeds in one call, or in halves when the device's memory does not hold them."""
        import torch

        started = time.perf_counter()
        try:
            rows = self._decode(prompt, request, seeds)
        except torch.OutOfMemoryError:
            torch.cuda.empty_cache()
            if len(seeds) == 1:
                error = f"the device has too little memory for {len(prompt)} + {request.max_new_tokens} tokens"
                return [Failure(error, is_transient=False)]
            half = len(seeds) // 2
            logger.warning("%d runs at once do not fit the device's memory; sampling them in halves", len(seeds))
            return [
                *self._sample(prompt, request, seeds[:half], details),
                *self._sample(prompt, request, seeds[half:], details),
            ]
        seconds = time.perf_counter() - started
        return [self._output(row, len(prompt), seconds / len(seeds), details | {"group": len(seeds)}) for row in rows]

    def _decode(self, prompt: list[int], request: Request, seeds: Sequence[int]) -> list[list[int]]:
        import torch
        from transformers import DynamicCache

        from generation.science.backends.sampling import SeededGumbelNoise

        model = self.model
        ids = torch.tensor([prompt], device=self.device)
        rows = ids.repeat(len(seeds), 1)
        with torch.inference_mode():
            memory: dict[str, Any] = {}
            if len(prompt) > 1 and model._supports_default_dynamic_cache():
                # All rows share the prompt: read it once, then copy what the model remembers of it to each row.
                cache = DynamicCache(config=model.config)
                memory = {self._cache_argument: cache}
                model(ids[:, :-1], use_cache=True, logits_to_keep=1, **memory)
                cache.batch_repeat_interleave(len(seeds))
            written = model.generate(
                rows,
                attention_mask=torch.ones_like(rows),
                max_new_tokens=request.max_new_tokens,
                do_sample=False,
                logits_processor=[SeededGumbelNoise(seeds, request.temperature)] if request.temperature else [],
                **memory,
            )
        return [row[len(prompt) :] for row in written.tolist()]

    def _output(self, row: list[int], prompt_tokens: int, seconds: float, details: dict[str, Any]) -> Output:
        stops = self.model.generation_config.eos_token_id
        stops = set(stops if isinstance(stops, list) else [stops])
        end = next((place for place, token in enumerate(row) if token in stops), None)
        tokens = row if end is None else row[:end]
        return Output(
            text=self.tokenizer.decode(tokens, skip_special_tokens=True),
            finish_reason="length" if end is None else "stop",
            prompt_tokens=prompt_tokens,
            tokens=len(tokens),
            seconds=seconds,
            details=details,
        )

    def _pad_token_id(self, stops: Any) -> int | None:
        pad: int | None = self.tokenizer.pad_token_id
        if pad is None:
            pad = stops[0] if isinstance(stops, list) else stops
        return pad
