"""Designing and watching a batch in a browser, with a real worker behind it."""

import re

import pytest

from corpora.models import Corpus, EmbeddingJob
from corpora.services import queue_embedding, register_packaged_models, run_embedding_job
from generation.models import Abstract
from generation.services import register_language_models, register_prompts
from leases.services import claim
from tests.factories import make_abstract, make_batch, make_cell, make_corpus, make_researcher

BODIES = [
    "Thickened tailings settle slowly in deep cones. Flocculants bridge the fine particles into aggregates.",
    "Filtered tailings can be stacked without a dam. The water that they release is used again in the mill.",
]


@pytest.fixture
def page(chromium, celery_worker_process):
    """Signed in, with a corpus that is embedded."""
    register_prompts()
    register_language_models()
    job = queue_embedding(corpus=make_corpus(bodies=BODIES), model=register_packaged_models()[0])
    run_embedding_job(lease=claim(model=EmbeddingJob, pk=job.pk))
    make_researcher()
    page = chromium.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto("/accounts/login/")
    page.fill("[name=login]", "renata")
    page.fill("[name=password]", "a long password")
    page.click("main button")
    page.wait_for_load_state()
    yield page
    assert problems == []


def test_from_design_to_abstracts_without_a_reload(page):
    from playwright.sync_api import expect

    page.goto("/studio/batches/new/")
    page.fill("[name=name]", "Settling")
    page.get_by_label("TextRank extraction (baseline)").check()
    page.get_by_label("Zero-shot").check()
    page.get_by_label("WordLlama").check()
    page.fill("[name=queries]", "How do tailings settle?")
    expect(page.locator("#estimate")).to_contain_text("62")
    page.fill("[name=iterations]", "3")
    expect(page.locator("#estimate")).to_contain_text("texts in 2 cells")
    expect(page.locator("#estimate strong").first).to_have_text("6")
    page.click("text=Save the draft")
    page.click("text=Launch")
    expect(page.locator("#progress")).to_contain_text("done", timeout=40_000)
    expect(page.locator("#abstracts li.card")).to_have_count(6)
    assert Abstract.objects.count() == 6
    # Nothing is asked for any more once all is written.
    assert page.locator("#progress").get_attribute("hx-trigger") is None
    page.locator("#abstracts a").first.click()
    assert re.search(r"/studio/batches/abstracts/[0-9a-f-]{36}/$", page.url)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_fit_a_phone(page, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 320, "height": 640})
    abstract = make_abstract(cell=make_cell(batch=make_batch(corpus=Corpus.objects.get())))
    batch = f"/studio/batches/{abstract.run.cell.batch.public_id}/"
    for address in ("/studio/batches/", "/studio/batches/new/", "/studio/batches/models/", batch):
        page.goto(address)
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
