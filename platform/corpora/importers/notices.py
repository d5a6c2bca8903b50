"""Copyright notices around an abstract, which are not part of it.

A notice is removed only where it stands alone at the very end or the very beginning, so that "Excel© sheets" or
"copyright protection" inside a text stay. At the end it begins with `©`, `Copyright` or `(C)` after a finished
sentence; its first sentence names a year, an author or a list of names; and every further sentence speaks of
publishing or licences. At the beginning only sentences with the set phrases of publishers are taken. When in doubt the
text stays.
"""

import re
from dataclasses import dataclass

__all__ = ["Stripped", "strip_notices"]

LONGEST_NOTICE = 1500
MARK = r"(?:©|\bCopyrights?\b(?=\W{0,3}(?:©|\([cC]\)|\d{4}|by\b|The\b))|\([cC]\)(?=\s*(?:\d{4}|Copyright)))"
ENDED = r"(?:^|[.!?:;)\]\"”’'»]\s*|\n\s*)"
# Some texts lack their last full stop; there the sign must be followed by a year or "The Author(s)".
UNPUNCTUATED = r"\s(?=©\s*(?:(?:1[89]|20)\d{2}|The Author))"
TRAILING = re.compile(rf"(?:{ENDED}|{UNPUNCTUATED})(?P<notice>{MARK})")
LEADING = re.compile(rf"\s*{MARK}")
DATED = re.compile(r"\b(?:1[89]|20)\d{2}\b|\bauthors?\b", re.IGNORECASE)
RESERVED = re.compile(r"\brights? (?:are )?reserved", re.IGNORECASE)
LEGAL = re.compile(
    r"©|rights? (?:are )?reserved|copyright|published|publisher|licen[cs]|open[ -]access|creative commons|permission"
    r"|permitted|reproduc|redistribut|on behalf of|public domain|bibliographic information|https?://|www\.|e-?mail|trademark"
    r"|prohibited|\bpress\b|\bauthor\(?s?\)?|\bCC[ -]BY\b",
    re.IGNORECASE,
)
PUBLISHERS_PHRASE = re.compile(
    r"(?:all rights (?:are )?reserved|published (?:online )?by|licensee|this is an open[ -]access article"
    r"|this article is (?:an )?(?:open|published|distributed|licen)|for permissions|unauthori[sz]ed reproduction"
    r"|originally published in|distributed under|reproduced with permission)",
    re.IGNORECASE,
)
# A full stop that ends a sentence; "B.V.", "et al." and initials do not.
SENTENCE_END = re.compile(r"(?<!\b[A-Z])(?<!\bal)(?<!\bSt)(?<!\bvol)[.;]\s+(?=[\"“(]?[A-Z©])")


@dataclass(frozen=True, slots=True)
class Stripped:
    text: str
    leading: str = ""
    trailing: str = ""


def strip_notices(text: str) -> Stripped:
    """The text without the notices at its ends, and those notices."""
    leading = _leading_notice(text)
    rest = text[len(leading) :].strip()
    trailing = _trailing_notice(rest)
    return Stripped(rest[: len(rest) - len(trailing)].strip(), leading.strip(), trailing)


def _trailing_notice(text: str) -> str:
    """The longest end of the text that is a notice from its mark on."""
    for match in TRAILING.finditer(text, max(0, len(text) - LONGEST_NOTICE)):
        candidate = text[match.start("notice") :]
        if _is_notice(candidate):
            return candidate
    return ""


def _leading_notice(text: str) -> str:
    if not (mark := LEADING.match(text)):
        return ""
    ends = [match.end() for match in SENTENCE_END.finditer(text, mark.end(), LONGEST_NOTICE)]
    if not ends or not _opens_notice(text[: ends[0]]):
        return ""
    last = ends[0]
    for end in ends[1:]:
        if not PUBLISHERS_PHRASE.match(text, last):
            break
        last = end
    return text[:last]


def _is_notice(candidate: str) -> bool:
    first, *others = _sentences(candidate)
    opens = _opens_notice(first) or bool(RESERVED.search(candidate)) or not candidate.strip("© ")
    return opens and all(LEGAL.search(one) or _is_names(one) for one in others)


def _opens_notice(sentence: str) -> bool:
    body = re.sub(rf"^\s*(?:{MARK}\W*)+", "", sentence)
    return len(sentence) < 700 and bool(DATED.search(sentence) or _is_names(body))


def _is_names(sentence: str) -> bool:
    """Nearly every word begins with a capital, as in a list of authors or the name of a publisher."""
    words = [word for word in re.findall(r"[^\W\d_][\w'’.-]*", sentence) if len(word) > 3]
    return bool(words) and sum(word[0].isupper() for word in words) >= 0.75 * len(words)


def _sentences(text: str) -> list[str]:
    pieces, start = [], 0
    for match in SENTENCE_END.finditer(text):
        pieces.append(text[start : match.end()])
        start = match.end()
    return [*pieces, text[start:]]
