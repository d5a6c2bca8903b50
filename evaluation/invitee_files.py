"""Who to invite, from a CSV file with the columns name, email, quota and kind (the first or the second is enough).

The whole file is read before anything is stored: one bad row refuses it, naming file, row and remedy.
"""

import csv
import io

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from evaluation.encodings import decode
from evaluation.errors import UploadError
from evaluation.invitees import LONGEST_NAME, Invitee
from evaluation.models import Invitation

__all__ = ["MOST_PEOPLE", "read_people_file"]

MOST_PEOPLE, MOST_PROBLEMS, LARGEST_QUOTA = 5000, 20, 1_000_000
_COLUMNS = {
    "name": "name",
    "nombre": "name",
    "email": "email",
    "e-mail": "email",
    "mail": "email",
    "correo": "email",
    "quota": "quota",
    "at most": "quota",
    "kind": "kind",
}
_KINDS = {
    "": "",
    "personal": Invitation.Kind.PERSONAL,
    "once": Invitation.Kind.ONCE,
    "one-time": Invitation.Kind.ONCE,
}


def read_people_file(content: bytes, *, name: str = "the file") -> list[Invitee]:
    """The people of a CSV (comma, semicolon, tab or bar; UTF-8, UTF-16 or Windows-1252), or an UploadError."""
    source = decode(content, name=name)
    header = source.lstrip("\r\n").partition("\n")[0]
    reader = csv.reader(io.StringIO(source, newline=""), delimiter=max(",;\t|", key=header.count), strict=True)
    columns: dict[str, int] | None = None
    people: list[Invitee] = []
    problems: list[str] = []
    rows: dict[str, int] = {}
    try:
        for number, cells in enumerate(reader, start=1):
            if not any(cell.strip() for cell in cells):
                continue
            if columns is None:
                columns = _columns(cells, name)
                continue
            try:
                person = _person({key: cells[at].strip() for key, at in columns.items() if at < len(cells)})
                if person.email and (first := rows.setdefault(person.email, number)) != number:
                    words = _("%(address)s stands in row %(first)s already. Delete one of them.")
                    raise ValueError(words % {"address": person.email, "first": first})
            except ValueError as problem:
                where = _("%(file)s, row %(row)s: ") % {"file": name, "row": number}
                problems.append(f"{where}{problem}")
            else:
                people.append(person)
    except csv.Error as error:
        where = _("%(file)s, line %(line)s: ") % {"file": name, "line": reader.line_num}
        problems.append(f"{where}{error}")
    return _all_or_none(people, problems, name)


def _all_or_none(people: list[Invitee], problems: list[str], name: str) -> list[Invitee]:
    if len(people) > MOST_PEOPLE:
        words = _("%(file)s names more than %(most)s people. Split it, and upload the parts.")
        problems = [words % {"file": name, "most": MOST_PEOPLE}]
    if not people and not problems:
        words = _("%(file)s names nobody. Give it the columns name and email, and a row a person.")
        problems = [words % {"file": name}]
    if problems:
        more = len(problems) - MOST_PROBLEMS
        rest = [_("… and %(more)s more rows like these.") % {"more": more}] if more > 0 else []
        raise UploadError(problems[:MOST_PROBLEMS] + rest)
    return people


def _columns(cells: list[str], name: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for index, cell in enumerate(cells):
        column = _COLUMNS.get(cell.strip().lower())
        if column in found:
            words = _("%(file)s: two columns are called %(column)s. Rename or delete one.")
            raise UploadError([words % {"file": name, "column": column}])
        if column:
            found[column] = index
    if not {"name", "email"} & set(found):
        words = _("%(file)s has neither a column name nor a column email. Name the columns in the first row.")
        raise UploadError([words % {"file": name}])
    return found


def _person(cells: dict[str, str]) -> Invitee:
    """Raises ValueError, in words, for a row that names nobody properly."""
    if any("\0" in cell for cell in cells.values()):
        raise ValueError(_("a null character. Save the file as UTF-8 text and try again."))
    email, quota, kind = cells.get("email", "").lower(), cells.get("quota", ""), cells.get("kind", "").lower()
    name = " ".join(cells.get("name", "").split()) or email.partition("@")[0]
    if not name or len(name) > LONGEST_NAME:
        raise ValueError(_("a name of 1 to 150 characters is needed, or an e-mail address."))
    if email:
        try:
            validate_email(email)
        except ValidationError:
            words = _("%(address)r is no e-mail address. Correct it or leave the cell empty.")
            raise ValueError(words % {"address": email}) from None
    if quota and not (quota.isascii() and quota.isdecimal() and 1 <= int(quota[:9]) <= LARGEST_QUOTA):
        words = _("the quota %(quota)r is no whole number from 1. Leave the cell empty for no limit.")
        raise ValueError(words % {"quota": quota})
    if kind not in _KINDS:
        words = _("the kind %(kind)r is unknown. Write personal (works again and again) or once.")
        raise ValueError(words % {"kind": kind})
    return Invitee(name, email, int(quota) if quota else None, _KINDS[kind])
