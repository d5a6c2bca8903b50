import io

import openpyxl
import pytest

from evaluation.errors import UploadError
from evaluation.uploads import TextRow, read_texts

PLAIN = "id,question,text\na,Why?,Größe zählt\nb,,Zweiter Text\n"
ROWS = [TextRow("a", "Why?", "Größe zählt"), TextRow("b", "", "Zweiter Text")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_every_common_encoding_is_read(encoding: str) -> None:
    assert read_texts(PLAIN.encode(encoding)) == ROWS


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_of_either_order_is_told_by_its_mark(encoding: str) -> None:
    assert read_texts(("\ufeff" + PLAIN).encode(encoding)) == ROWS


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends_are_told_by_the_file(delimiter: str, newline: str) -> None:
    lines = [["id", "question", "text"], ["a", "Why?", "Größe zählt"], ["b", "", "Zweiter Text"]]
    assert read_texts(newline.join(delimiter.join(line) for line in lines).encode()) == ROWS


def test_commas_quotes_and_line_breaks_in_a_text_stay_in_it() -> None:
    (row,) = read_texts(b'id,text\na,"One, ""two""\nthree"\n')
    assert row.text == 'One, "two"\nthree'


def test_columns_are_found_by_name_and_others_left_alone() -> None:
    (row,) = read_texts(b"note, Text ,ID\nx,The text,a\n\n,,\n")
    assert row == TextRow("a", "", "The text")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"id,text\n", "no texts"),
        (b"text\nx\n", "row 1: no column id"),
        (b"body\nx\n", "no column id and no column text"),
        (b"id,text,text\na,x,y\n", "two columns are called text"),
        (b"id,text\na,x\nb,\n", r"row 3: no text\. Fill it in"),
        (b"id,text\n ,x\n", "row 2: no id"),
        (b"id,text\na,x\nb,y\na,z\n", "row 4: the id 'a' was used in row 2 already"),
        (b"id,text\na,x\nloose line\n", "row 3: only 1 cells"),
        (b"id,text\na,x\0y\n", "null"),
        (b'id,text\na,"open\n', "Put texts into double quotes"),
        (b"id,text\n" + b"i" * 201 + b",x\n", "the id has 201 characters"),
        (b"id,text\na," + b"x" * 100_001, "the text has 100,001 characters"),
        (
            b"id,text,kind\na,x,rehearsal\n",
            "row 2: the kind “rehearsal” is unknown. Write rated, practice or",
        ),
        (b"id,text,feedback\na,x,Good\n", "row 2: feedback is shown after practice texts only"),
        (b"id,text,expected: fit\na,x,high\n", "row 2: a rated text has no expected level"),
        (b"id,text,kind\na,x,attention\n", "row 2: an attention check without an expected level"),
        (b"id,text,expected: fit,Expected fit\n", "row 1: two columns are called fit"),
        (b"id,text,kind,feedback\na,x,practice," + b"f" * 10_001 + b"\n", "the feedback has 10,001 characters"),
        (b"PK\x03\x04 no workbook", "not a workbook that can be read"),
        (b"\x81\x8d", "no encoding known here"),
        (b"\xff\xfea", "no encoding known here"),
    ],
)
def test_a_bad_file_is_refused_with_place_and_remedy(content: bytes, problem: str) -> None:
    with pytest.raises(UploadError, match=problem) as refused:
        read_texts(content, name="study.csv")
    assert all("study.csv" in line for line in refused.value.problems)


def test_many_problems_are_cut_short() -> None:
    with pytest.raises(UploadError) as refused:
        read_texts(("id,text\n" + ",x\n" * 50).encode())
    assert len(refused.value.problems) == 21
    assert refused.value.problems[-1] == "… and 30 more rows like these."


KINDS = [
    ["ID", "Text", "Kind", "Feedback", "Expected: Meaningfulness", "expected importance"],
    ["a", "A.", "", "", "", ""],
    ["p", "P.", "Practice", "Since …", "low", "High"],
    ["c", "C.", "attention check", "", "", "medium"],
]
KIND_ROWS = [
    TextRow("a", "", "A."),
    TextRow("p", "", "P.", "practice", "Since …", (("meaningfulness", "low"), ("importance", "High"))),
    TextRow("c", "", "C.", "attention", "", (("importance", "medium"),)),
]


def test_kinds_feedback_and_expected_levels_have_columns() -> None:
    rows = read_texts("\n".join(";".join(line) for line in KINDS).encode(), name="texts.csv")
    assert rows == KIND_ROWS
    assert rows[1].place == "texts.csv, row 3"


def test_a_workbook_is_read_like_a_csv_file() -> None:
    book = openpyxl.Workbook()
    for line in KINDS:
        book.active.append(line)
    book.active.cell(row=6, column=1, value=7)
    book.active.cell(row=6, column=2, value="Seven.")
    file = io.BytesIO()
    book.save(file)
    assert read_texts(file.getvalue()) == [*KIND_ROWS, TextRow("7", "", "Seven.")]
    book.active.cell(row=3, column=2, value="")
    file = io.BytesIO()
    book.save(file)
    with pytest.raises(UploadError, match=r"texts.xlsx, row 3: no text\."):
        read_texts(file.getvalue(), name="texts.xlsx")
