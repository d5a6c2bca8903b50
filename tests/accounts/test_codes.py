"""Signing in by a mailed code, an address of one's own, and a new password by mail."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from accounts.services import AddressTaken, set_address
from tests.factories import make_user

pytestmark = pytest.mark.django_db
ASK, TYPE_IN = "/accounts/login/code/", "/accounts/login/code/confirm/"
JSON = {"Accept": "application/json"}


@pytest.fixture(autouse=True)
def nobody_has_tried_yet() -> None:
    cache.clear()


@pytest.fixture
def rita() -> User:
    return make_user(first_name="Rita", email="rita@example.org")


def code_in(mail: Any) -> str:
    return str(mail.body.split("\n\n")[1]).strip()


def who(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def test_a_code_signs_in_and_proves_the_address(rita: User, mailoutbox: list[Any]) -> None:
    client = Client()
    assert client.post(f"{ASK}?next=/account/", {"email": "Rita@example.org"}).url == f"{TYPE_IN}?next=%2Faccount%2F"
    (mail,) = mailoutbox
    assert mail.to == ["rita@example.org"]
    assert mail.subject == "Your code"
    assert client.post(TYPE_IN, {"code": "WRONGX"}).status_code == 200
    assert who(client) is None
    assert client.post(TYPE_IN, {"code": code_in(mail), "next": "/account/"}).url == "/account/"
    assert who(client) == str(rita.pk)
    assert EmailAddress.objects.get(user=rita).verified
    assert Client().post(TYPE_IN, {"code": code_in(mail)}).url == ASK  # of use in that browser only


def test_three_wrong_codes_are_the_end_of_it(rita: User, mailoutbox: list[Any]) -> None:
    client = Client()
    client.post(ASK, {"email": rita.email})
    for _ in range(3):
        client.post(TYPE_IN, {"code": "WRONGX"})
    client.post(TYPE_IN, {"code": code_in(mailoutbox[0])})
    assert who(client) is None


def test_neither_page_tells_who_has_an_account_and_everybody_gets_a_mail(rita: User, mailoutbox: list[Any]) -> None:
    pages = {}
    for address in (rita.email, "nobody@example.org"):
        for form in (ASK, "/accounts/password/reset/"):
            response = Client().post(form, {"email": address}, follow=True)
            page = re.sub(r'value="[^"]*"|X-CSRFToken[^}]*', "", response.content.decode().replace(address, "ADDRESS"))
            pages.setdefault(form, []).append((response.redirect_chain, page))
    for first, second in pages.values():
        assert first == second
    assert [mail.to[0] for mail in mailoutbox] == [rita.email, rita.email, "nobody@example.org", "nobody@example.org"]
    assert "No account has it" in mailoutbox[-1].body
    assert rita.username in mailoutbox[1].body


def test_codes_are_asked_for_three_times_a_minute_at_most(rita: User, mailoutbox: list[Any]) -> None:
    answers = [Client(REMOTE_ADDR=f"192.0.2.{n}").post(ASK, {"email": rita.email}) for n in range(5)]
    assert [answer.status_code for answer in answers] == [302, 302, 302, 200, 200]
    assert len(mailoutbox) == 3


def test_a_mail_server_that_is_away_is_said(rita: User, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    for address in (rita.email, "nobody@example.org"):
        page = Client().post(ASK, {"email": address}, follow=True)
        assert page.status_code == 200
        assert "did not take our mail" in page.content.decode()


def test_a_forgotten_password_is_replaced_by_mail(rita: User, mailoutbox: list[Any]) -> None:
    client = Client()
    client.post("/accounts/password/reset/", {"email": rita.email})
    link = re.search(r"http://testserver(/\S+)", mailoutbox[0].body)
    assert link
    form = client.get(link[1], follow=True)
    assert "Choose a new password" in form.content.decode()
    new = {"password1": "quite another one", "password2": "quite another one"}
    assert client.post(form.redirect_chain[-1][0], new).status_code == 302
    rita.refresh_from_db()
    assert rita.check_password("quite another one")
    assert "does not work any more" in Client().get(link[1], follow=True).content.decode()


def test_an_address_is_changed_once_the_code_is_typed_in(rita: User, mailoutbox: list[Any]) -> None:
    client = Client()
    client.force_login(rita)
    assert client.get("/accounts/email/code/").url == "/accounts/email/"
    assert client.post("/accounts/email/", {"email": "nonsense"}).status_code == 422
    client.post("/accounts/email/", {"email": "rita@new.example"})
    code = code_in(mailoutbox[0])
    assert client.post("/accounts/email/code/", {"code": "x"}).status_code == 422
    rita.refresh_from_db()
    assert rita.email == "rita@example.org"
    client.post("/accounts/email/code/", {"code": f" {code.lower()} "})
    rita.refresh_from_db()
    assert rita.email == "rita@new.example"
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("rita@new.example", True)]


def test_wrong_codes_for_an_address_run_out(rita: User, mailoutbox: list[Any]) -> None:
    client = Client()
    client.force_login(rita)
    client.post("/accounts/email/", {"email": "rita@new.example"})
    answers = [client.post("/accounts/email/code/", {"code": "x"}).status_code for _ in range(5)]
    assert answers == [422, 422, 422, 422, 302]
    assert client.post("/accounts/email/code/", {"code": code_in(mailoutbox[0])}).url == "/accounts/email/"


def test_an_address_of_somebody_else_is_told_to_its_owner_only(rita: User, mailoutbox: list[Any]) -> None:
    other = make_user(username="otto")
    client = Client()
    client.force_login(other)
    assert client.post("/accounts/email/", {"email": "RITA@example.org"}).url == "/accounts/email/code/"
    assert "account has it already" in mailoutbox[0].body
    for code in ("", "x"):
        assert client.post("/accounts/email/code/", {"code": code}).status_code == 422
    with pytest.raises(AddressTaken):
        set_address(user=other, address="rita@example.org")
    other.refresh_from_db()
    assert other.email == ""


def test_a_script_signs_in_by_password_or_code_without_leaving_its_page(rita: User, mailoutbox: list[Any]) -> None:
    by_password = Client(enforce_csrf_checks=True)
    token = by_password.get("/accounts/login/", headers=JSON).json()["csrf_token"]
    form = {"login": rita.email, "password": "wrong"}
    refused = by_password.post("/accounts/login/", form, headers=JSON | {"X-CSRFToken": token})
    assert refused.status_code == 422
    assert refused.json()["errors"]
    form["password"] = "a long password"
    answer = by_password.post("/accounts/login/", form, headers=JSON | {"X-CSRFToken": token}).json()
    assert (answer["signed_in"], answer["user"]) == (True, str(rita.public_id))
    assert by_password.post("/accounts/logout/", headers={"X-CSRFToken": token}).status_code == 403  # the old one
    assert by_password.post("/accounts/logout/", headers={"X-CSRFToken": answer["csrf_token"]}).status_code == 302

    by_code = Client()
    asked = by_code.post(ASK, {"email": rita.email}, headers=JSON)
    assert asked.json()["step"] == "code"
    wrong = by_code.post(TYPE_IN, {"code": "WRONGX"}, headers=JSON)
    assert (wrong.status_code, wrong.json()["signed_in"]) == (422, False)
    right = by_code.post(TYPE_IN, {"code": code_in(mailoutbox[0])}, headers=JSON).json()
    assert (right["signed_in"], right["user"]) == (True, str(rita.public_id))
    lost = Client().post(TYPE_IN, {"code": "x"}, headers=JSON)
    assert (lost.status_code, lost.json()["step"]) == (409, "start")
