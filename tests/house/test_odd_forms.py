"""Whatever a form says, the answer is never a server error."""

import uuid
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.house.odd import ODD, shown, visits
from tests.house.site import Site, make_site, routes

pytestmark = pytest.mark.django_db

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
        for number, key in enumerate(form):
            for odd in ODD[number % 3 :: 3]:
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
