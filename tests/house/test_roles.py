"""A part in one study opens that study's pages to the extent of the role, and nothing else of the studio."""

from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from evaluation.models import Membership
from studio.access import OWN, READ, RUN, STUDY_PAGES
from tests.factories import make_user
from tests.house.site import Site, make_site, routes

pytestmark = pytest.mark.django_db
READ_BY_VIEWERS = {"study", "study_report", "study_correlations"}
OWNERS_ONLY = {"study_report_open"}


@pytest.fixture
def site(settings: Any, tmp_path: Path) -> Site:
    settings.MEDIA_ROOT = tmp_path
    cache.clear()
    return make_site()


def pages_of_a_study() -> list[str]:
    return sorted(name for name, _ in routes() if name.startswith("studio:study_") or name == "studio:study")


def person(site: Site, role: str, **fields: Any) -> User:
    """Somebody with the role in both studies of the site."""
    user = make_user(username=f"{role}-{len(fields)}")
    for study in (site.study, site.draft):
        Membership.objects.create(study=study, user=user, role=role, **fields)
    return user


def opens(site: Site, user: User, name: str) -> bool:
    """Whether the person gets past the guard, by GET or by POST of nothing."""
    client = Client()
    client.force_login(user)
    statuses = {getattr(client, method)(site.address(name)).status_code for method in ("get", "post")}
    assert not {500, 502} & statuses
    refused = statuses <= {403, 405}
    assert refused or 403 not in statuses, (name, statuses)
    return not refused


def test_every_page_of_a_study_has_a_rule() -> None:
    own_names = {name.removeprefix("studio:") for name in pages_of_a_study()}
    assert own_names - {"study_new"} <= set(STUDY_PAGES), "give each page of a study its line in studio/access.py"


def test_the_rules_are_these() -> None:
    assert {name for name, roles in STUDY_PAGES.items() if roles == READ} >= READ_BY_VIEWERS
    assert {name for name, roles in STUDY_PAGES.items() if roles == OWN} >= OWNERS_ONLY
    assert all("reviewer" not in roles for roles in STUDY_PAGES.values())
    for name in ("study_edit", "study_action", "study_people", "study_links", "study_exports", "study_preview"):
        assert STUDY_PAGES[name] == RUN, name


def test_each_role_opens_what_its_rule_says(site: Site) -> None:
    for role in ("owner", "manager", "viewer", "reviewer"):
        user = person(site, role)
        for name in pages_of_a_study():
            allowed = STUDY_PAGES.get(name.removeprefix("studio:"), frozenset())
            assert opens(site, user, name) is (role in allowed), (role, name)


def test_a_role_opens_nothing_else_of_the_studio_and_only_while_it_lasts(site: Site) -> None:
    user = person(site, "owner")
    of_studies = {*pages_of_a_study(), "studio:studies"}
    others = [name for name, _ in routes() if name.startswith("studio:") and name not in of_studies]
    assert len(others) > 20
    for name in others:
        assert not opens(site, user, name), name
    removed = person(site, "manager", removed_at=timezone.now(), removal="keep")
    elsewhere = make_user(username="elsewhere")
    Membership.objects.create(study=site.draft, user=elsewhere, role="owner")
    for name in pages_of_a_study():
        assert not opens(site, removed, name), name
        if "public_id" in site.arguments.get(name, {}) and site.arguments[name]["public_id"] == site.study.public_id:
            assert not opens(site, elsewhere, name), name
    client = Client()
    client.force_login(user)
    for public_id in ("00000000-0000-0000-0000-000000000007", "ffffffff-ffff-ffff-ffff-ffffffffffff"):
        assert client.get(f"/studio/studies/{public_id}/").status_code == 403


def test_everybody_is_shown_their_own_studies_and_viewers_no_link_that_signs_somebody_in(site: Site) -> None:
    client = Client()
    owner = make_user(username="own")
    Membership.objects.create(study=site.draft, user=owner, role="owner")
    client.force_login(owner)
    page = client.get("/studio/studies/").content.decode()
    assert f"/studio/studies/{site.draft.public_id}/" in page
    assert f"/studio/studies/{site.study.public_id}/" not in page
    assert "/studio/studies/new/" not in page
    assert "/studio/corpora/" not in page
    assert "/studio/studies/" in client.get("/").content.decode()
    client.force_login(site.researcher)
    page = client.get("/studio/studies/").content.decode()
    assert f"/studio/studies/{site.study.public_id}/" in page
    viewer, manager = Client(), Client()
    viewer.force_login(person(site, "viewer"))
    manager.force_login(person(site, "manager"))
    address = f"/studio/studies/{site.study.public_id}/"
    assert "/join/" in manager.get(address).content.decode()
    page = viewer.get(address).content.decode()
    assert "/join/" not in page
    assert 'method="post"' not in page.partition('<main id="content"')[2].partition("</main>")[0]
