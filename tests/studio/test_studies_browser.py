"""The way from an empty draft to a link that a reviewer opens, in a real browser."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from evaluation.models import Invitation, Study
from evaluation.services.allocation import claim_next
from tests.evaluation.services.answers import answer
from tests.factories import make_open_study, make_researcher, make_reviewer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def studio(chromium: Any) -> Any:
    make_researcher()
    page = chromium.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill("renata")
    page.get_by_label("Password").fill("a long password")
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/")
    return page


def test_a_study_is_made_launched_and_opened_by_its_reviewer(
    studio: Any, browser: Any, live_server: Any, tmp_path: Path, settings: Any
) -> None:
    settings.SITE_URL = live_server.url
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
    for table in ("Reviewers who have come", "Personal links"):
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
    address = f"/studio/studies/{study.public_id}/"
    for page in ("/studio/studies/", "/studio/studies/new/", address, f"{address}preview/"):
        studio.goto(page)
        results = Axe().run(studio)
        assert results.violations_count == 0, results.generate_report()
        studio.set_viewport_size({"width": 320, "height": 640})
        assert studio.evaluate("document.documentElement.scrollWidth") <= 320, page
        studio.set_viewport_size({"width": 1280, "height": 860})
