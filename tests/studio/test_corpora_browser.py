"""In a browser and with a real worker: a file becomes a corpus, gets its vectors and answers a question."""

import re
from pathlib import Path

import pytest

import corpora
from corpora.models import Corpus
from tests.factories import make_researcher

SAMPLE = Path(corpora.__file__).parent / "sample" / "mineral_processing.csv"
PASSWORD = "a long password"


@pytest.fixture
def page(chromium, celery_worker_process):
    make_researcher(password=PASSWORD)
    page = chromium.new_page()
    page.set_default_timeout(30_000)
    page.goto("/accounts/login/?next=/studio/")
    page.fill("[name=login]", "renata")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url("**/studio/")
    return page


def test_from_a_file_to_an_answer(page):
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)

    page.click("text=Import a corpus")
    page.fill("[name=name]", "Minerals")
    page.set_input_files("[name=file]", SAMPLE)
    page.click("text=Read the file")
    page.click("text=Import 60 documents")
    page.wait_for_url(re.compile(r"/studio/corpora/\d+/$"))
    assert page.locator("text=60 documents imported from mineral_processing.csv").is_visible()
    assert Corpus.objects.get().documents.count() == 60

    page.click("text=Embed with WordLlama 256")
    page.locator("#embedding .badge.good").wait_for()
    assert page.locator("#id_model option").all_inner_texts() == ["WordLlama 256"], "no reload was needed"

    page.fill("#text", "nanobubble")
    page.locator("#documents caption:has-text('nanobubble')").wait_for()
    assert page.locator("#documents tbody tr").count() == 1

    page.fill("[name=query]", "How do nanobubbles help the flotation of ultrafine sphalerite?")
    page.click("text=Find the nearest documents")
    page.locator(".ranked li").first.wait_for()
    assert page.locator(".ranked li").count() == 5
    assert "ubble" in page.locator(".ranked h3").first.inner_text()
    assert problems == []


def test_pages_fit_a_phone_and_pass_axe(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="run `make install`").Axe()
    page.click("text=Import a corpus")
    page.fill("[name=name]", "Minerals")
    page.set_input_files("[name=file]", SAMPLE)
    page.click("text=Read the file")
    report = page.url
    page.click("text=Import 60 documents")
    page.wait_for_url(re.compile(r"/studio/corpora/\d+/$"))
    corpus = page.url
    page.click(".documents a >> nth=0")
    page.wait_for_url(re.compile("/documents/"))
    page.set_viewport_size({"width": 320, "height": 640})
    for address in ("/studio/", "/studio/corpora/", "/studio/corpora/new/", corpus, report, page.url):
        page.goto(address)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320, address
        found = axe.run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], address
