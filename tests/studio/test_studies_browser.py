"""The way from an empty draft to a link that a reviewer opens, in a real browser."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client

from evaluation.models import Invitation, Study
from evaluation.services.allocation import claim_next
from tests.evaluation.services.answers import answer
from tests.factories import make_open_study, make_researcher, make_reviewer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def studio(chromium: Any, live_server: Any, client: Client) -> Any:
    """A page of somebody who is signed in already."""
    client.force_login(make_researcher())
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    chromium.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
    return chromium.new_page()


def test_a_study_is_made_launched_and_opened_by_its_reviewer(
    studio: Any, browser: Any, live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "SITE_URL", live_server.url)
    file = tmp_path / "texts.csv"
    file.write_text("id,question,text\na,Why?,First text.\nb,Why?,Second text.\n")
    studio.goto("/studio/studies/")
    studio.get_by_role("link", name="New study").click()
    studio.get_by_label("Title").fill("Tailings")
    studio.get_by_role("button", name="Make the draft").click()
    studio.get_by_label("File").set_input_files(file)
    studio.get_by_role("button", name="Upload").click()
    studio.get_by_text("2 texts added.").wait_for()
    studio.get_by_role("button", name="Launch and freeze").click()
    studio.get_by_text("Launched.").wait_for()
    studio.get_by_label("Who").fill("Rita Rater")
    studio.get_by_role("button", name="Make links").click()
    link = studio.get_by_label("Link of Rita Rater").input_value()
    assert link.startswith(live_server.url)
    other = browser.new_context()
    reviewer = other.new_page()
    reviewer.goto(link)
    reviewer.get_by_role("button", name="Continue as Rita Rater").click()
    reviewer.get_by_role("button", name="Start rating").click()
    reviewer.get_by_role("heading", name="Text 1").wait_for()
    other.close()
    studio.reload()
    studio.get_by_text("Close the study").click()
    studio.get_by_role("button", name="Close for good").click()
    studio.get_by_text("No more answers are taken.").wait_for()
    assert Study.objects.get().state == "closed"
    assert Invitation.objects.get().accepted_at is not None


def test_reviewers_and_their_links_fit_a_phone(studio: Any) -> None:
    study, _ = make_open_study(texts=3, reviewers=2)
    studio.set_viewport_size({"width": 390, "height": 844})
    studio.goto(f"/studio/studies/{study.public_id}/")
    for table in ("Reviewers who have come", "Links. A personal one"):
        wrap = studio.locator(".table-wrap", has_text=table)
        assert wrap.evaluate("node => node.scrollWidth <= node.clientWidth"), table
    texts = studio.locator(".table-wrap", has_text="Texts in the order")
    assert texts.evaluate("node => node.scrollWidth > node.clientWidth")
    assert "gradient" in texts.evaluate("node => getComputedStyle(node).backgroundImage")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_about_studies_has_a_fault_that_axe_finds(studio: Any, scheme: str) -> None:
    studio.emulate_media(color_scheme=scheme)
    study, _ = make_open_study(texts=3)
    person = make_reviewer(study=study)
    answer(claim_next(study_id=study.pk, reviewer=person).slot, person)
    draft, _ = make_open_study(texts=1, practice=1, attention=1, open_criteria=True, anchors=True, state="draft")
    address, draft_address = (f"/studio/studies/{one.public_id}/" for one in (study, draft))
    for page in (
        "/studio/studies/",
        "/studio/studies/?archived=1",
        address,
        f"{address}settings/",
        draft_address,
        f"{draft_address}edit/",
        f"{draft_address}preview/",
        f"{draft_address}preview/?text=2&after=1",
    ):
        studio.goto(page)
        studio.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        results = Axe().run(studio)
        assert results.violations_count == 0, results.generate_report()
        studio.set_viewport_size({"width": 320, "height": 640})
        assert studio.evaluate("document.documentElement.scrollWidth") <= 320, page
        studio.set_viewport_size({"width": 1280, "height": 860})


def test_a_protocol_is_written_with_examples_practice_and_a_look_at_it_as_a_reviewer(studio: Any) -> None:
    studio.goto("/studio/studies/new/")
    studio.get_by_label("Title").fill("Tailings")
    first = studio.get_by_role("group", name="Criterion 1", exact=True)
    first.get_by_text("Examples that anchor the levels").click()
    first.get_by_label("Levels, lowest first").fill("Low\nMedium\nHighest: of all")
    levels = first.get_by_label("Level", exact=True)
    assert levels.nth(0).locator("option").all_inner_texts() == ["…", "Low", "Medium", "Highest"]
    assert levels.nth(3).input_value() == "Highest"  # the example of “High” follows its level's new name
    first.get_by_role("button", name="Add an example to criterion 1").click()
    fifth = first.get_by_role("group", name="Example 5")
    fifth.wait_for()
    assert studio.evaluate("document.activeElement.id") == "id_criteria-0-anchors-4-level"
    fifth.get_by_label("Level", exact=True).select_option("Medium")
    fifth.get_by_label("Example text").fill("An example of my own.")
    studio.get_by_role("button", name="Add a criterion").click()
    third = studio.get_by_role("group", name="Criterion 3", exact=True)
    third.get_by_label("Name").fill("Novelty")
    assert not third.get_by_label("Smallest").is_visible()
    third.get_by_label("Answered").select_option("number")
    assert not third.get_by_label("Levels, lowest first").is_visible()
    third.get_by_label("Largest").fill("100")
    studio.locator("summary", has_text="Repeats and attention checks").click()
    studio.get_by_label("Hidden repeats").fill("1")
    studio.get_by_label("Title").press("Enter")
    studio.get_by_text("The draft is made.").wait_for()
    studio.get_by_text("Write a practice text").click()
    studio.get_by_label("Id", exact=True).fill("P1")
    studio.get_by_label("Text", exact=True).fill("To practise on.")
    studio.get_by_label("Meaningfulness").select_option("Highest")
    studio.get_by_role("button", name="Add", exact=True).click()
    studio.get_by_text("1 text added.").wait_for()
    studio.get_by_role("link", name="Preview as a reviewer").click()
    studio.get_by_text("An example of my own.").wait_for()
    studio.get_by_role("link", name="First practice text").click()
    studio.get_by_role("heading", name="Practice 1 of 1").wait_for()
    studio.get_by_role("link", name="Once it is answered").click()
    studio.get_by_text("You said Highest, as we do.").wait_for()
