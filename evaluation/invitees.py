"""Who to invite, from what a researcher pasted: one person a line, as a name, an address, or both."""

import re
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from evaluation.errors import UploadError

__all__ = ["LONGEST_NAME", "Invitee", "read_people"]

LONGEST_NAME = 150
_ADDRESS = re.compile(r"[^\s<>,;\"]+@[^\s<>,;\"]+")


@dataclass(frozen=True)
class Invitee:
    """A person to invite; without a quota or kind of their own the ones of all apply."""

    name: str
    email: str = ""
    quota: int | None = None
    kind: str = ""


def read_people(pasted: str) -> list[Invitee]:
    """`Rita Rater <rita@example.org>`, `Rita Rater, rita@example.org`, an address alone, or a name alone."""
    people: list[Invitee] = []
    problems: list[str] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(pasted.splitlines(), start=1):
        if not line.strip():
            continue
        found = _ADDRESS.search(line)
        email = found[0].rstrip(".").lower() if found else ""
        rest = line.replace(found[0], " ") if found else line
        name = " ".join(rest.split()).strip(" ,;<>\"'")
        if email:
            try:
                validate_email(email)
            except ValidationError:
                words = _("Line %(line)s: %(address)r is no e-mail address. Correct it or leave it out.")
                problems.append(words % {"line": number, "address": email})
                continue
            if email in lines:
                words = _("Line %(line)s: %(address)s stands in line %(first)s already. Delete one of them.")
                problems.append(words % {"line": number, "address": email, "first": lines[email]})
                continue
            lines[email] = number
        name = name or email.partition("@")[0]
        if not name or len(name) > LONGEST_NAME:
            problems.append(_("Line %(line)s: a name of 1 to 150 characters is needed.") % {"line": number})
            continue
        people.append(Invitee(name, email))
    if not people and not problems:
        problems.append(_("Nobody is named. Write one person a line: a name, an e-mail address, or both."))
    if problems:
        raise UploadError(problems)
    return people
