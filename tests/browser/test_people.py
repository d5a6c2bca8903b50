"""People come in, sign in again and look after their account, in a real browser: light and dark, wide and narrow."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from config import providers
from evaluation.models import Membership, Study
from evaluation.services.invitations import invitation_path, invite_many
from tests.factories import make_open_study, make_researcher

pytestmark = pytest.mark.django_db(transaction=True)
CONSENT = (
    "## What happens with your answers\n\nThey are published **under a pseudonym**.\n\n- You can stop at any time."
)


def check(page: Any) -> None:
    """No fault that axe finds, and nothing that leaves a screen of 320 pixels."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page).response["violations"]
        assert found == [], (page.url, scheme, [one["id"] for one in found])
    page.set_viewport_size({"width": 320, "height": 700})
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not wide, page.url
    page.set_viewport_size({"width": 1280, "height": 800})


def code() -> str:
    return str(mail.outbox[-1].body).split("\n\n")[1].strip()


@pytest.fixture
def configured(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setenv("ORCID_CLIENT_ID", "client")
    monkeypatch.setenv("ORCID_CLIENT_SECRET", "secret")
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": providers.from_environment()}}


def test_somebody_joins_by_a_shared_link_comes_back_by_mail_and_leaves(configured: None, chromium: Any) -> None:
    study, _ = make_open_study(consent=CONSENT, instructions="Read calmly.")
    page = chromium.new_page()
    page.goto("/join/")
    check(page)
    page.get_by_label("Link in your invitation").fill(invitation_path(invite_many(study=study, name="Seminar")))
    page.get_by_role("button", name="Open").click()
    page.get_by_role("heading", name=study.title).wait_for()
    check(page)
    page.get_by_label("Your name").fill("Ana Díaz")
    page.get_by_label("E-mail (optional)").fill("ana@example.org")
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Take part").click()
    page.get_by_text("We mailed a code to ana@example.org").wait_for()
    page.goto("/accounts/email/code/")
    check(page)
    page.get_by_label("Code").fill(code())
    page.get_by_role("button", name="Confirm").click()
    page.get_by_text("Your address is confirmed").wait_for()
    check(page)
    page.locator("select[name=language]").select_option("es")
    page.get_by_role("button", name="Change the language").click()
    page.locator("html[lang=es]").wait_for()
    page.get_by_label("Your name").or_(page.get_by_label("Su nombre")).wait_for()
    page.locator("select[name=language]").select_option("en")
    page.locator("form", has=page.locator("select[name=language]")).get_by_role("button").click()
    page.get_by_role("button", name="Sign out").click()

    page.goto("/accounts/login/")
    check(page)
    page.get_by_role("link", name="Mail me a code").click()
    check(page)
    page.get_by_label("E-mail").fill("ana@example.org")
    page.get_by_role("button", name="Mail me a code").click()
    page.get_by_role("heading", name="Type in the code").wait_for()
    check(page)
    page.get_by_label("Code").fill(code().lower())
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("link", name="Ana Díaz").click()
    page.get_by_role("link", name="Set one all the same").click()
    check(page)
    page.goto(f"/rate/{study.public_id}/consent/")
    check(page)
    page.goto("/account/delete/")
    check(page)
    page.get_by_label("Yes, delete my personal data").check()
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_text("Your personal data are deleted").wait_for()
    assert User.objects.get().erased_at is not None


def test_a_researcher_looks_after_the_people_of_a_study(chromium: Any, live_server: Any, client: Client) -> None:
    cache.clear()
    study, _ = make_open_study(reviewers=2, raters_per_item=2)
    Study.objects.filter(pk=study.pk).update(allows_self_registration=True)
    Membership.objects.filter(number=1).update(participant_id="5f1a", quota=3)
    client.force_login(make_researcher())
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    chromium.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
    page = chromium.new_page()
    page.goto(f"/studio/studies/{study.public_id}/")
    page.get_by_role("link", name="People, roles and links").click()
    page.get_by_role("heading", name="People", exact=True).wait_for()
    form = page.locator("form", has=page.get_by_role("heading", name="Somebody to run or read the study"))
    form.get_by_label("Name").fill("Mara Weiß")
    form.get_by_label("E-mail").fill("mara@example.org")
    form.get_by_label("Role").select_option("manager")
    form.get_by_role("button", name="Mail the invitation").click()
    page.get_by_text("1 link made.").wait_for()
    form = page.locator("form", has=page.get_by_role("heading", name="One link for many reviewers"))
    form.get_by_label("What you call it").fill("Seminar on Monday")
    form.get_by_label("People").fill("20")
    form.get_by_role("button", name="Make the link").click()
    page.get_by_text("0 of 20 came").wait_for()
    page.get_by_text("Change Reviewer 2").click()
    check(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Links as CSV").click()
    assert download.value.suggested_filename == "tailings-links.csv"
