"""Watching a study in a real browser: from hidden agreement to a settled text, in both schemes and on a phone."""

from datetime import timedelta
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils import timezone

from evaluation.invitees import Invitee
from evaluation.models import Adjudication, AuthorshipGuess, Comment, Event, Membership, Slot, Study
from evaluation.services.invitations import invite
from tests.factories import make_rated_study, make_researcher

pytestmark = pytest.mark.django_db(transaction=True)
LEVELS = ("low", "medium", "high")


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


def watched_study() -> Study:
    """Two of three seats a text are answered; one reviewer gave one level throughout, and one link was never used."""
    mixed = [LEVELS[n % 3] for n in range(18)]
    study = make_rated_study(
        answers={"clarity": [[level, "medium"] for level in mixed]},
        raters_per_item=3,
        agreement_from=80,
        asks_authorship=True,
    )
    Study.objects.filter(pk=study.pk).update(launched_at=timezone.now() - timedelta(days=9), reminder_days=7)
    reviewer = Membership.objects.filter(study=study)[0].user
    for number, slot in enumerate(Slot.objects.filter(item__study=study).order_by("pk")):
        at = timezone.now() - timedelta(days=1 + number % 7)
        Slot.objects.filter(pk=slot.pk).update(answered_at=at, seconds_active=20 + number)
    for number, item in enumerate(study.items.all()):
        AuthorshipGuess.objects.create(item=item, reviewer=reviewer, guess=("person", "machine", "unsure")[number % 3])
    Comment.objects.create(slot=Slot.objects.order_by("pk")[0], body="The second sentence contradicts the first.")
    invite(study=study, people=[Invitee("Absent Ann", "ann@example.org")])
    return study


def test_agreement_is_opened_on_record_and_a_text_is_settled(studio: Any) -> None:
    study = watched_study()
    studio.goto(reverse("studio:study", args=[study.public_id]))
    tabs = studio.get_by_role("navigation", name="Pages of this study")
    tabs.get_by_role("link", name="Adjudication").click()
    studio.get_by_role("heading", name="Agreement is hidden for now").wait_for()
    studio.get_by_text("Open it now, on record").click()
    studio.get_by_role("button", name="Open agreement at 66 % coverage").click()
    studio.get_by_text("before the study’s own threshold of 80 %").wait_for()
    assert Event.objects.filter(kind="agreement-opened").count() == 1
    studio.goto(reverse("studio:study_adjudication", args=[study.public_id]))
    studio.get_by_role("link", name="S001").click()
    studio.get_by_text("The second sentence contradicts the first.").wait_for()
    studio.get_by_role("radio", name="High").check()
    studio.get_by_label("Reason").fill("By the definition.")
    studio.get_by_role("button", name="Settle").click()
    studio.get_by_text("S001 is settled.").wait_for()
    assert Adjudication.objects.get().reason == "By the definition."


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_fault_that_axe_finds_and_all_fit_a_phone(studio: Any, scheme: str) -> None:
    study = watched_study()
    studio.emulate_media(color_scheme=scheme)
    of_study = [study.public_id]
    pages = [reverse(f"studio:study_{page}", args=of_study) for page in ("progress", "quality", "authorship", "report")]
    for number, page in enumerate(pages):
        look(studio, page, number, scheme)
    studio.get_by_text("Open it now, on record").click()
    studio.get_by_role("button", name="Open agreement").click()
    item = study.items.all()[0]
    look(studio, reverse("studio:study_adjudication", args=of_study), 4, scheme)
    look(studio, reverse("studio:study_adjudicate", args=[*of_study, item.public_id]), 5, scheme)


def look(studio: Any, page: str, number: int, scheme: str) -> None:
    studio.goto(page)
    found = Axe().run(studio)
    assert found.violations_count == 0, found.generate_report()
    studio.set_viewport_size({"width": 320, "height": 640})
    assert studio.evaluate("document.documentElement.scrollWidth") <= 320, page
    studio.set_viewport_size({"width": 1280, "height": 860})
