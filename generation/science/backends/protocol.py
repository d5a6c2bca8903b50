"""What every model back end takes and gives: the one small protocol behind which they stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from generation.science.messages import Message, Source

__all__ = ["Backend", "Failure", "OptionsError", "Outcome", "Output", "Request"]


class OptionsError(ValueError):
    """The options of a language model do not fit its back end; the message says which and why."""


@dataclass(frozen=True)
class Request:
    """One cell's task. The runs of a cell differ in their seed alone.

    `query` and `sources` stand in the messages too; an extractive back end works on them directly.
    """

    messages: tuple[Message, ...]
    query: str
    sources: tuple[Source, ...]
    temperature: float
    max_new_tokens: int


@dataclass(frozen=True)
class Output:
    """What one run wrote.

    `finish_reason` is "stop" when the text came to its end and "length" when the limit cut it; `seconds` is this run's
    share of the computing time of its group.
    """

    text: str
    finish_reason: str
    prompt_tokens: int | None
    tokens: int | None
    seconds: float
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Failure:
    """Why one run has no text; a transient one is worth another try later."""

    error: str
    is_transient: bool


Outcome = Output | Failure


class Backend(Protocol):
    """A loaded model."""

    @property
    def group_size(self) -> int:
        """How many runs of a cell it is best given at once."""
        ...

    def describe(self) -> dict[str, Any]:
        """The model, its exact revision and the libraries that run it, for the provenance of each text."""
        ...

    def generate(self, request: Request, seeds: Sequence[int]) -> list[Outcome]:
        """One outcome for each seed, in order. A seed gives the same text whatever other seeds stand beside it.

        Temperature 0 means the most likely text (for every seed the same); above 0 the text is drawn from
        softmax(logits / temperature), with no other change of the distribution.
        """
        ...
