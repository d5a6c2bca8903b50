"""The same services from the command line: what is printed, and how it ends."""

import csv
import io

import pytest
from django.core.management import CommandError, call_command

from corpora.management.commands import import_corpus
from corpora.models import Corpus, Document, Embedding, EmbeddingJob, EmbeddingModel
from leases.models import State
from tests.factories import make_corpus

pytestmark = pytest.mark.django_db

LONG = (
    "Thickened tailings were deposited in thin layers on a gentle slope, and their settling, cracking and strength "
    "were followed for ninety days in the field."
)


@pytest.fixture
def export(tmp_path):
    path = tmp_path / "scopus.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(
            [("Title", "DOI", "Abstract"), ("A", "10.5555/a", f"{LONG} © 2020 IEEE."), ("B", "", ""), ("C", "", LONG)]
        )
    return path


def run(*arguments):
    out = io.StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def test_import_reports_what_it_did(export):
    printed = run("import_corpus", export, "--corpus", "Tailings")
    assert "scopus.csv: Scopus CSV" in printed or "scopus.csv: CSV table" in printed
    assert "3 rows read" in printed
    assert "2 imported into “Tailings”, 1 of them without a DOI" in printed
    assert "1 no abstract (row 3)" in printed
    assert "1 copyright notices removed" in printed
    assert Document.objects.filter(corpus__name="Tailings").count() == 2


def test_dry_run_leaves_nothing_behind(export):
    assert "2 would be imported" in run("import_corpus", export, "--corpus", "Tailings", "--dry-run")
    assert not Corpus.objects.exists()
    kept = make_corpus(name="Kept")
    run("import_corpus", export, "--corpus", "Kept", "--dry-run")
    assert kept.documents.count() == 1


def test_problems_are_written_to_a_file(export, tmp_path):
    target = tmp_path / "problems.csv"
    run("import_corpus", export, "--corpus", "Tailings", "--problems", target)
    assert [row["reason"] for row in csv.DictReader(target.open(encoding="utf-8-sig"))] == ["no abstract"]


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "there is no such file"), (b"", "is empty"), (b"Title,DOI\na,b\n", "no Abstract column")],
)
def test_bad_input_ends_with_two_and_makes_no_corpus(tmp_path, content, words):
    path = tmp_path / "bad.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CommandError, match=words) as error:
        run("import_corpus", path, "--corpus", "Tailings")
    assert error.value.returncode == 2
    assert "bad.csv" in str(error.value)
    assert not Corpus.objects.exists()


def test_an_unexpected_failure_makes_no_corpus_either(export, monkeypatch):
    def break_down(**arguments):
        raise RuntimeError

    monkeypatch.setattr(import_corpus, "import_file", break_down)
    with pytest.raises(RuntimeError):
        run("import_corpus", export, "--corpus", "Tailings")
    assert not Corpus.objects.exists()


def test_embed_now(export):
    run("import_corpus", export, "--corpus", "Tailings")
    printed = run("embed_corpus", "--corpus", "Tailings", "--now")
    assert "2 of 2 documents of “Tailings” have a vector under WordLlama 256" in printed
    assert Embedding.objects.count() == 2


def test_embed_queues_otherwise():
    corpus = make_corpus()
    printed = run("embed_corpus", "--corpus", corpus.name, "--model", "wordllama-256@l2-supercat-256")
    assert printed.startswith("queued: 1 of 1 documents")
    assert EmbeddingJob.objects.get().state == State.QUEUED


def test_embed_with_a_folder_that_is_not_there_says_so(monkeypatch):
    pytest.importorskip("sentence_transformers", reason="run `make models`")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    corpus = make_corpus()
    printed = run(
        "register_embedding_model", "mine", "--location", "/nowhere/at/all", "--revision", "1", "--dimensions", "8"
    )
    assert printed.startswith("mine@1: 8 dimensions")
    with pytest.raises(CommandError, match="/nowhere/at/all could not be loaded") as error:
        run("embed_corpus", "--corpus", corpus.name, "--model", "mine", "--now")
    assert error.value.returncode == 1


def test_unknown_names_are_answered_with_known_ones():
    with pytest.raises(CommandError, match="There is no corpus “None such”"):
        run("embed_corpus", "--corpus", "None such")
    make_corpus()
    with pytest.raises(CommandError, match="wordllama-256@l2-supercat-256") as error:
        run("embed_corpus", "--corpus", "Tailings", "--model", "magic")
    assert error.value.returncode == 2
    assert not EmbeddingModel.objects.filter(key="magic").exists()
