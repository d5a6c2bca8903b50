"""The export's page: start, follow, download; for researchers only."""

import hashlib
import io
import zipfile
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from evaluation.models import Export
from evaluation.services.exports import claim_new_export, request_export, write_export
from evaluation.tasks import export as export_task
from leases.models import State
from leases.services import cancel
from tests.factories import make_rated_study, make_researcher, make_study, make_user

pytestmark = pytest.mark.django_db

ANSWERS = {"meaningfulness": [["low", "low"], ["high", "medium"]]}


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def researcher(client):
    client.force_login(make_researcher())
    return client


@pytest.fixture
def sent(monkeypatch):
    """Messages that would go to the broker."""
    messages = []
    monkeypatch.setattr(export_task, "delay_on_commit", messages.append)
    return messages


def page(study):
    return reverse("studio:study_exports", args=[study.public_id])


def file_of(export):
    return reverse("studio:study_export_download", args=[export.study.public_id, export.public_id])


def finished(study):
    lease = claim_new_export(study=study)
    write_export(lease=lease)
    return Export.objects.get(pk=lease.pk)


def test_the_button_queues_one_export_and_sends_it(researcher, sent):
    study = make_rated_study(answers=ANSWERS)
    assert "No export yet" in researcher.get(page(study)).content.decode()
    response = researcher.post(page(study))
    assert (response.status_code, response["Location"]) == (302, page(study))
    export = study.exports.get()
    assert sent == [export.pk]
    assert (export.state, export.created_by.username) == (State.QUEUED, "renata")
    assert export.sent_at is not None
    researcher.post(page(study))
    assert study.exports.count() == 1, "one at a time"


def test_htmx_gets_the_list_alone_and_polls_while_it_is_written(researcher, sent):
    study = make_rated_study(answers=ANSWERS)
    headers = {"HX-Request": "true", "HX-Target": "exports"}
    body = researcher.post(page(study), headers=headers).content.decode()
    assert body.startswith('<div\n  id="exports"')
    assert "every 2s" in body
    export = study.exports.get()
    export_task(export.pk)
    body = researcher.get(page(study), headers=headers).content.decode()
    assert "every 2s" not in body
    assert file_of(export) in body
    assert "<html" not in body
    assert "<html" in researcher.get(page(study)).content.decode()


def test_pseudonyms_can_be_kept(researcher, sent):
    study = make_rated_study(answers=ANSWERS)
    first = finished(study)
    researcher.post(page(study), {"same_pseudonyms": "on"})
    kept = study.exports.first()
    assert (kept.pk != first.pk, kept.salt) == (True, first.salt)
    cancel(rows=Export.objects.filter(pk=kept.pk))
    researcher.post(page(study))
    assert study.exports.first().salt != first.salt


def test_the_download_is_the_file_under_safe_headers(researcher):
    export = finished(make_rated_study(answers=ANSWERS, title="Tailings, Säure & more"))
    response = researcher.get(file_of(export))
    body = b"".join(response.streaming_content)
    assert hashlib.sha256(body).hexdigest() == export.sha256
    assert response["Content-Type"] == "application/zip"
    assert response["Content-Disposition"].startswith('attachment; filename="tailings-saure-more-export-')
    assert response["Cache-Control"] == "private, no-store"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert int(response["Content-Length"]) == len(body)


def test_only_researchers_start_see_and_download(client, sent):
    export = finished(make_rated_study(answers=ANSWERS))
    for address in (page(export.study), file_of(export)):
        assert client.get(address).status_code == 302
    client.force_login(make_user())
    for address in (page(export.study), file_of(export)):
        assert client.get(address).status_code == 403
    assert client.post(page(export.study)).status_code == 403
    assert sent == []


def test_what_is_unknown_unfinished_or_gone_is_not_found(researcher):
    export = finished(make_rated_study(answers=ANSWERS))
    waiting = request_export(study=export.study, user=None)
    other = make_study(title="Another")
    elsewhere = reverse("studio:study_export_download", args=[other.public_id, export.public_id])
    for address in (file_of(waiting), elsewhere, file_of(export).replace(str(export.public_id), str(uuid4()))):
        assert researcher.get(address).status_code == 404
    export.file.delete(save=False)
    assert researcher.get(file_of(export)).status_code == 404


def test_a_failed_export_says_why(researcher):
    study = make_rated_study(answers=ANSWERS)
    Export.objects.create(study=study, salt="s", state=State.FAILED, error="the disk was full")
    assert "the disk was full" in researcher.get(page(study)).content.decode()


def test_the_page_costs_the_same_with_many_exports(researcher, django_assert_num_queries):
    study = make_rated_study(answers=ANSWERS)
    for number in (1, 15):
        for _ in range(number):
            Export.objects.create(study=study, salt="s", state=State.FAILED)
        # user, study, last export, exports
        with django_assert_num_queries(5):
            researcher.get(page(study))


def test_the_command_writes_the_zip_here_and_now(tmp_path):
    study = make_rated_study(answers=ANSWERS)
    output, told = tmp_path / "study.zip", io.StringIO()
    call_command("export_study", str(study.public_id), "--format", "zip", "--output", str(output), stdout=told)
    export = study.exports.get()
    assert export.state == State.DONE
    assert hashlib.sha256(output.read_bytes()).hexdigest() == export.sha256
    assert told.getvalue().splitlines() == [str(output), f"sha256 {export.sha256}", f"export {export.public_id}"]
    assert zipfile.is_zipfile(output)
    call_command("export_study", str(study.pk), "--like", str(export.public_id), stdout=told)
    assert study.exports.first().sha256 == export.sha256, "same data, salt and seed: same bytes"


@pytest.mark.parametrize("name", ["7777", "not-an-id", "9" * 40, "00000000-0000-4000-8000-000000000000"])
def test_the_command_refuses_an_unknown_study(name):
    with pytest.raises(CommandError, match="no study"):
        call_command("export_study", name)


def test_the_command_refuses_what_it_cannot_do(tmp_path):
    study = make_study()
    with pytest.raises(CommandError, match="no folder"):
        call_command("export_study", str(study.pk), "--output", str(tmp_path / "absent" / "x.zip"))
    with pytest.raises(CommandError, match="no export"):
        call_command("export_study", str(study.pk), "--like", "00000000-0000-4000-8000-000000000000")
    assert study.exports.count() == 0
