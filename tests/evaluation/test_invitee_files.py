"""People to invite, from CSV files as they come."""

import pytest

from evaluation.errors import UploadError
from evaluation.invitee_files import MOST_PEOPLE, read_people_file
from evaluation.invitees import Invitee

TEXT = "Name;E-Mail;Quota;Kind\nAna Díaz;ANA@example.org;5;once\nKim;;;\n;lee@example.org;;personal\n"
PEOPLE = [
    Invitee("Ana Díaz", "ana@example.org", 5, "once"),
    Invitee("Kim"),
    Invitee("lee", "lee@example.org", None, "personal"),
]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_common_files_are_read(delimiter: str, encoding: str) -> None:
    assert read_people_file(TEXT.replace(";", delimiter).encode(encoding)) == PEOPLE


def test_columns_may_stand_in_any_order_and_be_left_out() -> None:
    assert read_people_file(b"room,email\r\n12,a@example.org\r\n\r\n") == [Invitee("a", "a@example.org")]
    assert read_people_file(b'"name"\n"Lee, Kim"') == [Invitee("Lee, Kim")]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "x.csv names nobody"),
        (b"id,text\n1,a\n", "neither a column name nor a column email"),
        (b"name,name\nA,B\n", "two columns are called name"),
        (b"name,email\nA,a@b\n", r"x.csv, row 2: 'a@b' is no e-mail address"),
        (b"email\na@example.org\nA@example.org\n", "row 3: a@example.org stands in row 2 already"),
        (b"name,quota\nA,0\n", "row 2: the quota '0' is no whole number from 1"),
        (b"name,quota\nA,1e3\n", "row 2: the quota"),
        (b"name,kind\nA,shared\n", "row 2: the kind 'shared' is unknown"),
        (b"name,email\n,\nB,\n ,x@example.org\n" + b"y" * 151 + b",\n", "row 5: a name of 1 to 150"),
        (b'name\n"never closed', "line 2"),
        (b"name\nA\0B\n", "row 2: a null character|line"),
        (b"name\n" + b"A\n" * (MOST_PEOPLE + 1), "more than 5000 people"),
        (b"\xff\xfea", "no encoding known here"),
    ],
)
def test_what_cannot_be_read_is_named_with_file_row_and_remedy(content: bytes, problem: str) -> None:
    with pytest.raises(UploadError, match=problem):
        read_people_file(content, name="x.csv")


def test_many_problems_are_cut_short() -> None:
    with pytest.raises(UploadError) as refused:
        read_people_file(b"name,quota\n" + b"A,x\n" * 50)
    assert len(refused.value.problems) == 21
    assert "30 more" in refused.value.problems[-1]
