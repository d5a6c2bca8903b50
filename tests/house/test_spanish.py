"""Every page in Spanish: no English that has a translation, no failure, and what machines read as it was."""

import html
import re
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import polib
import pytest
from django.conf import settings as configuration
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import translation

from evaluation.reports.data import load
from evaluation.reports.study_report import agreement_figures
from evaluation.services.studies import close_study
from tests.factories import make_researcher
from tests.house.site import Site, make_site, routes

pytestmark = pytest.mark.django_db
# Geometry, addresses, limits and instants: read by programs, so the same in every language.
MACHINES = re.compile(
    r"\s(x|y|x1|x2|y1|y2|cx|cy|r|width|height|points|viewBox|d|max|min|step|datetime|href|action|name|id|class"
    r"|hx-get|hx-post|hx-target|hx-trigger|hx-vals|data-key|data-slot|data-person|data-stored|data-state|stroke-width)="
    r'"([^"]*)"'
)
GAUGE = re.compile(r'<(?:progress|meter|option|input type="(?:radio|checkbox|number)")[^>]*?\svalue="([^"]*)"')
FLEETING = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|next=[^\"&]*|/join/[^\"/]+|/reminders/[^\"/]+|\b\d{7,}\b")


@pytest.fixture
def site(settings: Any, tmp_path: Path) -> Site:
    settings.MEDIA_ROOT = tmp_path
    cache.clear()
    return make_site()


def text_of(page: str) -> str:
    page = re.sub(r"<(script|pre|code|template)\b.*?</\1>", " ", page, flags=re.DOTALL)
    spoken = re.findall(r'\s(?:title|aria-label|placeholder|alt)="([^"]*)"', page)
    return " ".join(html.unescape(" | ".join([re.sub(r"<[^>]+>", " ", page), *spoken])).split())


@pytest.fixture(scope="module")
def english() -> list[str]:
    """Sentences of three words and more that read otherwise in Spanish; the criteria of a study are its own words."""
    (folder,) = configuration.LOCALE_PATHS
    found = polib.pofile(str(folder / "es" / "LC_MESSAGES" / "django.po"))
    said = [e for e in found if any("rubrics/templates" not in place for place, _ in e.occurrences)]
    plain = [" ".join(e.msgid.split()) for e in said if not re.search(r"[%{<&]", e.msgid) and e.msgid != e.msgstr]
    return [sentence for sentence in plain if len(sentence.split()) > 2]


def pages(site: Site, client: Client, names: list[str], language: str) -> dict[str, str]:
    """The HTML of each page that answers, by the name of its address."""
    found = {}
    for name in names:
        response = client.get(site.address(name), headers={"Accept-Language": language})
        assert response.status_code < 500, name
        if not response.streaming and response.status_code in {200, 403, 404} and "html" in response["Content-Type"]:
            found[name] = response.content.decode()
    return found


@pytest.mark.parametrize("who", ["reviewer", "researcher", "stranger"])
def test_every_page_is_whole_in_spanish(site: Site, english: list[str], who: str) -> None:
    client = Client()
    if who != "stranger":
        client.force_login(getattr(site, who))
    names = sorted(name for name, _ in routes() if not name.startswith("admin:") and name != "account_logout")
    if who != "researcher":
        names = [name for name in names if not name.startswith("studio:")] + ["studio:home"]
    ours, theirs = pages(site, client, names, "en"), pages(site, client, names, "es-CO,es;q=0.9")
    assert ours.keys() == theirs.keys()
    assert len(ours) > {"reviewer": 10, "researcher": 30, "stranger": 5}[who]
    for name, page in theirs.items():
        assert '<html lang="es" dir="ltr">' in page, name
        said = text_of(page)
        assert [
            sentence
            for sentence in english
            if sentence in said and re.search(rf"(?<!\w){re.escape(sentence)}(?!\w)", said)
        ] == [], name
        # A new study is offered the paper's criteria, whose levels are choices, in the reader's language.
        for pattern in (MACHINES, GAUGE) if name != "studio:study_new" else (MACHINES,):
            for_machines = [FLEETING.sub("", str(found)) for found in pattern.findall(page)]
            assert for_machines == [FLEETING.sub("", str(found)) for found in pattern.findall(ours[name])], name


def test_what_people_choose_wins_over_their_browser_and_is_kept() -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.get(reverse("home"), headers={"Accept-Language": "es"})
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())
    assert token
    chosen = client.post(
        reverse("set_language"),
        {"language": "en", "csrfmiddlewaretoken": token[1]},
        headers={"Referer": "http://testserver/accounts/login/", "Accept-Language": "es"},
    )
    assert chosen.headers["Location"] == "http://testserver/accounts/login/"
    cookie = client.cookies[configuration.LANGUAGE_COOKIE_NAME]
    assert (cookie.value, cookie["samesite"], bool(cookie["httponly"])) == ("en", "Lax", True)
    assert int(cookie["max-age"]) > 300 * 24 * 3600
    assert '<html lang="en"' in client.get(reverse("home"), headers={"Accept-Language": "es"}).content.decode()


def test_a_language_that_is_not_offered_is_english() -> None:
    client = Client()
    client.cookies = SimpleCookie({configuration.LANGUAGE_COOKIE_NAME: "tlh"})
    assert '<html lang="en"' in client.get(reverse("home"), headers={"Accept-Language": "tlh"}).content.decode()


def test_an_installation_may_speak_spanish_first(settings: Any) -> None:
    settings.LANGUAGE_CODE = "es"
    for asked, given in (("", "es"), ("tlh", "es"), ("en", "en")):
        page = Client().get(reverse("home"), headers={"Accept-Language": asked}).content.decode()
        assert f'<html lang="{given}"' in page
        assert (("Human judgement" in page), ("Juicio humano" in page)) == (given == "en", given == "es")


def test_the_choice_leads_to_no_other_site() -> None:
    answer = Client().post(reverse("set_language"), {"language": "es", "next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/"


def test_what_is_exported_is_the_same_in_every_language(site: Site) -> None:
    close_study(study=site.study)
    client = Client()
    client.force_login(site.researcher)
    address = reverse("studio:study_quality_csv", args=[site.study.public_id])
    for_machines = []
    for language in ("en", "es"):
        cache.clear()
        with translation.override(language):
            figures = agreement_figures(data=load(study=site.study))
        for_machines.append((figures, client.get(address, headers={"Accept-Language": language}).content))
    assert for_machines[0] == for_machines[1]


def test_figures_and_dates_are_written_as_the_reader_does() -> None:
    client = Client()
    client.force_login(make_researcher())
    address = reverse("studio:planner")
    assert "0.40" in text_of(client.get(address, headers={"Accept-Language": "en"}).content.decode())
    page = client.get(address, headers={"Accept-Language": "es"}).content.decode()
    assert "0,40" in text_of(page)
    assert "0.40" not in text_of(page)
    assert "--kappa 0.5" in page
    assert 'value="0.5"' in page
