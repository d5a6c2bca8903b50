"""Reading a language model's frozen options, with messages that name the option and the way out."""

from collections.abc import Iterable, Mapping
from typing import Any

from generation.science.backends.protocol import OptionsError

__all__ = ["read_text", "read_whole_number", "refuse_unknown"]


def refuse_unknown(options: Mapping[str, Any], known: Iterable[str]) -> None:
    if unknown := sorted(set(options) - set(known)):
        raise OptionsError(f"unknown option {', '.join(unknown)}; known are {', '.join(sorted(known))}")


def read_text(options: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = options.get(name, default)
    if not isinstance(value, str) or (default is None and not value.strip()):
        raise OptionsError(f"option {name} must be given as text")
    return value.strip()


def read_whole_number(options: Mapping[str, Any], name: str, default: int, *, least: int, most: int) -> int:
    value = options.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise OptionsError(f"option {name} must be a whole number from {least} to {most}, not {value!r}")
    return value
