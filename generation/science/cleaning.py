"""From what a model wrote to the abstract in it.

Models add labels, titles, markdown and remarks. A rater would recognise a generated text by them, and a graph would
count their words, so they are taken off by the fixed steps below, in this order. Each step that changed something is
named in the result; the raw output is kept beside the abstract, and the version of the steps in its provenance.

thoughts    `<think> … </think>` and everything before a closing tag whose opening was part of the prompt
tokens      control tokens such as `<|im_end|>` and `</s>`, and whatever follows the first of them
fence       a code fence around the whole
preamble    an opening remark ("Sure, here is the abstract:")
title       a title line or heading before the abstract
label       "Abstract:", "**Proposed abstract**", "# Abstract"
tail        keywords, references, notes and closing remarks after the abstract
markdown    emphasis, headings, list marks, block quotes, links (their words stay)
quotes      quotation marks around the whole
spacing     one paragraph, single spaces
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["CLEANING_VERSION", "Cleaned", "clean_abstract"]

CLEANING_VERSION = 1


@dataclass(frozen=True)
class Cleaned:
    """The abstract (empty if nothing was left) and the steps that changed something."""

    text: str
    steps: tuple[str, ...]


THOUGHT = re.compile(r"^.*?</(think|thinking|reasoning)>", re.IGNORECASE | re.DOTALL)
OPEN_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*", re.IGNORECASE | re.DOTALL)
CONTROL_TOKEN = re.compile(r"(<\|[^|<>\n]{1,40}\|>|</?s>|<(?:start|end)_of_turn>|\[/?INST\]).*", re.DOTALL)
LEADING_TOKENS = re.compile(r"^(\s*(<\|[^|<>\n]{1,40}\|>|<s>|<(?:start|end)_of_turn>|\[/?INST\]))+")
FENCE = re.compile(r"^```[\w-]*\n(.*?)\n?```\s*$", re.DOTALL)
PREAMBLE = re.compile(
    r"^(?:sure|certainly|of course|absolutely|okay|ok|great|here(?:'s|’s| is| are)|below is|the following is|"
    r"based on (?:the|your|these))\b[^\n]{0,200}?(?::|[.!](?=\s*\n))\s*",
    re.IGNORECASE,
)
MARKS = r"[*_#>\s]*"
TITLE = re.compile(rf"^{MARKS}(?:proposed |working )?title{MARKS}:{MARKS}[^\n]*\n+", re.IGNORECASE)
HEADING = re.compile(r"^(?:#{1,6}\s+(?!abstract\b)[^\n]+|\*\*(?!abstract\b)[^*\n.]{5,200}\*\*)\s*\n+", re.IGNORECASE)
LABEL = re.compile(
    rf"^{MARKS}(?:(?:proposed|new|generated|final|scientific) )?abstract(?:{MARKS}[:.–—-]{MARKS}|[*_]+\s*|\s*\n+)",
    re.IGNORECASE,
)
TAIL = re.compile(
    rf"\n\s*{MARKS}(?:key ?words?|index terms|references?|word count|notes?){MARKS}(?::|\n).*"
    r"|\n\s*(?:let me know|i hope|feel free|please (?:let|note)|this abstract|would you like|if you(?:'d| would| need)|"
    r"-{3,}|\*{3,}).*",
    re.IGNORECASE | re.DOTALL,
)
MARKDOWN = (
    (re.compile(r"^\s*(?:-{3,}|\*{3,}|_{3,})\s*$", re.MULTILINE), ""),
    (re.compile(r"^\s{0,3}#{1,6}\s+", re.MULTILINE), ""),
    (re.compile(r"^\s{0,3}>\s?", re.MULTILINE), ""),
    (re.compile(r"^\s{0,3}(?:[-*+•]|\d{1,2}[.)])\s+", re.MULTILINE), ""),
    (re.compile(r"!?\[([^\]\n]+)\]\((?:https?://|#|mailto:)[^)\s]*\)"), r"\1"),
    (re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__"), lambda match: match[1] or match[2]),
    (re.compile(r"(?<![\w*])\*([^*\s][^*\n]*?)\*(?![\w*])|(?<!\w)_([^_\s][^_\n]*?)_(?!\w)"), lambda m: m[1] or m[2]),
    (re.compile(r"`([^`\n]+)`"), r"\1"),
)
QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“"}


def clean_abstract(raw: str) -> Cleaned:
    """Take labels, markdown and remarks off a model's raw output (the steps are listed in this module's text)."""
    steps: list[str] = []
    text = unicodedata.normalize("NFC", raw).replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").strip()
    for name, step in STEPS:
        changed = step(text).strip()
        if changed != text:
            steps.append(name)
            text = changed
    return Cleaned(text, tuple(steps))


def _thoughts(text: str) -> str:
    return OPEN_THOUGHT.sub("", THOUGHT.sub("", text))


def _tokens(text: str) -> str:
    return CONTROL_TOKEN.sub("", LEADING_TOKENS.sub("", text))


def _fence(text: str) -> str:
    return FENCE.sub(r"\1", text)


def _preamble(text: str) -> str:
    match = PREAMBLE.match(text)
    # "Based on the tests, recovery rose." begins an abstract; a remark stands on a line of its own or ends in a colon.
    if match is None or not text[match.end() :].strip():
        return text
    ends_line = match[0].endswith("\n") or "\n" in match[0]
    names_abstract = "abstract" in match[0].lower()
    return text[match.end() :] if ends_line or names_abstract else text


def _title(text: str) -> str:
    return HEADING.sub("", TITLE.sub("", text))


def _label(text: str) -> str:
    return LABEL.sub("", text)


def _tail(text: str) -> str:
    return TAIL.sub("", text)


def _markdown(text: str) -> str:
    for pattern, replacement in MARKDOWN:
        text = pattern.sub(replacement, text)
    return text


def _quotes(text: str) -> str:
    is_quoted = len(text) > 2 and QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]
    return text[1:-1] if is_quoted else text


def _spacing(text: str) -> str:
    return " ".join(text.split())


STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("thoughts", _thoughts),
    ("tokens", _tokens),
    ("fence", _fence),
    ("preamble", _preamble),
    ("title", _title),
    ("label", _label),
    ("tail", _tail),
    ("markdown", _markdown),
    ("quotes", _quotes),
    ("spacing", _spacing),
)
