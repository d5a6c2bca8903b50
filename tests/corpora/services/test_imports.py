"""From a file to documents: what is taken, what is left out and why, and that an import stands whole or not at all."""

import contextlib
import csv
import io
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection

from corpora.importers import Refused
from corpora.models import Corpus, CorpusImport, Document, Text
from corpora.services import confirm_import, create_corpus, import_file, run_import, stage_import
from leases.models import State
from leases.services import LeaseLost, cancel, claim

pytestmark = pytest.mark.django_db

LONG = (
    "Thickened tailings were deposited in thin layers on a gentle slope, and their settling, cracking and strength "
    "were followed for ninety days in the field."
)


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def corpus():
    return create_corpus(name="Tailings")


@pytest.fixture
def export(tmp_path):
    def export(*rows, name="scopus.csv"):
        path = tmp_path / name
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([("Title", "DOI", "Abstract", "Year", "Authors", "Source title"), *rows])
        return path

    return export


def test_documents_and_texts_are_stored(corpus, export):
    report = import_file(
        path=export(("Layers", "https://doi.org/10.5555/A", f"{LONG} © 2020 Example Ltd.", "2020", "Doe J.", "Mining")),
        corpus=corpus,
        dry_run=False,
    )
    document = Document.objects.get(corpus=corpus)
    assert (document.title, document.doi, document.year) == ("Layers", "10.5555/a", 2020)
    assert (document.authors, document.source, document.row_number) == ("Doe J.", "Mining", 2)
    assert document.text.body == LONG
    assert document.text.sha256 == Text.digest(LONG)
    assert (report.rows_read, report.imported, report.rows_skipped) == (1, 1, 0)
    assert report.trailing_notices == 1
    assert report.notice_examples == [{"row": 2, "notice": "© 2020 Example Ltd."}]


def test_each_reason_is_counted_with_its_rows(corpus, export):
    import_file(
        path=export(("Known", "10.5555/k", LONG), ("Without", "", f"{LONG} No DOI.")), corpus=corpus, dry_run=False
    )
    path = export(
        ("A", "10.5555/a", LONG + "a"),
        ("No abstract", "10.5555/b", ""),
        ("Placeholder", "10.5555/c", "[No abstract available]"),
        ("", "10.5555/d", LONG + "d"),
        ("Again", "10.5555/A", LONG + "other"),
        ("a", "", LONG + "a"),
        ("Known elsewhere", "10.5555/K", LONG + "k"),
        ("without", "10.5555/w", f"{LONG} No DOI."),
        ("Late abstract", "10.5555/b", LONG + "b"),
    )
    report = import_file(path=path, corpus=corpus, dry_run=False)
    assert {reason: tally.rows for reason, tally in report.skipped.items()} == {
        "no_abstract": [3],
        "placeholder_abstract": [4],
        "no_title": [5],
        "doi_twice": [6],
        "text_twice": [7],
        "doi_in_corpus": [8],
        "text_in_corpus": [9],
    }
    assert (report.rows_read, report.imported, report.rows_skipped) == (9, 2, 7)
    assert set(corpus.documents.values_list("title", flat=True)) == {"Known", "Without", "A", "Late abstract"}


def test_two_dois_may_share_a_text(corpus, export):
    path = export(("Preprint", "10.5555/a", LONG), ("Preprint", "10.5555/b", LONG))
    report = import_file(path=path, corpus=corpus, dry_run=False)
    assert report.imported == 2
    assert Text.objects.count() == 1


def test_another_corpus_may_hold_the_same_documents(corpus, export):
    path = export(("A", "10.5555/a", LONG))
    import_file(path=path, corpus=corpus, dry_run=False)
    report = import_file(path=path, corpus=create_corpus(name="Other"), dry_run=False)
    assert report.imported == 1
    assert Text.objects.count() == 1


def test_dry_run_finds_the_same_and_writes_nothing(corpus, export):
    path = export(("A", "10.5555/a", LONG), ("B", "10.5555/a", LONG), ("C", "", ""))
    dry = import_file(path=path, corpus=corpus, dry_run=True)
    assert not Document.objects.exists()
    assert not Text.objects.exists()
    real = import_file(path=path, corpus=corpus, dry_run=False)
    assert dry.as_json() | {"dry_run": False} == real.as_json()
    assert Document.objects.count() == 1


def test_importing_again_adds_nothing(corpus, export):
    path = export(("A", "10.5555/a", LONG), ("B", "", LONG + "b"))
    import_file(path=path, corpus=corpus, dry_run=False)
    again = import_file(path=path, corpus=corpus, dry_run=False)
    assert again.imported == 0
    assert set(again.skipped) == {"doi_in_corpus", "text_in_corpus"}


@pytest.mark.django_db(transaction=True)
def test_a_failure_on_the_way_leaves_nothing_behind(corpus, export):
    path = export(*[(f"T{n}", f"10.5555/{n}", f"{LONG} {n}") for n in range(5000)])

    def fail(report):
        assert Document.objects.count() == 5000
        raise RuntimeError

    with pytest.raises(RuntimeError):
        import_file(path=path, corpus=corpus, dry_run=False, on_stored=fail)
    assert not Document.objects.exists()
    assert not Text.objects.exists()
    assert import_file(path=path, corpus=corpus, dry_run=False).imported == 5000


@pytest.mark.django_db(transaction=True)
def test_two_imports_of_one_file_at_once_store_it_once(corpus, export):
    rows = [(f"T{n}", f"10.5555/{n}" if n % 3 else "", f"{LONG} {n}") for n in range(3000)]
    paths = [export(*rows, name="a.csv"), export(*reversed(rows), name="b.csv")]
    both_staged = threading.Barrier(2)

    def wait_for_the_other(rows_read):
        if rows_read == 3000:
            with contextlib.suppress(threading.BrokenBarrierError):
                both_staged.wait(20)

    def run(path):
        try:
            return import_file(path=path, corpus=corpus, dry_run=False, progress=wait_for_the_other)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(run, paths))
    assert sorted(report.imported for report in reports) == [0, 3000]
    assert Document.objects.count() == Text.objects.count() == 3000


def test_progress_counts_the_rows_read(corpus, export):
    heard = []
    path = export(*[(f"T{n}", f"10.5555/{n}", f"{LONG} {n}") for n in range(2500)])
    import_file(path=path, corpus=corpus, dry_run=True, progress=heard.append)
    assert heard[0] == 2000
    assert heard[-1] == 2500


def test_problem_list_is_safe_for_spreadsheets(corpus, export):
    log = io.StringIO()
    path = export(("=cmd()", "10.5555/a", ""), ("Short", "x", "Few words."), ("+1", "", "[No abstract available]"))
    report = import_file(path=path, corpus=corpus, dry_run=True, problems=log)
    rows = list(csv.DictReader(io.StringIO(log.getvalue())))
    assert {(row["row"], row["imported"], row["title"]) for row in rows} == {
        ("2", "no", "'=cmd()"),
        ("3", "yes", "Short"),
        ("4", "no", "'+1"),
    }
    assert len([row for row in rows if row["row"] == "3"]) == len(report.oddities) == 3


def test_the_real_export_of_701_rows(corpus, shared):
    path = shared / "corpora/smart-on-fhir-literature-analysis/scopus.csv"
    report = import_file(path=path, corpus=corpus, dry_run=False)
    assert report.rows_read == 701
    assert report.skipped["placeholder_abstract"].count == 49
    assert report.imported + report.rows_skipped == 701
    assert corpus.documents.count() == report.imported == 652 - report.rows_skipped + 49
    assert corpus.documents.filter(doi="").count() == report.without_doi


class TestUploaded:
    def stage(self, corpus, content):
        data = content if isinstance(content, bytes) else content.encode()
        return stage_import(corpus=corpus, file=ContentFile(data, "upload.csv"), file_name="my scopus.csv")

    def run(self, row):
        run_import(lease=claim(model=CorpusImport, pk=row.pk))
        row.refresh_from_db()
        return row

    def test_dry_run_then_import(self, corpus):
        row = self.run(self.stage(corpus, f"Title,DOI,Abstract\nA,10.5555/a,{LONG!r}\nB,,\n".replace("'", '"')))
        assert (row.state, row.rows_read, row.report["imported"]) == (State.DONE, 2, 1)
        assert not Document.objects.exists()
        with default_storage.open(row.problems.name, "rb") as file:
            assert b"no abstract" in file.read()
        assert confirm_import(corpus_import=row)
        row = self.run(row)
        assert (row.state, row.dry_run, row.report["dry_run"], row.report["imported"]) == (State.DONE, False, False, 1)
        assert corpus.documents.count() == 1
        assert not confirm_import(corpus_import=row)
        _, kept = default_storage.listdir("imports")
        assert len(kept) == 2, "the upload, and the list of problems of the import in place of the dry run's"

    def test_refusal_is_the_rows_error(self, corpus):
        row = self.run(self.stage(corpus, "Title,DOI\nA,10.5555/a\n"))
        assert row.state == State.FAILED
        assert row.error.startswith("my scopus.csv has no Abstract column")
        assert not confirm_import(corpus_import=row)

    def test_a_file_that_is_gone_is_said(self, corpus):
        row = self.stage(corpus, "Title,Abstract\nA,b\n")
        row.file.storage.delete(row.file.name)
        assert "no longer there" in self.run(row).error

    def test_cancelling_stops_it_before_anything_is_stored(self, corpus):
        row = self.stage(corpus, f'Title,Abstract\nA,"{LONG}"\n')
        confirm = CorpusImport.objects.filter(pk=row.pk)
        confirm.update(dry_run=False)
        lease = claim(model=CorpusImport, pk=row.pk)
        cancel(rows=confirm)
        with pytest.raises(LeaseLost):
            run_import(lease=lease)
        assert not Document.objects.exists()


def test_refused_file_leaves_the_corpus_alone(corpus, tmp_path):
    path = tmp_path / "empty.csv"
    path.touch()
    with pytest.raises(Refused):
        import_file(path=path, corpus=corpus, dry_run=False)
    assert Corpus.objects.get() == corpus
