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
