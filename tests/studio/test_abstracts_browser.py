"""The page of an abstract in a browser: it fills in by itself, and nobody is kept out."""

import pytest
from django.test import Client

from graphs import services
from tests.factories import make_abstract, make_cell, make_corpus, make_researcher, make_retrieval
from tests.graphs.texts import sentences

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def abstract():  # type: ignore[no-untyped-def]
    bodies = [sentences(words=40 + 10 * seed, seed=seed) for seed in range(4)]
    retrieval = make_retrieval(corpus=make_corpus(bodies=bodies))
    return make_abstract(body=sentences(words=60, seed=77), cell=make_cell(retrieval=retrieval))


def score(abstract) -> None:  # type: ignore[no-untyped-def]
    texts = abstract.run.cell.retrieval.retrieved.values_list("text_id", flat=True)
    services.score_texts(text_ids=[abstract.text_id, *texts], settings=services.ensure_default_settings())


@pytest.fixture
def page(chromium, client: Client, live_server):  # type: ignore[no-untyped-def]
    client.force_login(make_researcher())
    session = client.cookies["sessionid"].value
    chromium.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield page
    assert complaints == []


def test_the_radar_appears_when_the_scores_do(page, abstract) -> None:  # type: ignore[no-untyped-def]
    page.goto(f"/studio/batches/abstracts/{abstract.public_id}/")
    assert page.get_by_text("0 of 5 texts scored").is_visible()
    score(abstract)
    page.get_by_role("img", name="Radar of seven graph metrics").wait_for()
    assert page.get_by_text("texts scored").count() == 0


@pytest.mark.parametrize("scored", [True, False], ids=["scored", "waiting"])
def test_nobody_is_kept_out(page, abstract, scored: bool) -> None:  # type: ignore[no-untyped-def]
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: `make install`")
    if scored:
        score(abstract)
    for scheme, width in (("light", 1280), ("dark", 320)):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"/studio/batches/abstracts/{abstract.public_id}/")
        page.get_by_role("heading", name="Where it came from").wait_for()
        found = axe.Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("part", ["nulls", "windows", "neighbours"])
def test_a_closer_look_opens_in_place(page, abstract, part: str) -> None:  # type: ignore[no-untyped-def]
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: `make install`")
    score(abstract)
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(f"/studio/batches/abstracts/{abstract.public_id}/")
    before = page.url
    page.locator(f"#{part} a.button").click()
    page.locator(f"#{part} :is(table, form)").first.wait_for()
    assert page.url == before
    found = axe.Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_two_texts_stand_side_by_side_for_everybody(page, abstract) -> None:  # type: ignore[no-untyped-def]
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: `make install`")
    score(abstract)
    page.goto(f"/studio/batches/abstracts/{abstract.public_id}/")
    page.get_by_role("link", name="Side by side with Document 1").click()
    for scheme, width in (("light", 1280), ("dark", 320)):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.get_by_role("heading", name="Both on one radar").wait_for()
        found = axe.Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") == width
