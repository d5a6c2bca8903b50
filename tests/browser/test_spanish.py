"""Rating in Spanish, on the narrowest phone: longer words, the same page."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from evaluation.invitees import Invitee
from evaluation.models import Rating
from evaluation.services.invitations import invitation_path, invite
from tests.factories import make_open_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(browser: Any, live_server: Any) -> Iterator[Any]:
    context = browser.new_context(
        base_url=live_server.url, locale="es-CO", viewport={"width": 320, "height": 640}, has_touch=True
    )
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


def fits(page: Any) -> bool:
    """Nothing reaches beyond the edge of the screen, and no word is cut in its button."""
    wide = """() => [...document.querySelectorAll('body *')].filter(one => {
        const box = one.getBoundingClientRect();
        return box.width && one.closest('.table-wrap') === null && !one.matches('.visually-hidden, .visually-hidden *')
            && !one.matches('.skip-link') && box.right > innerWidth + 1;
    }).map(one => one.outerHTML.slice(0, 120))"""
    cut = """() => [...document.querySelectorAll('button, .button, .badge, label')].filter(
        one => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline'
    ).map(one => one.outerHTML.slice(0, 120))"""
    assert page.evaluate(wide) == []
    assert page.evaluate(cut) == []
    return bool(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))


def test_a_reviewer_rates_in_spanish_on_a_small_phone(page: Any) -> None:
    texts = [f"Thickened tailings of site {number} settle slowly. " * 6 for number in range(1, 4)]
    study, _ = make_open_study(texts=texts, instructions="Read **slowly**, judge the ideas.")
    (invitation,) = invite(study=study, people=[Invitee("Rita Rater")])
    page.goto(invitation_path(invitation))
    assert page.locator("html").get_attribute("lang") == "es"
    assert fits(page)
    page.get_by_role("button", name="Continuar como Rita Rater").click()
    page.get_by_role("button", name="Empezar a valorar").click()
    page.get_by_role("heading", name="Texto 1").wait_for()
    assert fits(page)
    page.get_by_role("radio").first.check()
    page.locator("#save-state[data-state=saved]").wait_for()
    assert "Guardado" in page.locator("#save-state").inner_text()
    page.get_by_role("button", name="Siguiente").click()
    page.get_by_text("sigue sin respuesta").or_(page.get_by_text("Elija un nivel")).first.wait_for()
    assert fits(page)
    page.get_by_role("radio").last.check()
    page.get_by_role("button", name="Siguiente").click()
    page.get_by_role("heading", name="Texto 2").wait_for()
    page.locator("#skip > summary", has_text="Omitir este texto").click()
    assert fits(page)
    page.get_by_label("Fuera de mi campo").check()
    page.get_by_role("button", name="Omitir", exact=True).click()
    page.get_by_role("heading", name="Texto 3").wait_for()
    page.get_by_role("link", name="Sus respuestas").click()
    page.get_by_text("Fuera de mi campo").wait_for()
    assert fits(page)
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("button", name="English").click()
    page.get_by_role("heading", name="Your answers").wait_for()
    assert page.locator("html").get_attribute("lang") == "en"
    assert Rating.objects.count() == 2
