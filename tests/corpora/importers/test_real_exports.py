"""Real exports, where they lie beside the check-out."""

from collections import Counter

import pytest

from corpora.importers import Refused, open_export
from corpora.importers.cleaning import clean

CASES = {
    # file: rows, placeholders for an abstract, empty abstracts, rows without DOI, notices removed at least
    "smart-on-fhir-literature-analysis/scopus.csv": (701, 49, 0, 22, 640),
    "metaknowledge/scopus_testing.csv.scopus": (220, 16, 0, 60, 100),
    "litstudy/scopus.csv": (58, 1, 0, 14, 40),
    "bibliometrix/scopus_sample.csv": (8, 0, 0, 0, 8),
    "citation-file-formatting/CSV/_baseline_scopus.csv": (10, 0, 0, 0, 10),
    "topic-modeling-scientific-literature/scopus.csv": (14, 0, 0, 14, 13),
    "slr_churn_unlearning_uid/scopus.csv": (83, 0, 2, 0, 0),
    "ScientoPy/wos_2026_04_02_1000.txt": (1000, 0, 0, 0, 0),
}


@pytest.mark.parametrize("name", CASES)
def test_counts(shared, name):
    total, placeholders, empty, without_doi, notices = CASES[name]
    rows = [clean(record) for record in open_export(shared / "corpora" / name)]
    problems = Counter(row.problem for row in rows if row.problem)
    assert len(rows) == total
    assert (problems["placeholder_abstract"], problems["no_abstract"]) == (placeholders, empty)
    if without_doi:
        assert sum(not row.doi for row in rows) == without_doi
    assert sum(bool(row.trailing_notice) for row in rows) >= notices


def test_rows_longer_than_the_header_keep_their_titles_and_abstracts(shared):
    rows = list(open_export(shared / "corpora/litstudy/scopus.csv"))
    assert sum(row.is_ragged for row in rows) == 56
    assert all(row.title and row.year.isdigit() and len(row.abstract) > 20 for row in rows)


def test_an_export_without_abstracts_is_refused(shared):
    with pytest.raises(Refused, match="has no Abstract column"):
        open_export(shared / "corpora/Scopus-AI/scopus.csv")


def test_a_layout_of_another_tool_is_taken_when_it_names_what_is_needed(shared):
    source = open_export(shared / "corpora/slr_churn_unlearning_uid/scopus.csv")
    assert source.layout == "CSV table (comma)"
    assert source.columns["Source title"] == "Journal"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("litsearchr/scopus.ris", "RIS"),
        ("pyBibX/wos.bib", "BibTeX"),
        ("metaknowledge/badFile.isi", "Web of Science"),
        ("revtools/restoration_pubmed.nbib", "MEDLINE"),
        ("citation-file-formatting/XLSX/_baseline.xlsx", "Excel"),
        ("citation-file-formatting/CSV/_baseline_pubmed.csv", "no Abstract column"),
    ],
)
def test_other_formats_are_named(shared, name, kind):
    with pytest.raises(Refused, match=kind):
        open_export(shared / "corpora" / name)
