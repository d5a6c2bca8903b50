"""Designing a study in the studio: options, examples, practice and checks, draws, copies and the archive."""

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import Anchor, Expectation, Study
from evaluation.services.items import add_items_from_rows
from evaluation.services.studies import archive_study, close_study, create_study, launch_study
from evaluation.uploads import TextRow
from tests.factories import make_abstract, make_batch, make_cell, make_corpus, make_open_study, make_researcher

pytestmark = pytest.mark.django_db
NEW = "/studio/studies/new/"


@pytest.fixture
def studio() -> Client:
    client = Client()
    client.force_login(make_researcher())
    return client


def text_of(response: Any) -> str:
    return str(response.content.decode())


def typed(page: str) -> dict[str, Any]:
    """What a browser would send of the form on a page, the chosen and typed as they stand."""
    form = re.search(r'<form method="post" class="study-form" id="protocol".*?</form>', page, re.DOTALL)
    assert form is not None
    sent: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", form[0]):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and name[1] != "csrfmiddlewaretoken" and ('type="checkbox"' not in tag or " checked" in tag):
            sent[name[1]] = unescape(value[1]) if value else ("on" if "checkbox" in tag else "")
    for name, body in re.findall(r'<textarea name="([^"]+)"[^>]*>\n?(.*?)</textarea>', form[0], re.DOTALL):
        sent[name] = unescape(body)
    for name, body in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', form[0], re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', body)
        sent[name] = unescape(chosen[1]) if chosen else ""
    return sent


def unescape(text: str) -> str:
    return html.unescape(text)


def pressed(client: Client, address: str, page: str, button: str) -> str:
    """The page after a button that adds or removes something was pressed."""
    response = client.post(address, typed(page) | {"more": button})
    assert response.status_code == 200
    return text_of(response)


def test_the_templates_come_with_their_examples_and_a_study_keeps_them(studio: Client) -> None:
    page = text_of(studio.get(NEW))
    assert page.count("(Synthetic example.)") == 7
    assert studio.post(NEW, typed(page) | {"title": "Tailings"}).status_code == 302
    study = Study.objects.get()
    anchors = Anchor.objects.filter(level__criterion__study=study)
    assert anchors.filter(level__criterion__key="meaningfulness", level__value="low").count() == 2
    assert anchors.count() == 7
    again = text_of(studio.get(f"/studio/studies/{study.public_id}/edit/"))
    left, right = ({k: v for k, v in typed(one).items() if k.startswith("criteria-")} for one in (page, again))
    assert left == right


def test_criteria_and_examples_are_added_and_removed_without_a_script(studio: Client) -> None:
    page = pressed(studio, NEW, text_of(studio.get(NEW)), "remove-0")
    assert 'value="Meaningfulness"' not in page
    assert "Add “Meaningfulness”" in page
    page = pressed(studio, NEW, page, "criterion")
    assert 'data-focus="id_criteria-1-name"' in page
    page = pressed(studio, NEW, page, "template-meaningfulness")
    assert "Add “Meaningfulness”" not in page
    page = pressed(studio, NEW, page, "drop-2-0")
    page = pressed(studio, NEW, page, "example-2")
    assert 'id="id_criteria-2-anchors-3-level"' in page
    sent = typed(page) | {
        "title": "Tailings",
        "criteria-1-name": "Novelty",
        "criteria-1-kind": "number",
        "criteria-1-minimum": "0",
        "criteria-1-maximum": "100",
        "criteria-1-may_be_left_out": "on",
        "criteria-2-anchors-3-level": "High",
        "criteria-2-anchors-3-body": "My own <b>example</b>.",
        "criteria-2-anchors-3-explanation": "Because.",
    }
    address = studio.post(NEW, sent).url
    study = Study.objects.get()
    kinds = study.criteria.values_list("key", "kind", "minimum", "maximum", "is_required")
    assert list(kinds) == [
        ("importance", "levels", None, None, True),
        ("novelty", "number", 0, 100, False),
        ("meaningfulness", "levels", None, None, True),
    ]
    bodies = Anchor.objects.filter(level__criterion__key="meaningfulness").values_list("level__value", "body")
    assert ("high", "My own <b>example</b>.") in bodies
    assert len(bodies) == 4
    assert "a number from 0 to 100" in text_of(studio.get(address))


@pytest.mark.parametrize("button", ["", "nothing", "remove-9", "drop-0-99", "drop-x", "example-", "template-beauty"])
def test_odd_buttons_change_nothing(studio: Client, button: str) -> None:
    page = text_of(studio.get(NEW))
    assert typed(pressed(studio, NEW, page, button)) == typed(page)


def test_no_more_than_twelve_criteria_are_offered_or_taken(studio: Client) -> None:
    sent = typed(text_of(studio.get(NEW))) | {"criteria-TOTAL_FORMS": "11", "more": "criterion"}
    page = text_of(studio.post(NEW, sent))
    assert typed(page)["criteria-TOTAL_FORMS"] == "12"
    assert "Add a criterion" not in page
    assert typed(pressed(studio, NEW, page, "criterion")) == typed(page)
    sent = typed(page) | {"title": "T", "criteria-TOTAL_FORMS": "13"}
    assert studio.post(NEW, sent).status_code == 422


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"repeats": "-1"}, "greater than or equal to 0"),
        ({"agreement_from": "101"}, "less than or equal to 100"),
        ({"default_quota": "0"}, "greater than or equal to 1"),
        ({"participant_parameter": "a b"}, "Letters, digits"),
        ({"completion_url": "javascript:alert(1)"}, "Enter a valid URL"),
        ({"reminder_days": "0"}, "greater than or equal to 1"),
        ({"criteria-0-anchors-0-level": ""}, "Example 1 has no level"),
        ({"criteria-0-levels": "Bad\nGood"}, "“Low” is no level of this criterion"),
        ({"criteria-0-kind": "number", "criteria-0-minimum": "5", "criteria-0-maximum": "5"}, "is not below"),
        ({"criteria-0-kind": "number", "criteria-0-minimum": "nan"}, "Enter a number"),
        ({"criteria-0-kind": "riddle"}, "Select a valid choice"),
        ({"criteria-0-may_be_left_out": "on", "criteria-1-may_be_left_out": "on"}, "Require one of them"),
    ],
    ids=str,
)
def test_options_and_criteria_out_of_range_are_shown_again_with_the_reason(
    studio: Client, fields: dict[str, Any], message: str
) -> None:
    response = studio.post(NEW, typed(text_of(studio.get(NEW))) | {"title": "Tailings"} | fields)
    assert response.status_code == 422
    assert message in unescape(text_of(response))
    assert not Study.objects.exists()


OPTIONS: dict[str, Any] = {
    "asks_confidence": True,
    "allows_highlights": True,
    "asks_authorship": True,
    "repeats": 2,
    "repeat_distance": 4,
    "attention_every": 7,
    "consent": "I **agree**.",
    "agreement_from": 50,
    "allows_self_registration": True,
    "default_quota": 12,
    "participant_parameter": "workerId",
    "completion_code": "C0DE",
    "completion_url": "https://panel.example.org/done",
    "reminder_days": 5,
}


def test_every_option_is_stored_shown_again_and_copied(studio: Client) -> None:
    sent = typed(text_of(studio.get(NEW))) | {"title": "Tailings"}
    sent |= {name: "on" if value is True else str(value) for name, value in OPTIONS.items()}
    address = studio.post(NEW, sent).url
    study = Study.objects.get()
    assert {name: getattr(study, name) for name in OPTIONS} == OPTIONS
    again = typed(text_of(studio.get(f"{address}edit/")))
    assert {name: again[name] for name in OPTIONS} == {name: sent[name] for name in OPTIONS}
    page = text_of(studio.get(address))
    for words in ("2 for each reviewer, after at least 4 other texts", "C0DE", "from 50 % of the ratings"):
        assert words in page
    assert "<strong>agree</strong>" in page
    copy_address = studio.post(f"{address}do/duplicate/").url
    copy = Study.objects.exclude(pk=study.pk).get()
    assert copy_address == f"/studio/studies/{copy.public_id}/"
    assert {name: getattr(copy, name) for name in OPTIONS} == OPTIONS
    # Left empty, an option goes back to its default.
    studio.post(f"{address}edit/", again | {"repeats": "", "default_quota": "", "participant_parameter": ""})
    study.refresh_from_db()
    assert (study.repeats, study.default_quota, study.participant_parameter) == (0, None, "PROLIFIC_PID")


def test_expected_levels_survive_a_change_of_the_protocol_and_losses_are_told(studio: Client) -> None:
    study = make_open_study(practice=1, attention=1, state="draft")[0]
    address = f"/studio/studies/{study.public_id}/"
    sent = typed(text_of(studio.get(f"{address}edit/")))
    sent |= {"criteria-0-name": "Sense", "criteria-1-levels": "Low\nMedium\nHighest"}
    page = text_of(studio.post(f"{address}edit/", sent, follow=True))
    assert "2 expected levels are gone" in page
    left = Expectation.objects.filter(item__study=study).values_list("item__external_id", "criterion__key")
    assert set(left) == {("P1", "sense"), ("A1", "sense")}


def test_a_renamed_criterion_gets_a_new_key_and_an_old_one_keeps_its_own(studio: Client) -> None:
    study = make_open_study(state="draft")[0]
    study.criteria.filter(key="importance").update(key="q2")
    address = f"/studio/studies/{study.public_id}/edit/"
    sent = typed(text_of(studio.get(address)))
    studio.post(address, sent | {"criteria-0-name": "Sense", "criteria-1-definition": "New words."})
    assert list(study.criteria.values_list("key", "definition"))[1] == ("q2", "New words.")
    assert study.criteria.first().key == "sense"  # type: ignore[union-attr]


def test_a_practice_text_is_written_in_the_studio(studio: Client) -> None:
    study = create_study(title="Draft")
    address = f"/studio/studies/{study.public_id}/"
    sent = {
        "written-kind": "practice",
        "written-external_id": "P1",
        "written-question": "Why?",
        "written-text": "A text.",
        "written-feedback": "Since …",
        "written-expected-meaningfulness": "low",
    }
    page = text_of(studio.post(f"{address}add/written/", sent, follow=True))
    assert "1 text added." in page
    assert re.search(r'class="badge live">\s*practice', page)
    item = study.items.get()
    assert (item.kind, item.feedback, item.question) == ("practice", "Since …", "Why?")
    assert item.expectations.get().level.value == "low"
    for fields, message in (
        ({"written-external_id": "P1"}, "already has texts with these ids: P1"),
        ({"written-external_id": "A", "written-kind": "attention"}, "Feedback is shown after practice texts only"),
        (
            {"written-kind": "attention", "written-feedback": "", "written-expected-meaningfulness": ""},
            "An attention check without an expected level",
        ),
        ({"written-kind": "rated"}, "Select a valid choice"),
        ({"written-text": " "}, "This field is required"),
        ({"written-expected-meaningfulness": "superb"}, "Select a valid choice"),
    ):
        response = studio.post(f"{address}add/written/", sent | fields)
        assert response.status_code == 422
        assert message in unescape(text_of(response))
    assert study.items.count() == 1


def test_a_file_brings_practice_and_checks_or_nothing(studio: Client) -> None:
    study = create_study(title="Draft")
    address = f"/studio/studies/{study.public_id}/add/file/"
    head = "id,text,kind,feedback,expected: Importance\n"

    def upload(rows: str) -> Any:
        return studio.post(address, {"file-file": SimpleUploadedFile("t.csv", (head + rows).encode())}, follow=True)

    response = upload("a,A.,,,\np,P.,practice,Good.,High\nc,C.,attention,,lowest\n")
    assert response.status_code == 422
    assert "t.csv, row 4: “lowest” is no level of importance. Write one of: Low, Medium, High." in text_of(response)
    assert study.items.count() == 0
    assert "3 texts added." in text_of(upload("a,A.,,,\np,P.,practice,Good.,High\nc,C.,attention,,low\n"))
    assert list(study.items.values_list("kind", flat=True)) == ["rated", "practice", "attention"]


def test_a_draw_says_how_even_it_is_and_the_draft_keeps_it(studio: Client) -> None:
    batch = make_batch()
    for temperature in ("0.100", "0.700"):
        cell = make_cell(batch=batch, temperature=temperature)
        for number in range(3):
            make_abstract(cell=cell, body=f"Generated at {temperature}, number {number}.")
    corpus = make_corpus(name="Human", bodies=["Human one.", "Human two.", "Human three."])
    study = create_study(title="Draft")
    address = f"/studio/studies/{study.public_id}/"
    sent = {"batch-batch": batch.public_id, "batch-count": 4, "batch-seed": 1}
    refused = studio.post(f"{address}add/batch/", sent | {"batch-metric": "spectral_gap", "batch-bins": 3})
    assert "has a score yet" in text_of(refused)
    page = text_of(studio.post(f"{address}add/batch/", sent, follow=True))
    assert "From each of 2 cells: 2." in page
    assert "2 are further runs of cells" in page
    sent = {"corpus-corpus": corpus.pk, "corpus-count": 33, "corpus-unit": "percent", "corpus-seed": 2}
    page = text_of(studio.post(f"{address}add/corpus/", sent, follow=True))
    assert "2 texts added." in page
    assert "How the texts were drawn" in page
    assert "2 controls from “Human”, seed 2." in page
    too_many = studio.post(f"{address}add/corpus/", sent | {"corpus-count": 95})
    assert "90 percent is the most" in text_of(too_many)
    studio.post(f"{address}do/launch/")
    assert "4 texts from “Settling”, seed 1." in text_of(studio.get(address))


def test_a_draft_says_what_stands_before_its_launch(studio: Client) -> None:
    study = create_study(title="Draft", repeats=5)
    add_items_from_rows(study=study, rows=[TextRow("a", "", "A."), TextRow("c", "", "C.", "attention")])
    address = f"/studio/studies/{study.public_id}/"
    page = text_of(studio.get(address))
    assert "Before the launch" in page
    assert "5 hidden repeats need more than 5 texts" in page
    assert "1 attention check has no expected level" in page
    page = text_of(studio.post(f"{address}do/launch/", follow=True))
    assert "5 hidden repeats need more than 5 texts" in page
    study.refresh_from_db()
    assert study.state == "draft"


def test_archived_studies_leave_the_list_and_come_back(studio: Client) -> None:
    study, _ = make_open_study(title="Put away")
    create_study(title="Stays")
    address = f"/studio/studies/{study.public_id}/"
    page = text_of(studio.post(f"{address}do/archive/", follow=True))
    assert "close it before you archive it" in page
    studio.post(f"{address}do/close/")
    assert "Archived: the list" in text_of(studio.post(f"{address}do/archive/", follow=True))
    page = text_of(studio.get("/studio/studies/"))
    assert "Put away" not in page
    assert "Stays" in page
    page = text_of(studio.get("/studio/studies/?archived=1"))
    assert "Put away" in page
    assert "Stays" not in page
    studio.post(f"{address}do/unarchive/")
    assert "Put away" in text_of(studio.get("/studio/studies/"))
    assert list(study.events.values_list("kind", flat=True)) == ["study-archived", "study-unarchived"]


def test_the_archive_takes_as_many_statements_for_few_and_many(studio: Client) -> None:
    counts = []
    for more in (2, 22):
        for number in range(more):
            archive_study(study=create_study(title=f"Old {number}"))
        with CaptureQueriesContext(connection) as queries:
            page = text_of(studio.get("/studio/studies/?archived=1"))
        counts.append(len(queries))
    assert counts == [2, 2]  # user, studies
    assert "archived=1&amp;before=" in page


def test_the_page_of_a_draft_takes_as_many_statements_for_few_and_many(studio: Client) -> None:
    counts = []
    for size in (2, 60):
        study = make_open_study(texts=size, practice=3, attention=3, anchors=True, state="draft")[0]
        with CaptureQueriesContext(connection) as queries:
            text_of(studio.get(f"/studio/studies/{study.public_id}/"))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_settings_change_while_a_study_runs_and_that_is_recorded(studio: Client) -> None:
    study, _ = make_open_study()
    address = f"/studio/studies/{study.public_id}/settings/"
    assert address in text_of(studio.get(f"/studio/studies/{study.public_id}/"))
    sent = typed(text_of(studio.get(address)))
    page = text_of(studio.post(address, sent | {"completion_code": "C0DE", "default_quota": "9"}, follow=True))
    assert "The settings are changed." in page
    assert "C0DE" in page
    study.refresh_from_db()
    assert (study.completion_code, study.default_quota, study.reminder_days) == ("C0DE", 9, None)
    (event,) = study.events.all()
    assert (event.kind, event.details) == ("settings-changed", {"changed": ["completion_code", "default_quota"]})
    assert "Nothing was changed." in text_of(studio.post(address, typed(text_of(studio.get(address))), follow=True))
    assert studio.post(address, sent | {"reminder_days": "0"}).status_code == 422
    close_study(study=study)
    assert "nobody comes or goes" in text_of(studio.post(address, sent | {"completion_code": "X"}))
    draft = create_study(title="Draft")
    assert studio.get(f"/studio/studies/{draft.public_id}/settings/").url.endswith("/edit/")
    assert study.events.count() == 1


def test_a_duplicate_starts_afresh_with_or_without_texts(studio: Client) -> None:
    study, _ = make_open_study(texts=3, practice=1, reviewers=2)
    address = f"/studio/studies/{study.public_id}/"
    with_texts = Study.objects.get(public_id=studio.post(f"{address}do/duplicate/", {"with_texts": "on"}).url[16:-1])
    without = Study.objects.get(public_id=studio.post(f"{address}do/duplicate/").url[16:-1])
    for copy in (with_texts, without):
        assert (copy.title, copy.state, copy.supersedes, copy.frozen_sha256) == ("Tailings (copy)", "draft", None, "")
        assert [member.role for member in copy.memberships.all()] == ["owner"]
        assert copy.criteria.count() == 2
    assert (with_texts.items.count(), without.items.count()) == (4, 0)
    assert Expectation.objects.filter(item__study=with_texts).count() == 2
    assert with_texts.order_seed != study.order_seed
    assert [event.details["with_texts"] for event in study.events.filter(kind="study-duplicated")] == [True, False]
    assert launch_study(study=with_texts).frozen_sha256 != study.frozen_sha256


def test_the_preview_walks_from_consent_through_practice_to_checks(studio: Client) -> None:
    study, _ = make_open_study(
        texts=1,
        practice=1,
        attention=1,
        anchors=True,
        state="draft",
        consent="I **agree**.",
        instructions="<script>alert(1)</script> Be *kind*.",
    )
    add_items_from_rows(study=study, rows=[TextRow("dumb", "", "Teaches nothing.", "practice")])
    address = f"/studio/studies/{study.public_id}/preview/"
    page = text_of(studio.get(address))
    main = page[page.index("<main") : page.index("</main>")]
    for words in ("I <strong>agree</strong>.", "Be <em>kind</em>.", "(Synthetic example.)", "First practice text"):
        assert words in main
    assert "<script" not in main
    practice = text_of(studio.get(f"{address}?text=2"))
    assert "Practice 1 of 2" in practice
    assert "Feedback 1." not in practice
    after = text_of(studio.get(f"{address}?text=2&after=1"))
    assert "Feedback 1." in after
    assert "You said High, as we do." in after
    assert "It tells nothing" in text_of(studio.get(f"{address}?text=4"))
    rated = text_of(studio.get(f"{address}?text=1&after=1"))
    assert "Text 1" in rated
    assert "as we do" not in rated
    check = text_of(studio.get(f"{address}?text=3"))
    assert "Meaningfulness <strong>High</strong>, Importance <strong>High</strong>." in check
    desk = check[check.index('id="rating"') :]
    assert "attention" not in desk[: desk.index("</main>")].lower().replace("attention?", "")
    for one in (page, practice, after, rated, check):
        assert 'method="post"' not in one[one.index("<main") : one.index("</main>")]


def test_a_text_is_taken_out_of_a_draft_by_its_button(studio: Client) -> None:
    study, _ = make_open_study(texts=2, attention=1, state="draft")
    address = f"/studio/studies/{study.public_id}/"
    assert 'name="text" value="3"' in text_of(studio.get(address))
    page = text_of(studio.post(f"{address}do/drop/", {"text": "3"}, follow=True))
    assert "The text is out of the draft." in page
    assert ">A1<" not in page
    for odd in ("3", "", "x", "9" * 30):
        assert "no such text" in text_of(studio.post(f"{address}do/drop/", {"text": odd}, follow=True))
    assert study.items.count() == 2
    studio.post(f"{address}do/launch/")
    assert "Take out" not in text_of(studio.get(address))
