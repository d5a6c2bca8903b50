"""The export zip: what is in it, what must not be, and that it can be made again to the byte."""

import csv
import hashlib
import io
import json
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection
from django.utils import translation

from evaluation.models import Comment, Export, Invitation, Slot, Study
from evaluation.reports.export.build import build_export
from evaluation.selectors.exports import rating_rows
from evaluation.services.exports import claim_new_export, request_export, write_export
from leases.models import State
from leases.services import claim
from tests.factories import (
    expire,
    make_abstract,
    make_open_study,
    make_rated_study,
    make_researcher,
    make_slot,
    make_study,
    make_user,
    rate,
)

pytestmark = pytest.mark.django_db

FILES = [
    "ratings.csv",
    "items.csv",
    "missing.csv",
    "open_answers.csv",
    "confidence.csv",
    "highlights.csv",
    "adjudications.csv",
    "authorship.csv",
    "agreement.json",
    "authorship.json",
    "correlations.csv",
    "protocol.jsonl",
    "codebook.md",
    "manifest.json",
]
ANSWERS = {
    "meaningfulness": [["low", "low"], ["high", "medium"], ["medium", "high"]],
    "importance": [["low", "medium"], ["high", "high"], ["low", None]],
}


@pytest.fixture(autouse=True)
def media(settings, tmp_path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


def written(study: Study, *, salt: str = "salt", seed: int = 0) -> bytes:
    stream = io.BytesIO()
    build_export(study=study, salt=salt, seed=seed, stream=stream)
    return stream.getvalue()


def files(body: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def table(body: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body, newline="")))


def test_the_zip_holds_the_files_of_the_contract():
    assert list(files(written(make_rated_study(answers=ANSWERS)))) == FILES


def test_ratings_have_one_row_a_revision_and_say_which_counts():
    study = make_rated_study(answers=ANSWERS)
    rate(slot=Slot.objects.order_by("pk").first(), meaningfulness="high")
    rows = table(files(written(study))["ratings.csv"])
    assert len(rows) == 12
    first = [row for row in rows if row["item"] == "S001" and row["criterion"] == "meaningfulness"]
    assert [(row["revision"], row["level"], row["level_index"], row["in_force"], row["counted"]) for row in first] == [
        ("1", "low", "0", "false", "false"),
        ("2", "high", "2", "true", "true"),
        ("1", "low", "0", "true", "true"),
    ]
    assert first[0]["study"] == str(study.public_id)
    assert first[0]["rated_at"].endswith("Z")


def test_every_slot_and_criterion_without_a_rating_is_missing_with_its_reason():
    study = make_rated_study(answers=ANSWERS, raters_per_item=3)
    item = study.items.first()
    make_slot(item=item, reviewer=make_user(username="late"), state="skipped", skip_reason="not my field")
    rows = table(files(written(study))["missing.csv"])
    assert Counter((row["item"], row["criterion"], row["reason"]) for row in rows) == {
        ("S001", "meaningfulness", "skipped"): 1,
        ("S001", "importance", "skipped"): 1,
        ("S002", "meaningfulness", "not_assigned"): 1,
        ("S002", "importance", "not_assigned"): 1,
        ("S003", "meaningfulness", "not_assigned"): 1,
        ("S003", "importance", "not_assigned"): 1,
        ("S003", "importance", "unanswered"): 1,
    }
    assert {row["detail"] for row in rows if row["reason"] == "skipped"} == {"not my field"}
    given = len([row for row in table(files(written(study))["ratings.csv"]) if row["counted"] == "true"])
    assert given + len(rows) == 3 * 3 * 2


def test_items_carry_provenance_of_generated_texts():
    abstract = make_abstract()
    study = make_study(abstracts=[abstract])
    rows = table(files(written(study))["items.csv"])
    assert [row["source"] for row in rows] == ["uploaded", "uploaded", "uploaded", "generated"]
    made = rows[-1]
    cell = abstract.run.cell
    assert made["llm"] == cell.language_model.key
    assert made["prompt_sha256"] == cell.prompt.sha256
    assert made["temperature"] == "0.100"
    assert made["iteration"] == "1"
    assert made["retrieved_dois"].split() == list(
        cell.retrieval.retrieved.order_by("rank").values_list("document__doi", flat=True)
    )
    assert made["text_sha256"] == hashlib.sha256(made["text"].encode()).hexdigest()


def test_cells_that_a_spreadsheet_would_run_are_made_safe():
    study = make_study(
        texts=["=1+1", "+2", "-3 °C", "@A1", "\tindented", "\uff1d1", 'plain, with "quotes"\r\nand lines']
    )
    rows = table(files(written(study))["items.csv"])
    assert [row["text"] for row in rows] == [
        "'=1+1",
        "'+2",
        "'-3 °C",
        "'@A1",
        "'\tindented",
        "'\uff1d1",
        'plain, with "quotes"\r\nand lines',
    ]
    study = make_rated_study(answers=ANSWERS, title="With a comment")
    Comment.objects.create(slot=Slot.objects.filter(item__study=study).first(), body="=HYPERLINK(1)")
    comments = {row["comment"] for row in table(files(written(study))["ratings.csv"])}
    assert comments == {"", "'=HYPERLINK(1)"}


def test_csv_is_rfc_4180_in_utf_8():
    body = files(written(make_study(texts=["α-hematite"])))["items.csv"]
    assert body.startswith("study,item,")
    assert body.endswith("\r\n")
    assert "\n" not in body.replace("\r\n", "")


def test_no_name_address_or_account_is_in_any_file():
    canaries = ["canaryuser", "Canarina", "Canareira", "canary@example.org", "canaryowner", "canaryguest"]
    owner = make_researcher(username="canaryowner")
    study = make_rated_study(answers=ANSWERS, created_by=owner, raters_per_item=3)
    reviewer = make_user(
        username="canaryuser", first_name="Canarina", last_name="Canareira", email="canary@example.org"
    )
    Invitation.objects.create(
        study=study, name="canaryguest", email="canary@example.org", user=reviewer, expires_at="2030-01-01T00:00Z"
    )
    rate(slot=make_slot(item=study.items.first(), reviewer=reviewer), meaningfulness="low")
    make_slot(item=study.items.last(), reviewer=reviewer, state="skipped")
    found = files(written(study))
    assert "skipped" in found["missing.csv"]
    for name, body in found.items():
        for canary in [*canaries, "reviewer-", str(reviewer.public_id)]:
            assert canary not in body, f"{canary} in {name}"


def test_pseudonyms_are_the_same_in_all_files_and_differ_with_the_salt():
    study = make_rated_study(answers=ANSWERS)
    one, other = files(written(study)), files(written(study, salt="another"))
    raters = {row["rater"] for row in table(one["ratings.csv"])}
    assert raters == set(json.loads(one["agreement.json"])["criteria"][0]["pairs"][0]["raters"])
    assert len(raters) == 2
    assert raters.isdisjoint(row["rater"] for row in table(other["ratings.csv"]))


def test_the_same_data_salt_and_seed_give_the_same_bytes():
    study = make_rated_study(answers=ANSWERS)
    first = written(study)
    assert written(study) == first
    with translation.override("es"):
        assert written(study) == first
    assert written(study, salt="another") != first
    rate(slot=Slot.objects.order_by("pk").first(), meaningfulness="high")
    assert written(study) != first


def test_the_manifest_fits_the_files():
    body = files(written(make_rated_study(answers=ANSWERS), seed=7))
    manifest = json.loads(body["manifest.json"])
    assert manifest["seed"] == 7
    assert set(manifest["files"]) == set(FILES) - {"manifest.json"}
    for name, entry in manifest["files"].items():
        assert entry["sha256"] == hashlib.sha256(body[name].encode()).hexdigest()
        if name.endswith(".csv"):
            assert entry["rows"] == len(table(body[name]))


def test_the_protocol_has_the_hash_that_the_launch_froze_and_the_draws_are_told():
    study, _ = make_open_study(
        practice=1, attention=1, open_criteria=True, anchors=True, consent="I agree.", agreement_from=0
    )
    body = files(written(study))
    manifest = json.loads(body["manifest.json"])
    assert hashlib.sha256(body["protocol.jsonl"].encode()).hexdigest() == study.frozen_sha256
    assert manifest["files"]["protocol.jsonl"]["sha256"] == manifest["study"]["frozen_sha256"]
    assert manifest["study"]["draws"] == []
    first, *_rest = map(json.loads, body["protocol.jsonl"].splitlines())
    assert first["consent"] == "I agree."


def test_the_data_hash_follows_the_data_and_not_the_salt():
    study = make_rated_study(answers=ANSWERS)

    def data_hash(salt: str) -> str:
        return json.loads(files(written(study, salt=salt))["manifest.json"])["data_sha256"]

    before = data_hash("one")
    assert data_hash("two") == before
    rate(slot=Slot.objects.order_by("pk").first(), meaningfulness="medium")
    assert data_hash("one") != before


def test_every_column_is_in_the_codebook():
    body = files(written(make_rated_study(answers=ANSWERS)))
    for name in FILES:
        if name.endswith(".csv"):
            section = body["codebook.md"].split(f"## {name}\n")[1].split("\n## ")[0]
            for column in body[name].split("\r\n")[0].split(","):
                assert f"| `{column}` |" in section


def test_a_study_without_any_rating_exports():
    body = files(written(make_study(state="draft")))
    assert table(body["ratings.csv"]) == []
    assert json.loads(body["agreement.json"])["criteria"][0]["overall"]["exact_agreement"]["value"] is None


def test_statements_do_not_grow_with_the_data(django_assert_max_num_queries, django_assert_num_queries):
    small = make_rated_study(answers=ANSWERS)
    large = make_rated_study(answers={key: rows * 10 for key, rows in ANSWERS.items()})
    for study in (small, large):
        # study: 1; figures: 10; settings again: 1; guesses: 2; protocol: criteria, levels, examples and
        # expected levels; the eight tables of rows and the protocol's texts: server-side cursors
        with django_assert_num_queries(27):
            written(study)


def test_a_finished_export_has_its_file_and_hash(media):
    export = request_export(study=make_rated_study(answers=ANSWERS), user=make_researcher())
    write_export(lease=claim(model=Export, pk=export.pk))
    export.refresh_from_db()
    assert (export.state, export.error) == (State.DONE, "")
    stored = Path(export.file.path)
    assert stored.parent == media / "exports"
    assert hashlib.sha256(stored.read_bytes()).hexdigest() == export.sha256
    assert list(stored.parent.iterdir()) == [stored]


def test_a_worker_that_lost_its_lease_leaves_no_trace(media):
    export = request_export(study=make_rated_study(answers=ANSWERS), user=None)
    late = claim(model=Export, pk=export.pk)
    expire(export)
    successor = claim(model=Export, pk=export.pk)
    write_export(lease=successor)
    export.refresh_from_db()
    write_export(lease=late)
    kept = Export.objects.get(pk=export.pk)
    assert (kept.file.name, kept.sha256) == (export.file.name, export.sha256)
    assert [path.name for path in (media / "exports").iterdir()] == [Path(export.file.name).name]


def test_what_a_killed_worker_left_is_swept_up(media):
    export = request_export(study=make_rated_study(answers=ANSWERS), user=None)
    lost = claim(model=Export, pk=export.pk)
    folder = media / "exports"
    folder.mkdir(parents=True)
    (folder / f".{export.public_id}-{lost.token}.zip.part").write_bytes(b"half a zip")
    expire(export)
    write_export(lease=claim(model=Export, pk=export.pk))
    assert [path.suffix for path in folder.iterdir()] == [".zip"]


def test_a_full_disk_puts_the_export_back_into_the_queue(monkeypatch):
    def full(**arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("evaluation.services.exports.build_export", full)
    export = request_export(study=make_rated_study(answers=ANSWERS), user=None)
    write_export(lease=claim(model=Export, pk=export.pk))
    export.refresh_from_db()
    assert (export.state, export.sent_at) == (State.QUEUED, None)
    assert "No space left" in export.error


def test_an_export_that_cannot_be_computed_fails_in_plain_words(monkeypatch):
    def broken(**arguments):
        raise ValueError("internal detail")

    monkeypatch.setattr("evaluation.services.exports.build_export", broken)
    lease = claim_new_export(study=make_rated_study(answers=ANSWERS))
    write_export(lease=lease)
    export = Export.objects.get(pk=lease.pk)
    assert export.state == State.FAILED
    assert "internal detail" not in export.error


def test_pseudonyms_can_be_kept_within_a_study_only():
    study = make_rated_study(answers=ANSWERS)
    first = request_export(study=study, user=None)
    assert request_export(study=study, user=None, like=first).salt == first.salt
    assert request_export(study=study, user=None).salt != first.salt
    with pytest.raises(ValueError, match="one study"):
        request_export(study=make_study(title="Another"), user=None, like=first)


@pytest.mark.django_db(transaction=True)
def test_all_files_are_of_one_moment(monkeypatch):
    """A rating that is changed while the files are written is in none of them, or would be in all."""
    study = make_rated_study(answers=ANSWERS)
    slot = Slot.objects.filter(item__study=study).order_by("pk").first()

    def revise() -> None:
        rate(slot=slot, meaningfulness="high")
        connection.close()

    def rows_then_a_revision(**given):
        yield from rating_rows(**given)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(revise).result()

    before = files(written(study))
    monkeypatch.setattr("evaluation.reports.export.build.rating_rows", rows_then_a_revision)
    assert files(written(study)) == before
    assert slot.ratings.filter(criterion__key="meaningfulness").count() == 2
    monkeypatch.undo()
    assert files(written(study))["agreement.json"] != before["agreement.json"]
