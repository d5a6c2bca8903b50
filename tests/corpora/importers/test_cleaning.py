import pytest

from corpora.importers.cleaning import clean, normalise_doi, tidy
from corpora.importers.records import Record

LONG = "Thickened tailings were deposited in thin layers and their settling was followed for ninety days in the field."


@pytest.mark.parametrize(
    ("given", "bare"),
    [
        ("10.5555/ABC.Def", "10.5555/abc.def"),
        ("https://doi.org/10.5555/abc", "10.5555/abc"),
        ("http://dx.doi.org/10.5555/abc", "10.5555/abc"),
        ("doi:10.5555/abc", "10.5555/abc"),
        ("DOI: https://doi.org/10.5555/abc.", "10.5555/abc"),
        (" 10.5555/abc\n", "10.5555/abc"),
        ("10.5555/s0001(99)00001-2", "10.5555/s0001(99)00001-2"),
        ("", ""),
        ("n/a", ""),
        ("10.5555", ""),
        ("10.5555/" + "x" * 600, ""),
    ],
)
def test_doi(given, bare):
    assert normalise_doi(given) == bare


def test_tidy_composes_and_drops_what_cannot_be_seen():
    assert tidy("Pe\u0301rez\u200b  et\tal.\r\n\r\n  second\x07 ") == "P\u00e9rez et al.\nsecond"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, ""),
        ({"abstract": "  "}, "no_abstract"),
        ({"abstract": "[No abstract available]"}, "placeholder_abstract"),
        ({"abstract": "No abstract available."}, "placeholder_abstract"),
        ({"abstract": "N/A"}, "placeholder_abstract"),
        ({"abstract": "© 2017 IEEE."}, "no_abstract"),
        ({"title": ""}, "no_title"),
        ({"title": "[No title available]"}, "no_title"),
    ],
)
def test_problem(fields, problem):
    assert clean(Record(**{"row": 2, "title": "Layers", "abstract": LONG} | fields)).problem == problem


def test_oddities_are_noted_and_the_row_is_taken():
    row = clean(Record(row=2, title="T", abstract="Too short.", doi="unknown", year="n.d.", is_ragged=True))
    assert (row.problem, row.doi, row.year) == ("", "", None)
    assert row.oddities == ["ragged", "odd_doi", "odd_year", "short_abstract"]


@pytest.mark.parametrize(("given", "year"), [("2024", 2024), ("2024.0", 2024), ("May 1999", 1999), ("", None)])
def test_year(given, year):
    assert clean(Record(row=2, title="T", abstract=LONG, year=given)).year == year
