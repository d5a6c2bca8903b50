"""From a prompt's wording, a query and its retrieved sources to the messages that a model is sent."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

__all__ = ["Message", "Source", "Wording", "messages_sha256", "render_messages"]

FIELD = re.compile(r"\{(query|abstracts)\}")


class Wording(Protocol):
    """What rendering needs of a prompt; a stored prompt and a `PromptWording` both have it."""

    @property
    def system(self) -> str: ...

    @property
    def template(self) -> str: ...


@dataclass(frozen=True)
class Message:
    role: Literal["system", "user"]
    content: str


@dataclass(frozen=True)
class Source:
    """A retrieved document as a model sees it, nearest first."""

    title: str
    abstract: str


def render_messages(wording: Wording, *, query: str, sources: Sequence[Source]) -> tuple[Message, ...]:
    """The system message, if the wording has one, and the user message with both fields filled in.

    The fields are filled in a single pass, so braces inside a query or an abstract stay as they are.
    """
    abstracts = "\n\n".join(
        f"[{rank}] {source.title}\n{source.abstract}".strip() for rank, source in enumerate(sources, start=1)
    )
    fields = {"query": query.strip(), "abstracts": abstracts}
    content = FIELD.sub(lambda match: fields[match[1]], wording.template)
    system = (Message("system", wording.system),) if wording.system else ()
    return (*system, Message("user", content))


def messages_sha256(messages: Sequence[Message]) -> str:
    return hashlib.sha256(json.dumps([[m.role, m.content] for m in messages]).encode()).hexdigest()
