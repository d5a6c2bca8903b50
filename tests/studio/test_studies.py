"""The researchers' pages about studies."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import Invitation, Slot, Study
from evaluation.services.allocation import claim_next, skip_slot
from evaluation.services.invitations import invitation_url
from evaluation.services.studies import close_study, create_study
from tests.evaluation.services.answers import answer
from tests.factories import (
    make_abstract,
    make_batch,
    make_cell,
    make_corpus,
    make_open_study,
    make_researcher,
    make_reviewer,
    make_study,
    make_user,
)

pytestmark = pytest.mark.django_db
CSV = "id,question,text\na,Why?,First text.\nb,Why?,Second text.\n"


@pytest.fixture
def studio() -> Client:
    client = Client()
    client.force_login(make_researcher())
    return client


def text_of(response: Any) -> str:
    return str(response.content.decode())


def protocol(**fields: Any) -> dict[str, Any]:
    criteria = {
        "criteria-TOTAL_FORMS": 2,
        "criteria-INITIAL_FORMS": 0,
        "criteria-0-name": "Clarity",
        "criteria-0-definition": "Is it clear?",
        "criteria-0-levels": "No\nPartly: here and there\nYes",
        "criteria-1-name": "",
        "criteria-1-levels": "",
    }
    base = {"title": "Tailings", "instructions": "Read.", "raters_per_item": 3, "lease_minutes": 30, "order_seed": 5}
    return base | criteria | fields


def upload(content: bytes | str = CSV, name: str = "texts.csv") -> dict[str, Any]:
    data = content.encode() if isinstance(content, str) else content
    return {"file-file": SimpleUploadedFile(name, data)}


def test_the_studio_is_for_researchers() -> None:
    study, (reviewer,) = make_open_study(reviewers=1)
    client = Client()
    addresses = [
        "/studio/studies/",
        "/studio/studies/new/",
        f"/studio/studies/{study.public_id}/",
        f"/studio/studies/{study.public_id}/preview/",
    ]
    for address in addresses:
        assert client.get(address).status_code == 302
    client.force_login(reviewer)
    for address in addresses:
        assert client.get(address).status_code == 403
    for action in ("do/close/", "invite/", "add/file/"):
        assert client.post(f"/studio/studies/{study.public_id}/{action}").status_code == 403
    study.refresh_from_db()
    assert study.state == "open"


def test_a_study_is_designed_filled_launched_and_closed(studio: Client) -> None:
    page = text_of(studio.get("/studio/studies/new/"))
    assert "Meaningfulness" in page
    assert "Low: Key concepts are missing" in page
    address = studio.post("/studio/studies/new/", protocol()).url
    study = Study.objects.get()
    assert (study.raters_per_item, study.order_seed, study.instructions) == (3, 5, "Read.")
    criterion = study.criteria.get()
    levels = [(level.index, level.value, level.label, level.definition) for level in criterion.levels.all()]
    assert levels == [(0, "no", "No", ""), (1, "partly", "Partly", "here and there"), (2, "yes", "Yes", "")]
    assert "None yet" in text_of(studio.get(address))
    assert studio.post(f"{address}add/file/", upload()).status_code == 302
    page = text_of(studio.get(address))
    assert "Launch and freeze" in page
    assert "Second text." in page
    studio.post(f"{address}do/launch/")
    page = text_of(studio.get(address))
    study.refresh_from_db()
    assert study.frozen_sha256 in page
    assert f"/studio/studies/{study.public_id}/report/" in page
    studio.post(f"{address}do/close/")
    page = text_of(studio.get(address))
    assert "Close for good" not in page
    assert "Invite reviewers" not in page


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"title": " "}, "This field is required"),
        ({"raters_per_item": 0}, "greater than or equal to 1"),
        ({"lease_minutes": "soon"}, "whole number"),
        ({"criteria-0-levels": "Only"}, "1 levels; give 2 to 11"),
        ({"criteria-0-levels": "a\na"}, "share the value"),
        ({"criteria-0-name": ""}, "at least one criterion"),
        ({"criteria-1-name": "Clarity", "criteria-1-levels": "a\nb"}, "rename one"),
        ({"criteria-TOTAL_FORMS": "x"}, "Enter a whole number"),
    ],
    ids=str,
)
def test_a_protocol_that_does_not_work_is_shown_again_with_the_reason(
    studio: Client, fields: dict[str, Any], message: str
) -> None:
    response = studio.post("/studio/studies/new/", protocol(**fields))
    assert response.status_code == 422
    assert message in text_of(response)
    assert not Study.objects.exists()


def test_a_criterion_in_another_script_gets_a_key_of_its_own(studio: Client) -> None:
    studio.post("/studio/studies/new/", protocol(**{"criteria-0-name": "明瞭さ"}))
    assert Study.objects.get().criteria.get().key == "criterion-1"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,text\na,\n", "texts.csv, row 2: no text"),
        ("id,text\n,x\n", "texts.csv, row 2: no id"),
        ("id,text\na,x\na,y\n", "texts.csv, row 3: the id"),
        ("id,body\na,x\n", "no column text"),
        ("", "submitted file is empty"),
        ("id,text\n", "no texts"),
        (b"\x81\x8d\x8f", "no encoding known here"),
    ],
    ids=str,
)
def test_a_file_is_taken_as_a_whole_or_not_at_all(studio: Client, content: Any, message: str) -> None:
    study = create_study(title="Draft")
    response = studio.post(f"/studio/studies/{study.public_id}/add/file/", upload(content))
    assert response.status_code == 422
    assert message in text_of(response)
    assert study.items.count() == 0


def test_texts_are_drawn_from_a_batch_and_mixed_with_controls(studio: Client) -> None:
    batch = make_batch()
    for temperature in ("0.100", "0.700"):
        cell = make_cell(batch=batch, temperature=temperature)
        for number in range(3):
            make_abstract(cell=cell, body=f"Generated at {temperature}, number {number}.")
    corpus = make_corpus(name="Human", bodies=["Human one.", "Human two."])
    study = create_study(title="Draft")
    address = f"/studio/studies/{study.public_id}/"
    studio.post(f"{address}add/batch/", {"batch-batch": batch.public_id, "batch-count": 4, "batch-seed": 1})
    assert study.items.count() == 4
    assert len({item.stratum for item in study.items.all()}) == 2
    studio.post(f"{address}add/corpus/", {"corpus-corpus": corpus.pk, "corpus-count": 2, "corpus-seed": 1})
    controls = study.items.filter(document__isnull=False)
    assert controls.count() == 2
    assert {item.question for item in controls} == {item.question for item in study.items.all()}
    for source, fields, message in (
        ("batch", {"batch-batch": batch.public_id, "batch-count": 3, "batch-seed": 1}, "has 2 different texts"),
        ("corpus", {"corpus-corpus": corpus.pk, "corpus-count": 1, "corpus-seed": 1}, "has 0 documents"),
        ("batch", {"batch-batch": "x", "batch-count": 3, "batch-seed": 1}, "is not a valid"),
    ):
        response = studio.post(f"{address}add/{source}/", fields)
        assert response.status_code == 422
        assert message in text_of(response)
    assert study.items.count() == 6


def test_closing_is_offered_at_the_top_once_every_seat_is_rated(studio: Client) -> None:
    study, _ = make_open_study(texts=1, raters_per_item=2)
    address = f"/studio/studies/{study.public_id}/"
    for number, name in enumerate(("Rita Rater", "Kim Lee")):
        page = text_of(studio.get(address))
        assert "All ratings are in" not in page, f"{number} of 2 ratings"
        assert page.index("Close for good") > page.index('id="reviewers"')
        person = make_reviewer(study=study, name=name)
        answer(claim_next(study_id=study.pk, reviewer=person).slot, person)
    page = text_of(studio.get(address))
    assert page.count("Close for good") == 1
    assert (
        page.index("All ratings are in: close the study") < page.index("Close for good") < page.index('id="reviewers"')
    )
    studio.post(f"{address}do/close/")
    assert "All ratings are in" not in text_of(studio.get(address))


def test_a_launched_study_takes_no_more_texts(studio: Client) -> None:
    study, _ = make_open_study()
    address = f"/studio/studies/{study.public_id}/"
    for step in ("add/file/", "do/empty/", "do/delete/", "do/launch/"):
        response = studio.post(address + step, upload() if step == "add/file/" else {}, follow=True)
        assert "frozen" in text_of(response)
    assert study.items.count() == 3


def test_a_draft_can_be_emptied_and_deleted(studio: Client) -> None:
    study = create_study(title="Draft")
    address = f"/studio/studies/{study.public_id}/"
    studio.post(f"{address}add/file/", upload())
    studio.post(f"{address}do/empty/")
    assert study.items.count() == 0
    assert "no text to rate yet" in text_of(studio.post(f"{address}do/launch/", follow=True))
    assert studio.post(f"{address}do/delete/").url == "/studio/studies/"
    assert not Study.objects.exists()


def test_reviewers_are_invited_by_pasted_names(studio: Client, mailoutbox: list[Any], settings: Any) -> None:
    settings.SITE_URL = "https://rate.example.org"
    study, _ = make_open_study()
    address = f"/studio/studies/{study.public_id}/"
    people = "Rita Rater <rita@example.org>\nKim"
    response = studio.post(f"{address}invite/", {"people": people, "quota": 2, "days": 7, "send": "on"})
    assert response.status_code == 302
    page = text_of(studio.get(address))
    rita, kim = Invitation.objects.order_by("pk")
    for invitation in (rita, kim):
        assert invitation.quota == 2
        assert f'value="{invitation_url(invitation)}"' in page
    assert invitation_url(rita).startswith("https://rate.example.org/join/")
    again = studio.post(f"{address}invite/", {"people": people, "days": 7})
    assert again.status_code == 422
    assert "Invited already" in text_of(again)
    assert Invitation.objects.count() == 2


def test_links_are_withdrawn_and_replaced(studio: Client) -> None:
    study, _ = make_open_study()
    address = f"/studio/studies/{study.public_id}/"
    studio.post(f"{address}invite/", {"people": "Kim", "days": 7})
    kim = Invitation.objects.get()
    old = invitation_url(kim)
    studio.post(f"{address}invitations/{kim.public_id}/revoke/")
    page = text_of(studio.get(address))
    assert "withdrawn" in page
    assert old not in page
    studio.post(f"{address}invitations/{kim.public_id}/renew/")
    kim.refresh_from_db()
    assert invitation_url(kim) != old
    assert invitation_url(kim) in text_of(studio.get(address))
    assert studio.post(f"{address}invitations/{kim.public_id}/send/").status_code == 404
    assert studio.post(f"{address}invitations/{kim.public_id}/steal/").status_code == 404
    other, _ = make_open_study()
    assert studio.post(f"/studio/studies/{other.public_id}/invitations/{kim.public_id}/revoke/").status_code == 404


def test_coverage_counts_those_who_take_part_and_nobody_else(studio: Client) -> None:
    study, (busy, idle) = make_open_study(texts=4, reviewers=2)
    slots = [claim_next(study_id=study.pk, reviewer=busy).slot]
    answer(slots[0], busy)
    skipped = claim_next(study_id=study.pk, reviewer=busy).slot
    assert skipped is not None
    skip_slot(slot_id=skipped, reviewer=busy, reason="Hm")
    claim_next(study_id=study.pk, reviewer=idle)
    other, (stranger,) = make_open_study(texts=2, reviewers=1)
    answer(claim_next(study_id=other.pk, reviewer=stranger).slot, stranger)
    make_user(username="bystander")
    page = text_of(studio.get(f"/studio/studies/{study.public_id}/"))
    assert "<strong>1 of 8</strong>" in page
    assert "3 texts with 0 ratings" in page.replace("&nbsp;", " ")
    assert "1 text with 1 rating" in page
    page = page[: page.index("Links. A personal one")]
    names = re.findall(r'<th scope="row">(Reviewer \d)', page)
    assert names == ["Reviewer 1", "Reviewer 2"]
    rows = re.findall(r'<th scope="row">Reviewer \d</th>(.*?)</tr>', page, re.DOTALL)
    counts = [re.findall(r'class="num"[^>]*>([\d–]+)<', row) for row in rows]
    assert counts == [["1", "0", "1", "–"], ["0", "1", "0", "–"]]


def test_the_preview_shows_what_reviewers_see_and_stores_nothing(studio: Client) -> None:
    study = create_study(title="Draft")
    studio.post(f"/studio/studies/{study.public_id}/add/file/", upload())
    page = text_of(studio.get(f"/studio/studies/{study.public_id}/preview/?text=2"))
    assert "Second text." in page
    assert "First text." not in page
    main = page[page.index('id="rating"') : page.index("</main>")]
    assert "<form" in main
    assert 'method="post"' not in main
    assert studio.get(f"/studio/studies/{study.public_id}/preview/?text=3").status_code == 404
    assert studio.get(f"/studio/studies/{study.public_id}/preview/?text=x").status_code == 200


def test_unknown_studies_and_actions_are_not_found(studio: Client) -> None:
    study, _ = make_open_study()
    address = f"/studio/studies/{study.public_id}/"
    unknown = "/studio/studies/00000000-0000-4000-8000-000000000000/"
    assert studio.get(unknown).status_code == 404
    assert studio.post(f"{address}do/nothing/").status_code == 404
    assert studio.post(f"{address}add/nowhere/").status_code == 404
    assert studio.get(f"{address}do/close/").status_code == 405


def test_practice_checks_and_repeats_are_in_no_count(studio: Client) -> None:
    study, (person,) = make_open_study(texts=3, reviewers=1, practice=1, attention=1, repeats=1, repeat_distance=1)
    while (claim := claim_next(study_id=study.pk, reviewer=person)).slot:
        answer(claim.slot, person)
    assert Slot.objects.filter(state="rated").count() == 6
    assert "3 of 6" in text_of(studio.get("/studio/studies/"))
    assert ">3</strong> <span>texts rated" in text_of(studio.get("/studio/"))
    rated = re.search(r'data-label="Rated">(\d+)<', text_of(studio.get(f"/studio/studies/{study.public_id}/")))
    assert rated is not None
    assert rated[1] == "3"


def test_long_lists_come_in_pages_with_as_many_statements(studio: Client) -> None:
    counts = []
    for more in (2, 25):
        for number in range(more):
            make_study(title=f"Study {number}")
        with CaptureQueriesContext(connection) as queries:
            page = text_of(studio.get("/studio/studies/"))
        counts.append(len(queries))
    assert counts[0] == counts[1] == 2  # user, studies
    assert "Older" in page
    last = Study.objects.order_by("-pk")[19]
    older = text_of(studio.get(f"/studio/studies/?before={last.pk}"))
    assert str(last.public_id) not in older
    assert "Newest" in older


def test_a_studys_page_takes_as_many_statements_for_few_and_many(studio: Client) -> None:
    counts = []
    for size, people in ((3, 1), (60, 5)):
        study, _ = make_open_study(texts=size, reviewers=people)
        with CaptureQueriesContext(connection) as queries:
            page = text_of(studio.get(f"/studio/studies/{study.public_id}/"))
        counts.append(len(queries))
    # User, study, criteria, levels, examples, texts, slots by state, texts by ratings, reviewers, links, pace (2).
    assert counts == [12, 12]
    assert "after=25" in page
    second = text_of(studio.get(f"/studio/studies/{study.public_id}/?after=25"))
    assert ">T26<" in second
    assert ">T25<" not in second


def test_a_closed_study_offers_its_report(studio: Client) -> None:
    study, _ = make_open_study()
    person = make_reviewer(study=study)
    answer(claim_next(study_id=study.pk, reviewer=person).slot, person)
    close_study(study=study)
    page = text_of(studio.get(f"/studio/studies/{study.public_id}/"))
    assert f'href="/studio/studies/{study.public_id}/report/"' in page
    assert f'href="/studio/studies/{study.public_id}/exports/"' in page


def test_a_drafts_protocol_is_edited_and_a_launched_ones_is_not(studio: Client) -> None:
    study = create_study(title="Draft", order_seed=9)
    address = f"/studio/studies/{study.public_id}/"
    page = text_of(studio.get(f"{address}edit/"))
    assert 'value="Draft"' in page
    assert "Importance" in page
    assert studio.post(f"{address}edit/", protocol(title="")).status_code == 422
    assert studio.post(f"{address}edit/", protocol(order_seed="")).url == address
    study.refresh_from_db()
    assert (study.title, study.order_seed, study.raters_per_item) == ("Tailings", 9, 3)
    assert [criterion.key for criterion in study.criteria.all()] == ["clarity"]
    launched, _ = make_open_study()
    for response in (
        studio.get(f"/studio/studies/{launched.public_id}/edit/", follow=True),
        studio.post(f"/studio/studies/{launched.public_id}/edit/", protocol(), follow=True),
    ):
        assert "its protocol is frozen" in text_of(response)


def test_a_correction_is_a_new_version_and_the_old_ratings_stay(studio: Client) -> None:
    study, (person,) = make_open_study(reviewers=1)
    answer(claim_next(study_id=study.pk, reviewer=person).slot, person)
    address = f"/studio/studies/{study.public_id}/"
    draft_address = studio.post(f"{address}do/version/").url
    version = Study.objects.get(supersedes=study)
    assert draft_address == f"/studio/studies/{version.public_id}/"
    assert version.state == "draft"
    assert version.memberships.get().role == "owner"
    fields = ("position", "external_id", "question", "text_id", "stratum")
    assert list(version.items.values_list(*fields)) == list(study.items.values_list(*fields))
    assert [one.key for one in version.criteria.all()] == ["meaningfulness", "importance"]
    assert f'href="{address}"' in text_of(studio.get(draft_address))
    assert "newer version already" in text_of(studio.post(f"{address}do/version/", follow=True))
    assert "changed itself" in text_of(studio.post(f"{draft_address}do/version/", follow=True))
    studio.post(f"{draft_address}do/launch/")
    version.refresh_from_db()
    assert version.frozen_sha256 == study.frozen_sha256
    assert study.items.filter(slots__state="rated").count() == 1
