"""Signing in by ORCID or OpenID Connect, against a provider on this machine."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from accounts.models import User
from config.providers import from_environment
from evaluation.models import Membership, Study
from tests.accounts.openid_provider import Provider, provider
from tests.factories import make_open_study, make_user

pytestmark = pytest.mark.django_db
RITA = {"sub": "0000-0001-2345-6789", "name": "Rita Rater", "email": "rita@example.org", "email_verified": True}


@pytest.fixture
def openid(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    cache.clear()
    with provider() as found:
        found.person = dict(RITA)
        for name in ("ORCID", "OIDC"):
            monkeypatch.setenv(f"{name}_CLIENT_ID", "client")
            monkeypatch.setenv(f"{name}_CLIENT_SECRET", "secret")
            monkeypatch.setenv(f"{name}_SERVER_URL", found.url)
        monkeypatch.setenv("OIDC_NAME", "Uni")
        apps = {"OAUTH_PKCE_ENABLED": True, "APPS": from_environment()}
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": apps}
        yield found


def sign_in(client: Client, *, by: str = "openid", **form: str) -> Any:
    """Go to the provider and come back, as a browser does."""
    page = client.post(f"/accounts/elsewhere/{by}/", form)
    assert page.status_code == 200, page
    found = re.search(r'href="(http://127[^"]+)"', page.content.decode())
    assert found
    answer = httpx.get(unescape(found[1]))
    back = urlsplit(answer.headers["Location"])
    return client.get(back.path, {key: value[0] for key, value in parse_qs(back.query).items()})


def who(client: Client) -> User | None:
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


def test_without_its_variables_a_provider_is_neither_offered_nor_there() -> None:
    assert from_environment() == []
    for page in ("/accounts/login/", "/accounts/login/code/"):
        assert "elsewhere" not in Client().get(page).content.decode()
    for key in ("orcid", "openid", "google"):
        assert Client().post(f"/accounts/elsewhere/{key}/").status_code == 404
        assert Client().get(f"/accounts/elsewhere/{key}/callback/?code=x&state=y").status_code == 404


def test_a_provider_is_reached_by_tls_and_needs_its_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORCID_CLIENT_ID", "client")
    with pytest.raises(ImproperlyConfigured, match="ORCID_CLIENT_SECRET"):
        from_environment()
    monkeypatch.setenv("ORCID_CLIENT_SECRET", "secret")
    assert from_environment()[0]["settings"] == {"server_url": "https://orcid.org", "scope": ["openid"]}
    monkeypatch.setenv("ORCID_SERVER_URL", "http://orcid.example")
    with pytest.raises(ImproperlyConfigured, match="https"):
        from_environment()


def test_nobody_is_called_before_a_person_asks(openid: Provider) -> None:
    page = Client().get("/accounts/login/").content.decode()
    assert "Sign in with ORCID" in page
    assert "Sign in with Uni" in page
    assert openid.asked == []


def test_a_stranger_gets_no_account(openid: Provider) -> None:
    client = Client()
    page = sign_in(client)
    assert "No account here yet" in page.content.decode()
    assert not User.objects.exists()


def test_an_address_that_both_sides_proved_connects(openid: Provider) -> None:
    rita = make_user(email="rita@example.org")
    client = Client()
    assert "No account here yet" in sign_in(client).content.decode()  # typed in by somebody, never proved
    EmailAddress.objects.create(user=rita, email="rita@example.org", verified=True, primary=True)
    openid.person["email_verified"] = False
    assert "No account here yet" in sign_in(client).content.decode()
    openid.person["email_verified"] = True
    assert sign_in(client).status_code == 302
    assert who(client) == rita
    assert SocialAccount.objects.get().uid == RITA["sub"]
    rita.refresh_from_db()
    assert rita.check_password("a long password")
    openid.person["email"] = "rita@elsewhere.example"
    again = Client()
    sign_in(again)
    assert who(again) == rita


def test_who_has_not_proved_the_invited_address_connects_nothing(openid: Provider) -> None:
    person = make_user(email="rita@example.org")
    client = Client()
    client.force_login(person)
    response = client.post("/accounts/elsewhere/orcid/", {"process": "connect"})
    assert response.url == "/accounts/email/"
    assert not SocialAccount.objects.exists()


def test_a_signed_in_person_connects_and_disconnects_orcid(openid: Provider) -> None:
    rita = make_user(first_name="Rita")
    client = Client()
    client.force_login(rita)
    assert "Connect ORCID" in client.get("/account/").content.decode()
    assert sign_in(client, by="orcid", process="connect").url == "/account/"
    page = client.get("/account/").content.decode()
    assert "0000-0001-2345-6789" in page
    assert "Connect ORCID" not in page
    other = Client()
    sign_in(other, by="orcid")
    assert who(other) == rita
    stranger = Client()
    stranger.force_login(make_user(username="otto"))
    sign_in(stranger, by="orcid", process="connect")
    assert SocialAccount.objects.get().user == rita  # it stays with the first
    address = f"/accounts/elsewhere/{SocialAccount.objects.get().pk}/disconnect/"
    assert stranger.post(address).status_code == 404
    assert client.post(address).url == "/account/"
    assert not SocialAccount.objects.exists()


def test_the_last_way_in_is_not_given_up(openid: Provider) -> None:
    rita = make_user()
    rita.set_unusable_password()
    rita.save()
    account = SocialAccount.objects.create(user=rita, provider="orcid", uid="1")
    client = Client()
    client.force_login(rita)
    client.post(f"/accounts/elsewhere/{account.pk}/disconnect/")
    assert SocialAccount.objects.exists()


def test_an_open_study_lets_people_in_by_their_account_elsewhere(openid: Provider) -> None:
    study, _ = make_open_study()
    address = f"/join/study/{study.public_id}/"
    client = Client()
    assert "No account here yet" in sign_in(client, next=address).content.decode()
    Study.objects.update(allows_self_registration=True)
    make_user(username="squatter", email="rita@example.org")
    assert sign_in(client, next=address).url == address
    person = who(client)
    assert person is not None
    assert (str(person), person.email, person.has_usable_password()) == ("Rita Rater", "", False)
    assert "Take part as Rita Rater" in client.get(address).content.decode()
    assert client.post(address).url == f"/rate/{study.public_id}/"
    assert Membership.objects.get(role="reviewer").user == person
    for elsewhere in ("/", "/studio/", "https://evil.example/", "/join/nonsense/"):
        openid.person["sub"] = "another"
        assert "No account here yet" in sign_in(Client(), next=elsewhere).content.decode()


def test_a_provider_that_is_down_or_answers_nonsense_is_no_error_of_ours(openid: Provider) -> None:
    openid.breaks = "/.well-known/openid-configuration"
    assert Client().post("/accounts/elsewhere/openid/").status_code in {200, 502}
    openid.breaks = "/userinfo"
    assert "Not signed in" in sign_in(Client()).content.decode()
    openid.breaks, openid.person = "", {"name": "without a subject"}
    assert "Not signed in" in sign_in(Client()).content.decode()
    for query in ("", "?error=access_denied&state=x", "?code=x&state=forged"):
        page = Client().get(f"/accounts/elsewhere/openid/callback/{query}", follow=True)
        assert "Not signed in" in page.content.decode()
    assert not User.objects.exists()
