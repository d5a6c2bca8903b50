"""Whether a person stands in a list of authors, as bibliographies write them: `Rater, Rita M.; Doe, J.`, `R. Rater`, …

Names that could be the same are taken to be: a text kept from somebody who did not write its source costs little, and a
researcher can lift it.
"""

import re
import unicodedata
from collections.abc import Iterator

__all__ = ["author_like"]

# Between two authors for certain; a comma may stand between authors or between surname and given name.
_BETWEEN = re.compile(r"[;|\n&]|\s(?:and|y|et|und|e)\s", re.IGNORECASE)
_PARTICLES = {"al", "da", "das", "de", "del", "den", "der", "di", "do", "dos", "du", "el", "la", "le", "van", "von"}
_TITLES = {"dr", "prof", "professor", "mr", "mrs", "ms", "msc", "phd"}
INITIALS = 2  # letters up to which a word may be initials


def author_like(authors: str, *, name: str) -> str | None:
    """The author in the list who may be this person, as the list writes them; None where nobody is."""
    words = [word for word in _words(_given_name_first(name)) if word not in _TITLES]
    if not words:
        return None
    for author in _authors(authors):
        if _may_be(_words(_given_name_first(author)), words, is_ordered="," in author):
            return author
    return None


def _may_be(author: list[str], person: list[str], *, is_ordered: bool) -> bool:
    """Whether a surname of the person stands in the author and the given name fits; without a comma in either order."""
    if len(person) == 1:
        return len(person[0]) > 1 and author == person
    surnames = {word for word in person[1:] if len(word) > INITIALS and word not in _PARTICLES} or set(person[-1:])
    if len(author) < 2:
        return False
    if surnames & set(author[1:]) and _fits(author[0], person[0]):
        return True
    return not is_ordered and author[0] in surnames and _fits(author[1], person[0])


def _fits(one: str, other: str) -> bool:
    """The same given name, or initials that could be its."""
    if len(one) <= INITIALS or len(other) <= INITIALS:
        return one[0] == other[0]
    return one == other


def _authors(authors: str) -> Iterator[str]:
    for piece in _BETWEEN.split(authors):
        parts = [part.strip() for part in piece.split(",") if _words(part)]
        if len(parts) < 2:
            yield from parts
            continue
        if all(len(_words(part)) > 1 for part in parts):
            yield from parts
        # `Rater, Rita` is one author; `Rater, R., Doe, J.` two. Where commas do not pair up, neighbours are tried too.
        step = 2 if len(parts) % 2 == 0 else 1
        for place in range(0, len(parts) - 1, step):
            yield f"{parts[place]}, {parts[place + 1]}"


def _given_name_first(name: str) -> str:
    surname, comma, given = name.partition(",")
    return f"{given} {surname}" if comma else name


def _words(text: str) -> list[str]:
    """Words without accents, case, apostrophes and digits; hyphens part them."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "").replace("'", "")).casefold()
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.findall(r"[^\W\d_]+", plain)
