"""The report and the exports in a browser: they fill in by themselves, fit every screen, and keep nobody out."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from evaluation.models import Export
from evaluation.services.exports import claim_new_export, write_export
from evaluation.tasks import export as export_task
from tests.factories import make_rated_study, make_researcher

pytestmark = pytest.mark.django_db(transaction=True)

TWO = {"meaningfulness": [["low", "low"], ["high", "medium"], ["medium", "high"], ["high", "high"]]}
THREE = {"clarity": [["low", "low", "medium"], ["high", "medium", "high"], ["medium", "high", "low"], ["low"] * 3]}


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    cache.clear()
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def page(chromium, client: Client, live_server):
    client.force_login(make_researcher())
    session = client.cookies["sessionid"].value
    chromium.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert complaints == []


@pytest.mark.parametrize("answers", [TWO, THREE], ids=["two raters", "three raters"])
def test_nobody_is_kept_out_of_the_report(page, answers):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: `make install`")
    study = make_rated_study(answers=answers)
    for scheme, width in (("light", 1280), ("dark", 320)):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(reverse("studio:study_report", args=[study.public_id]))
        page.get_by_label("Draw").wait_for()  # the correlations came by themselves
        page.evaluate("document.querySelectorAll('details').forEach(found => { found.open = true })")
        found = axe.Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_an_export_is_followed_until_it_can_be_downloaded(page, monkeypatch):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: `make install`")
    monkeypatch.setattr(export_task, "delay_on_commit", lambda pk: None)
    study = make_rated_study(answers=TWO)
    write_export(lease=claim_new_export(study=study))
    page.goto(reverse("studio:study_exports", args=[study.public_id]))
    page.get_by_label("Same pseudonyms").check()
    page.get_by_role("button", name="Export as zip").click()
    page.get_by_text("An export is being written").wait_for()
    assert page.get_by_role("button", name="Export as zip").is_disabled()
    export_task(Export.objects.latest("pk").pk)
    page.get_by_role("link", name="Download").nth(1).wait_for()
    first, second = Export.objects.order_by("pk")
    assert first.sha256 == second.sha256
    with page.expect_download() as started:
        page.get_by_role("link", name="Download").first.click()
    assert started.value.suggested_filename.startswith("tailings-abstracts-export-")
    for scheme, width in (("light", 1280), ("dark", 320)):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        found = axe.Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_both_pages_work_without_javascript(browser, client, live_server):
    client.force_login(make_researcher())
    study = make_rated_study(answers=TWO)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()
    page.goto(reverse("studio:study_report", args=[study.public_id]))
    page.get_by_role("link", name="Show them").click()
    page.get_by_label("Draw").select_option("spectral_gap")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/?measure=spectral_gap")
    page.get_by_role("link", name="Report").click()
    page.get_by_role("link", name="Export").click()
    page.get_by_role("button", name="Export as zip").click()
    page.get_by_text("An export is being written").wait_for()
    context.close()
