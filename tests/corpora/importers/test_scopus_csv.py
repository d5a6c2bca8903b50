"""Files as they come: encodings, delimiters, odd rows, and those that are refused with a way out."""

import pytest

from corpora.importers import Refused, open_export

HEADER = "Authors,Title,Year,Source title,DOI,Abstract"
ROW = 'Doe J.,Froth,2020,Minerals,10.5555/a,"Bubbles, and more"'


@pytest.fixture
def write(tmp_path):
    def write(content, name="scopus.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_reads_the_columns_that_matter(write):
    (record,) = open_export(write(f"{HEADER}\n{ROW}\n"))
    assert (record.row, record.title, record.abstract) == (2, "Froth", "Bubbles, and more")
    assert (record.authors, record.year, record.source, record.doi) == ("Doe J.", "2020", "Minerals", "10.5555/a")
    assert not record.is_ragged


@pytest.mark.parametrize(
    ("encoding", "named"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("cp1252", "cp1252"),
    ],
)
def test_encodings(write, encoding, named):
    source = open_export(write(f"{HEADER}\n{ROW.replace('Froth', 'Schäume – naß')}\n".encode(encoding)))
    assert source.encoding == named
    assert [record.title for record in source] == ["Schäume – naß"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiters(write, delimiter):
    text = "\r\n".join(
        delimiter.join(cells) for cells in (["ABSTRACT ", "title", "Doi"], ["Bubbles rise", "Froth", "10.5555/a"])
    )
    (record,) = open_export(write(text))
    assert (record.title, record.abstract, record.doi) == ("Froth", "Bubbles rise", "10.5555/a")


def test_spreadsheet_hint_is_no_header(write):
    (record,) = open_export(write("sep=;\nTitle;Abstract\nFroth;Bubbles\n"))
    assert (record.row, record.title) == (2, "Froth")


def test_line_breaks_in_cells_and_empty_rows_keep_the_count_of_a_spreadsheet(write):
    records = list(open_export(write('Title,Abstract\nA,"one\ntwo"\n,\n\nB,three\n')))
    assert [(record.row, record.abstract) for record in records] == [(2, "one\ntwo"), (5, "three")]


def test_rows_of_another_length_are_read_from_the_left_and_marked(write):
    records = list(open_export(write("Title,Abstract,DOI\nA,x,10.5555/a,extra\nB,y\n")))
    assert [(record.abstract, record.doi, record.is_ragged) for record in records] == [
        ("x", "10.5555/a", True),
        ("y", "", True),
    ]


@pytest.mark.parametrize(
    ("header", "missing"),
    [
        ("Document Title,Abstract Note,Journal", ["DOI", "Authors", "Year"]),
        ("TI,AB,DI,AU,PY,SO", []),
        ("Title,Abstract,Source", ["DOI", "Authors", "Year", "Source title"]),
    ],
)
def test_headings_of_other_tools_are_understood(write, header, missing):
    assert open_export(write(f"{header}\n{',x' * header.count(',')}\n")).missing_columns == missing


def test_very_long_fields_are_read(write):
    (record,) = open_export(write(f'Title,Abstract\nA,"{"word " * 40_000}"\n'))
    assert len(record.abstract) == 200_000


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["scopus.csv is empty", "Export"]),
        (b"Authors,Title,DOI\na,b,c\n", ["scopus.csv has no Abstract column", "Authors, Title, DOI", "Export"]),
        (b"Foo,Bar\n1,2\n", ["no Title and no Abstract columns", "Foo, Bar"]),
        (b"just a line of prose\n", ["not a CSV table"]),
        (b"\n\n\n", ["not a CSV table"]),
        (b"PK\x03\x04rest", ["Excel", "CSV UTF-8"]),
        (b"%PDF-1.7 ...", ["PDF"]),
        (b"TY  - JOUR\nTI  - x\n", ["RIS"]),
        (b"\xef\xbb\xbf@article{a,\n title={x}}", ["BibTeX"]),
        (b"FN Clarivate\nVR 1.0\n", ["Web of Science"]),
        (b"PMID- 1\n", ["MEDLINE"]),
        (b'{"a": 1}', ["JSON"]),
        (b"<!doctype html><p>", ["web page"]),
        (b"Title,Abstract\na,\x00\x01\x02\n", ["not a text file"]),
        (b"Title,Abstract\na,\x81\x8d\x8f\n", ["not text that can be read"]),
    ],
)
def test_refusals_name_the_file_and_the_way_out(write, content, words):
    with pytest.raises(Refused) as refusal:
        open_export(write(content))
    assert "scopus.csv" in str(refusal.value)
    for word in words:
        assert word in str(refusal.value)


def test_refusal_shows_the_name_that_people_know(write):
    with pytest.raises(Refused, match=r"my export\.csv is empty"):
        open_export(write(b"", "a1b2"), name="my export.csv")


def test_a_quotation_mark_that_swallows_the_file_is_refused_with_its_line(write):
    with pytest.raises(Refused, match=r"scopus\.csv, line \d+: .*quotation mark"):
        list(open_export(write('Title,Abstract\nA,"' + "endless words\n" * 200_000)))
