"""Turning messages into the token ids that a model was trained to answer."""

from collections.abc import Sequence
from typing import Any

from generation.science.messages import Message

__all__ = ["encode_messages"]


def encode_messages(tokenizer: Any, messages: Sequence[Message]) -> tuple[list[int], str]:
    """Token ids of the conversation up to where the answer begins, and how they were made.

    Three ways, the first that works: "template" is the tokenizer's own chat template; "template, system merged" puts
    the system message in front of the user's, for templates that know no system role; "plain" is for base models
    without any template: the messages as paragraphs, then a line "Abstract:" for the model to go on from.
    """
    if not getattr(tokenizer, "chat_template", None):
        plain = "\n\n".join(message.content for message in messages) + "\n\nAbstract:\n"
        return list(tokenizer(plain)["input_ids"]), "plain"
    conversation = [{"role": message.role, "content": message.content} for message in messages]
    try:
        return _apply(tokenizer, conversation), "template"
    except Exception as error:
        # A template refuses by raising Jinja's TemplateError, which is no dependency of ours to import.
        if type(error).__name__ != "TemplateError":
            raise
        merged = [{"role": "user", "content": "\n\n".join(message.content for message in messages)}]
        return _apply(tokenizer, merged), "template, system merged"


def _apply(tokenizer: Any, conversation: list[dict[str, str]]) -> list[int]:
    text = tokenizer.apply_chat_template(conversation, tokenize=False, add_generation_prompt=True)
    # The template has written the special tokens already.
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])
