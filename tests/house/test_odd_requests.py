"""Whatever is asked of any address, the answer is never a server error."""

import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.house.odd import ODD, shown, visits
from tests.house.site import Site, make_site

pytestmark = pytest.mark.django_db

IN_QUERIES = """
after before text part done cells cell model prompt temperature measure next comment level-meaningfulness level-x page
q file show criterion raters items iterations PROLIFIC_PID assignmentId workerId
"""
PARAMETERS = IN_QUERIES.split()
SLOW = {"studio:study_report", "studio:study_correlations"}  # a fraction of a second each
TARGETS = ("embedding", "documents", "scores", "report", "answer", "exports", "correlations", "odd\u00e9")


@pytest.fixture
def site(settings: Any, tmp_path: Path) -> Site:
    settings.MEDIA_ROOT = tmp_path
    settings.ACCOUNT_RATE_LIMITS = False
    return make_site()


def test_odd_query_strings(site: Site) -> None:
    for number, (visitor, name) in enumerate(visits(site)):
        address = site.address(name)
        # Every other one, in turn: each is tried on half of the pages.
        for odd in ODD[8:12] if name in SLOW else ODD[number % 2 :: 2]:
            visitor.send(shown(odd), "get", address, dict.fromkeys(PARAMETERS, odd[:3000]))
        for target in () if name in SLOW else TARGETS[number % 2 :: 2]:
            headers = {"HX-Request": "true", "HX-Target": target, "Accept": "application/json"}
            for odd in ("", "null\0byte"):
                query = dict.fromkeys(PARAMETERS, odd) | {"part": "abstracts" if odd else "progress"}
                visitor.send(f"{target} {odd!r}", "get", address, query, headers=headers)


def test_odd_bodies(site: Site) -> None:
    bodies = [
        ("application/json", json.dumps({"key": None, "a": [1]})),
        ("application/json", "{"),
        ("text/plain", "\0\0"),
        ("application/x-www-form-urlencoded", b"\xff\xfe=%00&&&=&%%%&key=%ed%a0%80&comment=%ed%a0%80"),
        ("application/x-www-form-urlencoded; charset=utf-16", b"a=b"),
        ("application/x-www-form-urlencoded", b"a=b&" * 3000),
        ("multipart/form-data", b"no boundary"),
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\ncut off'),
        ("multipart/form-data; boundary=" + "y" * 300, b"--y"),
        ("nonsense", b"\0"),
    ]
    for visitor, name in visits(site):
        for kind, body in bodies:
            visitor.send(f"{kind} {body!r:.40}", "post", site.address(name), body, content_type=kind)
        for method in ("put", "patch", "delete", "options", "head", "trace"):
            visitor.send("method", method, site.address(name))


def test_odd_arguments(site: Site) -> None:
    """Ids that nobody has, in the form that the address takes."""
    for visitor, name in visits(site):
        arguments = site.arguments.get(name, {})
        for odd in ("0", "9" * 30, str(uuid.uuid4()), "x", "null\0byte", "x" * 3000, "\U0001f9ea"):
            for key in arguments:
                address = site.address(name).replace(str(arguments[key]), odd)
                for method in ("get", "post"):
                    visitor.send(shown(odd), method, address)


def test_odd_cookies(db: None) -> None:
    client = Client(raise_request_exception=False)
    for cookie in ("sessionid", "csrftoken", "messages", "django_language"):
        for value in ("\\000aaaaaaaaaaaaaaaa", "x" * 3000, "\u00e9" * 20, "..", "%00"):
            for path in ("/", "/accounts/login/", "/nothing/"):
                for method in (client.get, client.post):
                    response = method(path, headers={"Cookie": f'{cookie}="{value}"'})
                    assert response.status_code < 500, (cookie, value, path)


def test_odd_headers(site: Site) -> None:
    client = Client()
    client.force_login(site.researcher)
    names = ("Accept-Language", "Host", "Accept", "HX-Target", "HX-Current-URL", "Range", "Referer", "If-None-Match")
    for route in ("home", "studio:home", "studio:corpus", "studio:study_export_download"):
        for name in names:
            for value in ("", "\0", "x" * 3000, "\u00ff\u00fe", "a..b@:99999", "%00%ff", "bytes=9-1,-"):
                response = client.get(site.address(route), headers={name: value, "HX-Request": "true"})
                assert response.status_code < 500, (route, name, value)
