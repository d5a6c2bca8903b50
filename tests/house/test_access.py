"""Who may open what. A new view fails here until it has a rule."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.cache import get_max_age

from tests.house.site import Site, make_site, routes

pytestmark = pytest.mark.django_db
PUBLIC = {
    "home",
    "session",
    "join",
    "health_live",
    "health_ready",
    "account_login",
    "account_logout",
    "account_inactive",
}
PUBLIC |= {"set_language", "reminders", "join_paste", "join_study"}
PUBLIC |= {"account_request_login_code", "account_confirm_login_code"}
PUBLIC |= {f"account_reset_password{step}" for step in ("", "_done", "_from_key", "_from_key_done")}
PUBLIC |= {"socialaccount_login_cancelled", "socialaccount_login_error"}
ELSEWHERE = {"openid_connect_login", "openid_connect_callback"}  # shut where no provider is set up
MEMBERS = {"study", "study_answers", "study_done", "study_closing", "slot", "slot_skip", "consent"}
SIGNED_IN = {"account", "account_reminders", "account_data", "account_delete", "account_disconnect"}
SIGNED_IN |= {"account_change_password", "account_set_password", "account_email", "account_confirm_email_code"}
# Signed addresses, to which mail programs post without a cookie of ours.
SIGNED = {"reminders"}
# Addresses that answer to a POST alone, and what a GET of the others gives to those who may.
POST_ONLY = {
    "slot_skip",
    "studio:corpus_embed",
    "studio:corpus_ask",
    "studio:corpus_score",
    "studio:import_action",
    "studio:embedding_action",
    "studio:batch_action",
    "studio:abstract_score",
    "studio:study_add",
    "studio:study_action",
    "studio:study_invite",
    "studio:study_report_open",
    "studio:study_remind",
    "studio:study_invitation",
    "studio:study_member",
}
REDIRECTS = {"studio:batch_scoring", "account_logout", "study_closing"}
SIGN_IN = "/accounts/login/?next="


@pytest.fixture
def site(settings: Any, tmp_path: Path) -> Site:
    settings.MEDIA_ROOT = tmp_path
    cache.clear()
    return make_site()


def signed_in(user: Any, **options: Any) -> Client:
    client = Client(**options)
    client.force_login(user)
    return client


def ours() -> list[str]:
    return sorted(name for name, _ in routes() if not name.startswith("admin:"))


def studio() -> list[str]:
    return [name for name in ours() if name.startswith("studio:")]


def test_every_view_has_a_rule() -> None:
    assert set(ours()) == PUBLIC | ELSEWHERE | MEMBERS | SIGNED_IN | set(studio())


def test_strangers_meet_the_sign_in_page_and_nothing_else(site: Site) -> None:
    for name in ours():
        if name in PUBLIC:
            assert Client().get(site.address(name)).status_code in {200, 302}, name
            continue
        for method in ("get", "post"):
            response = getattr(Client(), method)(site.address(name))
            if name in ELSEWHERE:
                assert response.status_code in {404, 405}, (name, method)
                continue
            if name == "slot" and method == "post":
                assert response.status_code == 401
                continue
            refused = response.status_code == 405 or response.headers.get("Location", "").startswith(SIGN_IN)
            assert refused, (name, method, response.status_code)


def test_reviewers_are_kept_out_of_the_studio(site: Site) -> None:
    client = signed_in(site.reviewer)
    for name in studio():
        for method in ("get", "post"):
            for headers in ({}, {"HX-Request": "true", "Accept": "application/json"}):
                status = getattr(client, method)(site.address(name), headers=headers).status_code
                assert status in {403, 405}, (name, method, status)
        refused = {client.get(site.address(name)).status_code, client.post(site.address(name)).status_code}
        assert 403 in refused, name


def test_reviewers_reach_what_is_theirs(site: Site) -> None:
    client = signed_in(site.reviewer)
    for name in MEMBERS:
        expected = 405 if name in POST_ONLY else 302 if name in REDIRECTS else 200
        assert client.get(site.address(name)).status_code == expected, name


def test_researchers_reach_the_studio_and_no_reviewers_page(site: Site) -> None:
    client = signed_in(site.researcher)
    for name in studio():
        if name not in site.arguments:
            expected = {200, 404, 405}  # 404: the address or its query names nothing that is there
        elif name in POST_ONLY:
            expected = {405}
        else:
            expected = {302} if name in REDIRECTS else {200}
        assert client.get(site.address(name)).status_code in expected, name
    for name in MEMBERS:
        assert client.get(site.address(name)).status_code in {404, 405}, name
        assert client.post(site.address(name)).status_code in {400, 404, 405}, name


def test_every_post_needs_its_token(site: Site) -> None:
    for user in (site.reviewer, site.researcher):
        client = signed_in(user, enforce_csrf_checks=True)
        for name in set(ours()) - SIGNED:
            for method in ("post", "put", "delete", "patch"):
                status = getattr(client, method)(site.address(name)).status_code
                assert status in {403, 405}, (name, method, status)


def test_every_page_comes_with_its_guards(site: Site) -> None:
    """No script or frame from elsewhere, no guessing of types, no address told to others, no page of one's own kept."""
    client = signed_in(site.researcher)
    for name in ours():
        response = client.get(site.address(name))
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, name
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy, name
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["X-Frame-Options"] == "DENY"
        assert response.headers["Referrer-Policy"] == "same-origin"
        if not response.streaming and "html" in response.headers["Content-Type"]:
            page = response.content.decode()
            assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=\"|javascript:", page), name
    for name in {"home", *MEMBERS} - POST_ONLY:
        assert get_max_age(signed_in(site.reviewer).get(site.address(name))) == 0, name


def test_uploaded_and_written_files_are_served_by_no_address_of_their_own(site: Site, tmp_path: Path) -> None:
    stored = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    assert stored
    for client in (Client(), signed_in(site.reviewer), signed_in(site.researcher)):
        for name in stored:
            for prefix in ("/media/", "/static/", "/", "/static/../", "/static/%2e%2e/media/", "/studio/"):
                assert client.get(prefix + name).status_code in {403, 404, 302}, prefix + name


def test_the_admin_is_for_staff_and_has_no_sign_in_of_its_own(site: Site) -> None:
    assert Client().get("/admin/login/").headers["Location"].startswith("/accounts/login/?next=")
    assert Client().get("/admin/").status_code == 302
    for method in ("get", "post"):
        answer = getattr(Client(), method)("/admin/login/", {"username": "renata", "password": "a long password"})
        assert answer.headers["Location"].startswith("/accounts/login/")
        assert "sessionid" not in answer.cookies
    assert signed_in(site.reviewer).get("/admin/login/").status_code == 403
    assert signed_in(site.reviewer).get("/admin/auth/group/").status_code in {302, 403}
