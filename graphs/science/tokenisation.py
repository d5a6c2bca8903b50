"""From running text to an ordered list of word tokens.

The method says: lowercase, remove punctuation, split on white space. Written for ASCII, that sentence leaves open what
to do with ``’``, ``—``, ``α-Fe₂O₃``, ``mg/L`` or ``3.5``. The rules below settle it, in the order in which they act:

1. **Letter-like signs.** Every apostrophe-like sign (``' ’ ‘ ` ´ ʼ ′``) is deleted, so ``doesn't`` and ``doesn’t`` are
   both ``doesnt``. Trade marks ``™ ℠`` and free-standing accents are deleted before they could turn into letters.
2. **NFKC.** Compatibility forms become plain ones: ``ﬁ`` → ``fi``, ``Fe₂O₃`` → ``Fe2O3``, ``m²`` → ``m2``, the micro
   sign → Greek ``μ``, full-width → ASCII, no-break space → space, ``½`` → ``1⁄2``.
3. **Lower case**, Unicode's: ``Α`` → ``α``.
4. **Pauses part words.** An em dash ``—``, a horizontal bar, two or more hyphens (``--``) and two or more full stops
   (``...`` or ``…``) become white space: ``river—traffic`` is two words.
5. **Hyphens are one character.** ``‐ ‑ ‒ – −`` (hyphens, en dash, minus) become ``-``; ``⁄ ∕`` become ``/``.
6. **Everything else that is not a letter, mark, digit or joiner is deleted**, without parting the word:
   ``Fe(III)`` → ``feiii``, ``1,000`` → ``1000``, ``e.g.`` → ``eg``, ``p<0.05`` → ``p0.05``. Invisible characters
   (soft hyphen, zero-width space, byte-order mark, controls) go the same way.
7. **Joiners survive inside a token only**: ``-`` and ``/`` between two letters or digits, ``.`` between two digits.
   So ``α-Fe2O3`` → ``α-fe2o3``, ``mg/L`` → ``mg/l``, ``3.5`` stays, ``10⁻³`` → ``10-3``, ``-5`` → ``5``.
8. **NFKC again**, since rules 3 and 6 can leave a letter beside its accent; then **split on white space**; a token
   without any letter or digit is dropped.

Word boundaries are therefore exactly the method's (white space after removing punctuation), except for the pauses
of rule 4. Joiners change how a token reads, and keep ``3.5`` apart from ``35``; they never change how many tokens
there are.
Line-end hyphenation (``co-`` / ``occurrence``), markup and languages written without spaces are not undone here.

References
----------
Unicode Standard Annex 15, *Unicode Normalization Forms*.
"""

import re
import unicodedata

__all__ = ["tokenise"]

_APOSTROPHES = "'’‘‛`´ʹʼˈ′＇"
_MARKS_OF_TRADE = "™℠"
_PAUSES = "—―⸺⸻"
_HYPHENS = "-‐‑‒–−"
_SLASHES = "/⁄∕"

_PAUSE_RUN = re.compile(r"-{2,}|\.{2,}")
_STRAY_JOINER = re.compile(
    r"""
      (?<![^\s./-]) [-/]      # no letter or digit before the joiner
    | [-/] (?![^\s./-])       # none after it
    | (?<!\d) \.              # a full stop that is not a decimal point
    | \. (?!\d)
    """,
    re.VERBOSE,
)


class _LetterSigns(dict[int, str | None]):
    """Translation table of rule 1, filled in as characters are met."""

    def __missing__(self, codepoint: int) -> str | None:
        character = chr(codepoint)
        deleted = character in _APOSTROPHES + _MARKS_OF_TRADE or unicodedata.category(character) == "Sk"
        self[codepoint] = None if deleted else character
        return self[codepoint]


class _Characters(dict[int, str | None]):
    """Translation table of rules 4 to 6, filled in as characters are met."""

    def __missing__(self, codepoint: int) -> str | None:
        self[codepoint] = _replacement(chr(codepoint))
        return self[codepoint]


def _replacement(character: str) -> str | None:
    if character.isspace() or character in _PAUSES:
        return " "
    if character in _HYPHENS:
        return "-"
    if character in _SLASHES:
        return "/"
    if character == "." or unicodedata.category(character)[0] in "LMN":
        return character
    return None


_LETTER_SIGNS = _LetterSigns()
_CHARACTERS = _Characters()


def tokenise(text: str) -> list[str]:
    """Split a text into lower-case word tokens, in order of appearance.

    Parameters
    ----------
    text : str
        Any Unicode text; it may be empty.

    Returns
    -------
    list of str
        Non-empty tokens of letters, marks, digits and inner joiners. Stop words are still in it.

    Notes
    -----
    The rules, their order and their reasons are in the module's documentation. Tokenising is idempotent:
    ``tokenise(" ".join(tokenise(text))) == tokenise(text)``.

    Examples
    --------
    >>> tokenise("Small α-Fe₂O₃ particles don’t settle—they float at 3.5 mg/L.")
    ['small', 'α-fe2o3', 'particles', 'dont', 'settle', 'they', 'float', 'at', '3.5', 'mg/l']
    """
    text = unicodedata.normalize("NFKC", text.translate(_LETTER_SIGNS)).lower()
    text = text.translate(_LETTER_SIGNS).translate(_CHARACTERS)
    text = _STRAY_JOINER.sub("", _PAUSE_RUN.sub(" ", text))
    text = unicodedata.normalize("NFKC", text)
    return [token for token in text.split() if any(map(str.isalnum, token))]
