"""Who to invite, from what a researcher pasted: one person a line, as a name, an address, or both."""

import re
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from evaluation.errors import UploadError

__all__ = ["Invitee", "read_people"]

_ADDRESS = re.compile(r"[^\s<>,;\"]+@[^\s<>,;\"]+")


@dataclass(frozen=True)
class Invitee:
    name: str
    email: str = ""


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
                problems.append(f"Line {number}: {email!r} is no e-mail address. Correct it or leave it out.")
                continue
            if email in lines:
                problems.append(f"Line {number}: {email} stands in line {lines[email]} already. Delete one of them.")
                continue
            lines[email] = number
        name = name or email.partition("@")[0]
        if not name or len(name) > 150:
            problems.append(f"Line {number}: a name of 1 to 150 characters is needed.")
            continue
        people.append(Invitee(name, email))
    if not people and not problems:
        problems.append("Nobody is named. Write one person a line: a name, an e-mail address, or both.")
    if problems:
        raise UploadError(problems)
    return people
