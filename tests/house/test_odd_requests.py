"""Whatever is sent to any address, the answer is never a server error."""

import json
import uuid
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from tests.house.site import Site, make_site, routes

pytestmark = pytest.mark.django_db

ODD = [
    "",
    "-1",
    "0",
    "9" * 40,
    str(2**63),
    str(-(2**63) - 1),
    "1e400",
    "nan",
    "null\0byte",
    "\x1b[31m\x7f",
    "٣²½",
    "\u202e\u2066abc\u2069 \U0001f9ea\U000e0041",
    "'; DROP TABLE x; --",
    "{{ 7|add:7 }}<script>alert(1)</script>",
    "../../etc/passwd",
    "2026-02-30T25:61",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "x" * 70_000,
]
IN_QUERIES = """
after before text part done cells cell model prompt temperature measure next comment level-meaningfulness level-x page
q file show criterion raters items iterations PROLIFIC_PID assignmentId workerId
"""
PARAMETERS = IN_QUERIES.split()
SLOW = {"studio:study_report", "studio:study_correlations"}  # a fraction of a second each
TARGETS = ("embedding", "documents", "scores", "report", "answer", "exports", "correlations", "odd\u00e9")
IN_FORMS = """
name description query model top_n check corpus language_models prompts embedding_models temperatures queries
iterations max_new_tokens seed backend revision base_url api_key_env title instructions raters_per_item lease_minutes
order_seed criteria-TOTAL_FORMS criteria-INITIAL_FORMS criteria-0-name criteria-0-definition criteria-0-levels batch-
batch batch-count batch-seed corpus-corpus corpus-count corpus-seed people quota days send same_pseudonyms key seconds
comment go level-meaningfulness level- importance reason words login password next email oldpassword password1
password2 remember items raters agreement consent link code reminders is_sure role form process people-people
people-days people-kind shared-name shared-most_uses shared-days helper-name helper-email helper-role
"""
FIELDS = IN_FORMS.split()
FILES = {
    "empty": b"",
    "zip bomb": b"PK\x03\x04" + b"\0" * 5000,
    "nulls": b"\0" * 5000,
    "half utf-16": b"\xff\xfea",
    "utf-32": "id,text\n1,x\n".encode("utf-32"),
    "latin": "id,text\n1,caf\u00e9".encode("latin-1"),
    "open quote": b'id,text\n1,"never closed' + b"a" * 300_000,
    "nulls in cells": b'Title,DOI,Abstract\na\0b,10.1/1,"x\0y"\n',
    "nulls in texts": b"id,question,text\n1,a\0,b\0\n",
    "one wide row": b"id,text" + b"," * 200_000 + b"\n1,x\n",
}
NAMES = ["../../a.csv", "a\nb\r.csv", "x" * 400 + ".csv", "n\0ul.csv", "=cmd()|'.csv", "\u202egnp.csv", " ", ".csv"]


@pytest.fixture
def site(settings: Any, tmp_path: Path) -> Site:
    settings.MEDIA_ROOT = tmp_path
    settings.ACCOUNT_RATE_LIMITS = False
    return make_site()


class Visitor:
    """Sends a request, undoes what it did, and keeps the errors in mind."""

    def __init__(self, user: Any) -> None:
        self.client = Client()
        self.user = user
        self.errors: list[str] = []
        self.answers = 0

    def send(self, what: str, method: str, address: str, *arguments: Any, **options: Any) -> None:
        if self.client.session.get("_auth_user_id") != str(self.user.pk):  # an address signed us out, or in anew
            self.client.force_login(self.user)
        point = transaction.savepoint()
        try:
            response = getattr(self.client, method)(address, *arguments, **options)
            if response.status_code >= 500:
                self.errors.append(f"{method} {address} {what}: {response.status_code}")
        except Exception as error:  # what a server answers with a 500
            self.errors.append(f"{method} {address} {what}: {error!r}")
        transaction.set_rollback(False)
        transaction.savepoint_rollback(point)
        self.answers += 1


def visits(site: Site, *, only: Collection[str] = ()) -> Iterator[tuple[Visitor, str]]:
    """Each address for a researcher, all but the studio's for a reviewer; in the end nothing may have gone wrong."""
    names = sorted({name for name, _ in routes() if not name.startswith("admin:") and name != "account_logout"})
    names = [name for name in names if not only or name in only]
    people = [Visitor(site.researcher), Visitor(site.reviewer)]
    for visitor in people:
        for name in names:
            if visitor.user == site.researcher or not name.startswith("studio:"):
                yield visitor, name
    assert [error for visitor in people for error in visitor.errors] == []
    assert people[0].answers > 50


def shown(odd: str) -> str:
    return repr(odd[:30])


def test_odd_query_strings(site: Site) -> None:
    for visitor, name in visits(site):
        address = site.address(name)
        for odd in ODD[8:12] if name in SLOW else ODD:
            visitor.send(shown(odd), "get", address, dict.fromkeys(PARAMETERS, odd[:3000]))
        for target in () if name in SLOW else TARGETS:
            headers = {"HX-Request": "true", "HX-Target": target, "Accept": "application/json"}
            for odd in ("", "null\0byte"):
                query = dict.fromkeys(PARAMETERS, odd) | {"part": "abstracts" if odd else "progress"}
                visitor.send(f"{target} {odd!r}", "get", address, query, headers=headers)


def valid_forms(site: Site) -> dict[str, dict[str, Any]]:
    criteria = {"criteria-TOTAL_FORMS": 1, "criteria-INITIAL_FORMS": 0, "criteria-0-name": "Clarity"}
    criteria |= {"criteria-0-definition": "", "criteria-0-levels": "low\nhigh"}
    examples = {"criteria-0-kind": "levels", "criteria-0-minimum": "", "criteria-0-anchors-TOTAL_FORMS": 1}
    examples |= {"criteria-0-anchors-0-level": "low", "criteria-0-anchors-0-body": "An example."}
    study = {"title": "T", "instructions": "", "raters_per_item": 2, "lease_minutes": 60, "order_seed": 1} | criteria
    corpus, model = site.arguments["studio:corpus"]["pk"], 1
    return {
        "studio:study_new": study | examples,
        "studio:study_edit": study,
        "studio:study_settings": {"default_quota": 3, "participant_parameter": "PID", "completion_url": ""},
        "studio:study_invite": {"people": "Ada <ada@example.org>", "quota": 1, "days": 3},
        "studio:corpus_ask": {"query": "Why?", "model": model, "top_n": 2},
        "studio:batch_new": {"name": "B", "corpus": corpus, "temperatures": "0.1", "queries": "Why?", "iterations": 2}
        | {"language_models": 1, "prompts": 1, "embedding_models": 1, "top_n": 2, "max_new_tokens": 9, "seed": 1},
        "studio:language_models": {"backend": "openai", "name": "Mine", "model": "m", "base_url": "http://here:1"},
        "slot": {
            "key": str(uuid.uuid4()),
            "level-meaningfulness": 1,
            "level-importance": 0,
            "seconds": 1,
            "go": "next",
        },
        "slot_skip": {"reason": "Other", "words": "odd"},
        "account_login": {"login": "nobody", "password": "wrong"},
        "account_request_login_code": {"email": "nobody@example.org", "next": "/"},
        "account_email": {"email": "new@example.org"},
        "account": {"name": "Somebody"},
        "account_reminders": {"reminders": "1"},
        "account_delete": {"is_sure": "on", "redacts_comments": "on"},
        "join_paste": {"link": "/join/nothing/"},
        "join_study": {"name": "Kim", "email": "kim@example.org"},
        "studio:study_people": {"form": "shared", "shared-name": "All", "shared-most_uses": 3, "shared-days": 9},
        "studio:study_member": {"quota": 3},
    }


def test_odd_fields(site: Site) -> None:
    valid = valid_forms(site)
    for visitor, name in visits(site):
        address, form = site.address(name), valid.get(name, {})
        visitor.send("nothing", "post", address, {})
        for odd in ODD:
            visitor.send(f"all {shown(odd)}", "post", address, dict.fromkeys(FIELDS, odd))
            for key in form:
                visitor.send(f"{key} {shown(odd)}", "post", address, form | {key: odd})
        for key in form:
            visitor.send(f"no {key}", "post", address, {k: v for k, v in form.items() if k != key})


def test_odd_names_of_fields(site: Site) -> None:
    key = str(uuid.uuid4())
    for visitor, name in visits(site):
        for odd in ("level-null\0byte", "level-", "level-" + "x" * 5000, "level-\U0001f9ea", "criteria-99-name\0"):
            for accept in ("text/html", "application/json"):
                form = {"key": key, "go": "next", odd: "1", "seconds": "1"}
                visitor.send(shown(odd), "post", site.address(name), form, headers={"Accept": accept})


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


def test_odd_files(site: Site) -> None:
    rated = [name for name, _ in routes() if name.startswith("studio:rating")]
    for visitor, name in visits(site, only=("studio:corpus_new", "studio:corpus_import", "studio:study_add", *rated)):
        for what, body in FILES.items():
            for field in ("file", "file-file"):
                file = SimpleUploadedFile("x.csv", body, "text/csv")
                visitor.send(what, "post", site.address(name), {"name": "Odd", field: file})
        field = "file-file" if name == "studio:study_add" else "file"
        for odd in NAMES:
            for body in (b"id,text,Title,DOI,Abstract\n1,x,T,10.1/1,A long abstract about tailings.\n", b"\0"):
                file = SimpleUploadedFile("x.csv", body, "text/csv")
                file._name = odd  # type: ignore[attr-defined]
                visitor.send(odd[:20], "post", site.address(name), {"name": "Odd", field: file})


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
