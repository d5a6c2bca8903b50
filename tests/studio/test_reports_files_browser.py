"""Agreement of a file, the planner and the worked example in a browser, with and without JavaScript."""

from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.factories import make_researcher

pytestmark = pytest.mark.django_db(transaction=True)
SAMPLE = Path(__file__).parents[2] / "platform/corpora/sample/ratings.csv"


@pytest.fixture(autouse=True)
def empty_cache(embedded_valkey):
    cache.clear()


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def page(request, browser, client: Client, live_server):
    client.force_login(make_researcher())
    context = browser.new_context(base_url=live_server.url, java_script_enabled=request.param)
    context.set_default_timeout(60_000)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    yield context.new_page()
    context.close()


def test_from_a_file_with_words_to_its_report(page):
    page.goto(reverse("studio:studies"))
    page.get_by_role("link", name="Agreement of a file").click()
    page.get_by_label("File", exact=True).set_input_files(SAMPLE)
    page.get_by_role("button", name="Compute the agreement").click()
    page.get_by_text("is kept for a quarter of an hour").wait_for()
    for place, level in (("3", "high"), ("2", "medium"), ("1", "low")):
        page.get_by_label(level, exact=True).fill(place)
    page.get_by_role("button", name="Compute the agreement").click()
    page.get_by_role("heading", name="Agreement in ratings.csv").wait_for()
    assert page.get_by_text("levels low < medium < high").count() == 2
    with page.expect_download() as started:
        page.get_by_role("link", name="Download JSON").click()
    assert started.value.suggested_filename == "ratings-agreement.json"
    page.get_by_role("button", name="Delete now").click()
    page.get_by_text("The report is deleted.").wait_for()


def test_from_a_new_study_to_a_plan(page):
    page.goto(reverse("studio:study_new"))
    page.get_by_role("link", name="How many items do I need?").click()
    page.get_by_label("Anticipated linear κ").fill("0.7")
    page.get_by_role("button", name="Plan").click()
    page.wait_for_url("**kappa=0.7**")
    assert page.locator("svg polyline").count() == 2


def test_nobody_is_kept_out(chromium, client, live_server):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: `make install`")
    client.force_login(make_researcher())
    session = client.cookies["sessionid"].value
    chromium.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = chromium.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)

    def look() -> None:
        page.evaluate("document.querySelectorAll('details').forEach(found => { found.open = true })")
        for scheme, width in (("light", 1280), ("dark", 320)):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = axe.Axe().run(page).response["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
            assert page.evaluate("document.documentElement.scrollWidth") == width

    for name in ("planner", "worked_example", "ratings_upload"):
        page.goto(reverse(f"studio:{name}"))
        look()
    page.get_by_label("File", exact=True).set_input_files(SAMPLE)
    page.get_by_role("button", name="Compute the agreement").click()
    page.get_by_role("heading", name="Put the values in order").wait_for()
    assert len(problems) == 1
    assert "422" in problems.pop()  # the refusal itself
    look()
    page.locator("#id_levels").fill("low, medium, high")
    page.get_by_role("button", name="Compute the agreement").click()
    page.get_by_role("heading", name="Agreement in ratings.csv").wait_for()
    look()
    assert problems == []
