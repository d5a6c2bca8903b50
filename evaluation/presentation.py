"""How texts look to a reviewer: one neutral form for all items, and instructions from Markdown, made safe."""

import re
import unicodedata

import markdown  # type: ignore[import-untyped]
import nh3

__all__ = ["FORMAT", "neutral_text", "render_markdown"]

# Part of a launched study's hash: raise the number when what reviewers see would change.
FORMAT = "neutral-1"

_QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
_RULES = (
    (re.compile(r"^[ \t]*(?:```\w*|[-*_]{3,})[ \t]*$", re.MULTILINE), ""),  # fences and rules
    (re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+•][ \t]+)", re.MULTILINE), ""),  # headings, quotes, bullets
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1", re.DOTALL), r"\2"),  # strong
    (re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])"), r"\1"),  # emphasis
    (re.compile(r"(?<=[.!?])\s*(?:©|\(c\)(?=\s*\d{4}))[^©]{0,200}$", re.IGNORECASE), ""),  # a publisher's line
    (re.compile(r"^\s*(?:©|\(c\)(?=\s*\d{4}))\s*\d{4}[^.]*\.\s*(?:all rights reserved\.\s*)?", re.IGNORECASE), ""),
    (re.compile(r"^\s*(?:the\s+)?abstract\s*[:.—–-]\s*", re.IGNORECASE), ""),
    (re.compile(r"^\s*abstract\s*\n", re.IGNORECASE), ""),
)
_TAGS = {"p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "a", "h2", "h3", "h4"}
_TAGS |= {"table", "thead", "tbody", "tr", "th", "td", "sub", "sup", "del"}


def neutral_text(body: str) -> str:
    """One running paragraph without anything that tells where it was written.

    Markdown marks, a leading "Abstract:", a publisher's copyright line and typographic quotes go; words, numbers,
    formulas and the punctuation between sentences stay.
    """
    text = unicodedata.normalize("NFC", body).translate(_QUOTES).replace("\u00a0", " ").replace("\u00ad", "")
    text = re.sub(r"[\u200b\u2060\ufeff]", "", text).replace("\r\n", "\n").strip()
    for pattern, replacement in _RULES:
        shorter = pattern.sub(replacement, text)
        text = shorter if shorter.strip() else text
    return " ".join(text.split())


def render_markdown(source: str) -> str:
    """HTML of a few harmless elements; headings begin at h2, since the page has its h1."""
    html = markdown.markdown(source, extensions=["sane_lists", "tables"], output_format="html")
    html = re.sub(r"<(/?)h([1-6])>", lambda found: f"<{found[1]}h{min(int(found[2]) + 1, 4)}>", html)
    return nh3.clean(html, tags=_TAGS, attributes={"a": {"href", "title"}}, url_schemes={"http", "https", "mailto"})
