"""The language models that an installation offers without a download."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

__all__ = ["PACKAGED_MODELS", "PackagedModel"]


@dataclass(frozen=True)
class PackagedModel:
    key: str
    revision: str
    backend: str
    name: str
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


PACKAGED_MODELS: tuple[PackagedModel, ...] = (
    PackagedModel("textrank", "1", "extractive", "TextRank extraction (baseline)"),
    PackagedModel("smollm2-135m", "instruct-q4-1", "smollm2", "SmolLM2 135M Instruct (for trying)"),
)
