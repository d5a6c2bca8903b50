"""Upload, dry run, report, import: the pages and what they let people do."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from corpora.models import Corpus, CorpusImport
from corpora.services import run_import
from leases.models import State
from leases.services import claim
from tests.factories import make_corpus, make_researcher, make_user

pytestmark = pytest.mark.django_db

LONG = (
    "Thickened tailings were deposited in thin layers on a gentle slope, and their settling, cracking and strength "
    "were followed for ninety days in the field."
)


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def researcher(client):
    client.force_login(make_researcher())
    return client


def export(*rows, name="scopus.csv"):
    text = io.StringIO()
    csv.writer(text).writerows([("Title", "DOI", "Abstract"), *rows])
    return SimpleUploadedFile(name, text.getvalue().encode(), "text/csv")


def upload(client, file, **fields):
    return client.post(reverse("studio:corpus_new"), {"name": "Tailings", "description": "", "file": file} | fields)


def work(row):
    run_import(lease=claim(model=CorpusImport, pk=row.pk))
    row.refresh_from_db()


def report(client, row, **headers):
    return client.get(reverse("studio:import", args=[row.pk]), headers=headers)


def act(client, row, action):
    return client.post(reverse("studio:import_action", args=[row.pk, action]))


FRAGMENT = {"HX-Request": "true", "HX-Target": "report"}


def test_from_upload_to_documents(researcher):
    response = upload(
        researcher,
        export(("A", "10.5555/a", f"{LONG} © 2020 IEEE."), ("=B", "10.5555/b", ""), ("C", "x", "Short one.")),
        description="Searched in May.",
    )
    row = CorpusImport.objects.get()
    corpus = Corpus.objects.get()
    assert response.url == reverse("studio:import", args=[row.pk])
    assert (corpus.name, corpus.description, corpus.created_by.username) == ("Tailings", "Searched in May.", "renata")
    assert "Waiting for a worker" in report(researcher, row).content.decode()

    work(row)
    text = report(researcher, row).content.decode()
    assert "dry run: nothing stored yet" in text
    assert "Import 2 documents" in text
    assert "No abstract" in text
    assert "What stands under DOI is none" in text
    assert "© 2020 IEEE." in text
    assert not corpus.documents.exists()

    listed = researcher.get(reverse("studio:import_problems", args=[row.pk]))
    body = b"".join(listed.streaming_content).decode("utf-8-sig")
    assert listed["Content-Type"] == "text/csv"
    assert "attachment" in listed["Content-Disposition"]
    assert [line["title"] for line in csv.DictReader(io.StringIO(body))] == ["'=B", "C", "C"]

    act(researcher, row, "confirm")
    row.refresh_from_db()
    assert (row.state, row.dry_run) == (State.QUEUED, False)
    work(row)
    assert corpus.documents.count() == 2
    done = report(researcher, row, **FRAGMENT)
    assert done["HX-Redirect"] == reverse("studio:corpus", args=[corpus.pk])
    assert "2 documents imported from scopus.csv" in researcher.get(done["HX-Redirect"]).content.decode()


def test_the_fragment_asks_for_itself_only_while_a_worker_reads(researcher):
    upload(researcher, export(("A", "", LONG)))
    row = CorpusImport.objects.get()
    claimed = claim(model=CorpusImport, pk=row.pk)
    CorpusImport.objects.filter(pk=row.pk).update(rows_read=4000)
    text = report(researcher, row, **FRAGMENT).content.decode()
    assert text.lstrip().startswith('<div id="report" hx-get=')
    assert "Reading: 4,000 rows so far" in text
    run_import(lease=claimed)
    assert "hx-get" not in report(researcher, row, **FRAGMENT).content.decode()


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (SimpleUploadedFile("s.csv", b"Title,DOI\na,b\n"), "s.csv has no Abstract column"),
        (SimpleUploadedFile("s.csv", b""), "The file is empty"),
        (SimpleUploadedFile("s.xlsx", b"PK\x03\x04" + b"\0" * 40), "s.xlsx is an Excel workbook"),
        (SimpleUploadedFile("s.csv", b"\x00\x01\x02\x03" * 20), "not a text file"),
    ],
)
def test_a_file_that_cannot_be_imported_is_refused_at_once(researcher, file, words):
    file.seek(0)
    response = upload(researcher, file)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert not Corpus.objects.exists()


def test_a_file_that_is_too_large_is_refused_with_a_way_out(researcher, settings):
    settings.IMPORT_MAX_MEGABYTES = 0
    text = upload(researcher, export(("A", "", LONG))).content.decode()
    assert "at most 0 MB can be uploaded" in text
    assert "import_corpus" in text


@pytest.mark.parametrize(
    ("name", "words"), [("tailings", "of that name already"), ("", "required"), ("x" * 201, "200")]
)
def test_bad_names(researcher, name, words):
    make_corpus(name="Tailings")
    response = upload(researcher, export(("A", "", LONG)), name=name)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert Corpus.objects.count() == 1


def test_more_documents_for_a_corpus(researcher):
    corpus = make_corpus()
    address = reverse("studio:corpus_import", args=[corpus.pk])
    assert "Import into Tailings" in researcher.get(address).content.decode()
    researcher.post(address, {"file": export(("Again", "10.5555/test.1", LONG), ("New", "10.5555/new", LONG + "n"))})
    row = CorpusImport.objects.get()
    work(row)
    assert row.report["imported"] == 1
    assert "DOI already in the corpus" in report(researcher, row).content.decode()
    assert "dry run only" in researcher.get(reverse("studio:corpus", args=[corpus.pk])).content.decode()


def test_a_file_with_nothing_new_cannot_be_confirmed(researcher):
    upload(researcher, export(("A", "", "")))
    row = CorpusImport.objects.get()
    work(row)
    text = report(researcher, row).content.decode()
    assert "There is nothing new in this file" in text
    assert "confirm" not in text


def test_cancel_and_take_up_again(researcher):
    upload(researcher, export(("A", "", LONG)))
    row = CorpusImport.objects.get()
    act(researcher, row, "cancel")
    assert "cancelled before anything was stored" in report(researcher, row).content.decode()
    act(researcher, row, "confirm")
    row.refresh_from_db()
    assert row.state == State.CANCELLED
    act(researcher, row, "retry")
    row.refresh_from_db()
    assert (row.state, row.dry_run) == (State.QUEUED, True)


def test_a_failure_on_the_worker_is_shown(researcher):
    upload(researcher, export(("A", "", LONG)))
    row = CorpusImport.objects.get()
    row.file.storage.delete(row.file.name)
    work(row)
    assert "no longer there" in report(researcher, row).content.decode()


def test_actions_are_for_researchers_and_by_post(client, researcher):
    upload(researcher, export(("A", "", LONG)))
    row = CorpusImport.objects.get()
    address = reverse("studio:import_action", args=[row.pk, "cancel"])
    assert researcher.get(address).status_code == 405
    assert researcher.post(reverse("studio:import_action", args=[row.pk, "explode"])).status_code == 404
    client.force_login(make_user())
    assert client.post(address).status_code == 403
    assert report(client, row).status_code == 403
    assert client.get(reverse("studio:import_problems", args=[row.pk])).status_code == 403


def test_problems_before_the_file_was_read_are_not_found(researcher):
    upload(researcher, export(("A", "", LONG)))
    row = CorpusImport.objects.get()
    assert researcher.get(reverse("studio:import_problems", args=[row.pk])).status_code == 404
