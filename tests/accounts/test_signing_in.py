"""Signing in with a password: limited, counted by person and by address, and going nowhere else."""

import re
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from allauth.core.internal.ratelimit import parse_rates
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import NoReverseMatch, reverse

from accounts.models import User
from accounts.services import set_address
from evaluation.invitees import Invitee
from evaluation.services.invitations import accept_invitation, invitation_path, invite
from tests.factories import make_open_study, make_researcher

pytestmark = pytest.mark.django_db
PASSWORD = "a long password"
ADDRESS = "/accounts/login/"


@pytest.fixture(autouse=True)
def nobody_has_tried_yet() -> None:
    cache.clear()


def attempt(client: Client, *, login: str = "renata", password: str = "wrong", **extra: Any) -> Any:  # noqa: S107
    return client.post(ADDRESS, {"login": login, "password": password}, **extra)


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_five_failures_shut_an_account_for_a_while_wherever_they_come_from() -> None:
    make_researcher()
    for number in range(5):
        attempt(Client(REMOTE_ADDR=f"192.0.2.{number}"))
    client = Client(REMOTE_ADDR="192.0.2.99")
    page = attempt(client, password=PASSWORD)
    assert not is_in(client)
    assert "Too many failed attempts. Wait 5 minutes" in page.content.decode()


def test_the_time_that_is_said_to_wait_is_the_longest_of_the_limits() -> None:
    durations = [rate.duration for rate in parse_rates(settings.ACCOUNT_RATE_LIMITS["login_failed"])]
    assert max(durations) == 5 * 60


def test_other_people_still_come_in_from_elsewhere() -> None:
    make_researcher()
    make_researcher(username="ruth")
    for _ in range(5):
        attempt(Client(REMOTE_ADDR="192.0.2.1"))
    client = Client(REMOTE_ADDR="192.0.2.2")
    attempt(client, login="ruth", password=PASSWORD)
    assert is_in(client)


def test_every_label_of_the_sign_in_page_has_a_control_and_no_field_says_its_label_twice() -> None:
    page = Client().get(ADDRESS).content.decode()
    controls = set(re.findall(r'<input[^>]* id="([^"]+)"', page))
    labels = re.findall(r"<label([^>]*)>(.*?)</label>", page, re.DOTALL)
    assert len(labels) == 3
    for attributes, inside in labels:
        named = re.search(r'for="([^"]+)"', attributes)
        assert named[1] in controls if named else "<input" in inside
    assert "placeholder" not in page


@pytest.mark.parametrize("stays", [True, False])
def test_staying_signed_in_is_chosen_on_the_page(stays: bool) -> None:
    make_researcher()
    client = Client()
    client.post(ADDRESS, {"login": "renata", "password": PASSWORD} | ({"remember": "on"} if stays else {}))
    assert is_in(client)
    assert client.session.get_expire_at_browser_close() is not stays


def test_ten_failures_a_minute_shut_an_address() -> None:
    make_researcher()
    for number in range(10):
        attempt(Client(REMOTE_ADDR="192.0.2.1"), login=f"nobody-{number}")
    client = Client(REMOTE_ADDR="192.0.2.1")
    attempt(client, password=PASSWORD)
    assert not is_in(client)


def test_a_page_says_that_there_were_too_many_attempts() -> None:
    for number in range(31):
        response = attempt(Client(), login=f"nobody-{number}")
    assert response.status_code == 429
    assert "Too many attempts" in response.content.decode()


def test_behind_the_proxy_visitors_are_told_apart_and_cannot_choose_their_address(settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    make_researcher()
    for number in range(10):
        attempt(Client(), login=f"nobody-{number}", headers={"X-Forwarded-For": f"198.51.100.{number}, 192.0.2.1"})
    shut, open_ = Client(), Client()
    attempt(shut, password=PASSWORD, headers={"X-Forwarded-For": "198.51.100.77, 192.0.2.1"})
    attempt(open_, password=PASSWORD, headers={"X-Forwarded-For": "192.0.2.2"})
    assert not is_in(shut)
    assert is_in(open_)


def test_without_a_proxy_nobody_chooses_their_address() -> None:
    make_researcher()
    for number in range(10):
        attempt(Client(), login=f"nobody-{number}", headers={"X-Forwarded-For": f"198.51.100.{number}"})
    client = Client()
    attempt(client, password=PASSWORD, headers={"X-Forwarded-For": "192.0.2.2"})
    assert not is_in(client)


def test_the_session_key_changes_at_sign_in_and_by_a_link() -> None:
    make_researcher()
    study, _ = make_open_study()
    (invitation,) = invite(study=study, people=[Invitee("Rita")])
    for sign_in in (
        lambda client: attempt(client, password=PASSWORD),
        lambda client: client.post(invitation_path(invitation)),
    ):
        client = Client()
        session = client.session
        session["planted"] = True
        session.save()
        client.cookies["sessionid"] = planted = session.session_key
        sign_in(client)
        assert is_in(client)
        assert client.cookies["sessionid"].value != planted
        stranger = Client()
        stranger.cookies["sessionid"] = planted
        assert not is_in(stranger)


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_signing_in_or_out_leads_nowhere_else(elsewhere: str) -> None:
    make_researcher()
    client = Client()
    for address, form in ((ADDRESS, {"login": "renata", "password": PASSWORD}), ("/accounts/logout/", {})):
        response = client.post(address, form | {"next": elsewhere}, QUERY_STRING=f"next={elsewhere}")
        assert response.status_code == 302
        assert response.headers["Location"] == "/"


def test_a_guess_takes_as_long_for_nobody_as_for_somebody() -> None:
    """A hash is computed either way, and a slow one."""
    make_researcher()
    times = []
    for login in ("renata", "nobody"):
        begin = perf_counter()
        attempt(Client(), login=login)
        times.append(perf_counter() - begin)
    assert max(times) < 8 * min(times)
    assert User.objects.get().password.startswith("pbkdf2_sha256$1000000$")


def test_the_cookies_are_out_of_reach_of_scripts_and_of_other_sites() -> None:
    make_researcher()
    client = Client()
    cookies = attempt(client, password=PASSWORD).cookies
    assert cookies["sessionid"]["httponly"]
    assert cookies["sessionid"]["samesite"] == "Lax"
    assert client.get("/").wsgi_request.user.is_authenticated


def test_nobody_registers() -> None:
    for name in ("account_signup", "socialaccount_signup"):
        with pytest.raises(NoReverseMatch):
            reverse(name)
    assert Client().get("/accounts/signup/").status_code == 404


def test_a_password_is_changed_by_whoever_has_one(tmp_path: Path) -> None:
    make_researcher()
    client = Client()
    attempt(client, password=PASSWORD)
    form = {"oldpassword": PASSWORD, "password1": "quite another one", "password2": "quite another one"}
    assert client.post("/accounts/password/change/", form | {"oldpassword": "wrong"}).status_code == 200
    assert client.post("/accounts/password/change/", form).status_code == 302
    assert is_in(client)
    assert User.objects.get().check_password("quite another one")


def test_a_reviewer_sets_a_password_once_a_mailed_code_could_replace_it() -> None:
    study, _ = make_open_study()
    (invitation,) = invite(study=study, people=[Invitee("Rita")])
    client = Client()
    client.force_login(accept_invitation(invitation=invitation))
    form = {"password1": "quite another one", "password2": "quite another one"}
    assert client.post("/accounts/password/change/", form).url == "/accounts/password/set/"
    assert client.post("/accounts/password/set/", form).url == "/accounts/email/"
    User.objects.update(email="rita@example.org")  # as the invitation said, which proves nothing
    assert client.post("/accounts/password/set/", form).url == "/accounts/email/"
    set_address(user=User.objects.get(), address="rita@example.org")
    assert client.post("/accounts/password/set/", form).url == "/account/"
    assert User.objects.get().check_password("quite another one")
    assert is_in(client)
    page = Client().post(invitation_path(invitation))
    assert page.status_code == 410
    assert "entered by its owner only" in page.content.decode()
    other = Client()
    attempt(other, login="rita@example.org", password="quite another one")
    assert other.post(invitation_path(invitation)).url == f"/rate/{study.public_id}/"


def test_signing_out_asks_first() -> None:
    client = Client()
    client.force_login(make_researcher())
    assert "Sign out" in client.get("/accounts/logout/").content.decode()
    assert is_in(client)
    client.post("/accounts/logout/")
    assert not is_in(client)


def test_an_account_that_is_switched_off_stays_out() -> None:
    User.objects.filter(pk=make_researcher().pk).update(is_active=False)
    client = Client()
    assert (
        "switched off" in client.post(ADDRESS, {"login": "renata", "password": PASSWORD}, follow=True).content.decode()
    )
    assert not is_in(client)
