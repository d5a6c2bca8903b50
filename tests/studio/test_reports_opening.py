"""Agreement so far stays hidden on every path until enough ratings are in, or somebody opens it on record."""

import io
import json
import re
import zipfile
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from evaluation.errors import AgreementHidden
from evaluation.models import Event, Export, Membership, Study
from evaluation.reports.data import load
from evaluation.reports.export.build import build_export
from evaluation.selectors.opening import agreement_opened
from evaluation.services.exports import request_export, write_export
from evaluation.services.opening import open_agreement
from leases.services import claim
from studio.reports.hidden import may_open_agreement
from tests.factories import make_rated_study, make_researcher, make_user

pytestmark = pytest.mark.django_db

# Four of six seats are answered: 66 %.
ANSWERS = {"clarity": [["low", "low"], ["high", "low"], [None, None]]}


@pytest.fixture
def studio(client: Client) -> Client:
    client.force_login(make_researcher())
    return client


def half_rated(**fields: Any) -> Study:
    return make_rated_study(answers=ANSWERS, **({"agreement_from": 80} | fields))


def words(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({}, False),
        ({"agreement_from": 67}, False),
        ({"agreement_from": 66}, True),
        ({"agreement_from": 0}, True),
        ({"agreement_from": 100, "state": "closed"}, True),
    ],
    ids=str,
)
def test_enough_ratings_or_the_end_of_a_study_show_agreement(fields: dict[str, Any], shown: bool) -> None:
    found = agreement_opened(study=half_rated(**fields))
    assert (found.rated, found.seats, found.percent) == (4, 6, 66)
    assert found.is_shown is shown


def test_no_path_leads_to_hidden_agreement(studio: Client, settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path
    study = half_rated()
    for name in ("study_report", "study_correlations"):
        response = studio.get(reverse(f"studio:{name}", args=[study.public_id]))
        assert "Agreement is hidden for now" in words(response)
        assert "κ" not in words(response)
        assert "sections" not in response.context
    exports = reverse("studio:study_exports", args=[study.public_id])
    assert "It can be made once 80 % of the ratings are in (66 % now)" in words(studio.get(exports))
    assert "Agreement is hidden until 80 %" in words(studio.post(exports, follow=True))
    with pytest.raises(CommandError, match="Agreement is hidden until 80 %"):
        call_command("export_study", str(study.public_id), output=tmp_path / "kept.zip")
    for path in (lambda: load(study=study), lambda: request_export(study=study, user=None)):
        with pytest.raises(AgreementHidden):
            path()
    stream = io.BytesIO()
    with pytest.raises(AgreementHidden):
        build_export(study=study, salt="salt", seed=0, stream=stream)
    with zipfile.ZipFile(io.BytesIO(stream.getvalue())) as begun:
        assert begun.namelist() == []
    assert not Export.objects.exists()
    assert list(tmp_path.rglob("*.zip")) == []


def test_an_export_that_was_asked_for_in_time_is_not_written_once_agreement_is_hidden_again(
    settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    study = half_rated()
    asked = Export.objects.create(study=study, salt="salt")
    lease = claim(model=Export, pk=asked.pk)
    assert lease
    write_export(lease=lease)
    asked.refresh_from_db()
    assert asked.state == "failed"
    assert "hidden until 80 %" in asked.error


def test_opening_is_on_record_and_stands_in_the_report_and_in_its_files(studio: Client) -> None:
    study = half_rated()
    report = reverse("studio:study_report", args=[study.public_id])
    assert "Open agreement at 66 % coverage" in words(studio.get(report))
    opened = studio.post(reverse("studio:study_report_open", args=[study.public_id]), follow=True)
    event = Event.objects.get()
    assert (event.kind, event.actor and event.actor.username) == ("agreement-opened", "renata")
    assert event.details == {"percent": 66, "rated": 4, "seats": 6}
    assert "at 66 % coverage (4 of 6 ratings), before the study’s own threshold of 80 %" in words(opened)
    assert "κ" in words(opened)
    stream = io.BytesIO()
    build_export(study=study, salt="salt", seed=0, stream=stream)
    day = f"{event.created_at:%Y-%m-%d}"
    said = f"Agreement was looked at on {day} (UTC) at 66 % coverage, 4 of 6 ratings"
    with zipfile.ZipFile(stream) as archive:
        for name in ("agreement.json", "manifest.json"):
            (statement, _) = json.loads(archive.read(name))["seen_early"]["statements"]
            assert statement.startswith(said)
        assert said in archive.read("codebook.md").decode()
        assert b"renata" not in b"".join(archive.read(name) for name in archive.namelist())


def test_a_second_click_is_no_second_look_and_a_study_that_needs_none_records_none() -> None:
    study, actor = half_rated(), make_researcher()
    assert open_agreement(study=study, actor=actor) is not None
    assert open_agreement(study=study, actor=actor) is None
    assert open_agreement(study=half_rated(agreement_from=50, title="Early"), actor=actor) is None
    assert Event.objects.count() == 1


def test_a_look_at_another_study_opens_nothing() -> None:
    open_agreement(study=half_rated(title="Another"), actor=make_researcher())
    assert not agreement_opened(study=half_rated()).is_shown


def test_owners_and_staff_may_open() -> None:
    study = half_rated()
    people = {role: make_user(username=role) for role in ("owner", "manager", "viewer")}
    for role, user in people.items():
        Membership.objects.create(study=study, user=user, role=role)
    assert {role for role, user in people.items() if may_open_agreement(user, study)} == {"owner"}
    assert may_open_agreement(make_researcher(), study)
