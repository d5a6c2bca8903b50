"""Nothing that a reviewer can reach tells where a text comes from or what others think of it."""

import re
import uuid
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.core import mail
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from corpora.models import Document
from evaluation.invitees import Invitee
from evaluation.models import Adjudication, Conflict, Event, Item, Level, Membership, Slot, Study
from evaluation.services.allocation import claim_next
from evaluation.services.invitations import accept_invitation, invitation_path, invite
from evaluation.services.items import add_items_from_batch, add_items_from_corpus, add_items_from_rows
from evaluation.services.reminders import send_reminder
from evaluation.services.studies import create_study, launch_study
from evaluation.uploads import TextRow
from generation.models import Abstract, Batch, LanguageModel, Prompt, Run
from graphs.models import Score, ScoreSettings
from tests.evaluation.services.answers import answer
from tests.factories import (
    make_abstract,
    make_batch,
    make_cell,
    make_corpus,
    make_criteria,
    make_open_study,
    make_retrieval,
    make_study,
    make_text,
)

pytestmark = pytest.mark.django_db
CANARY = "canary"


def make_world() -> tuple[Study, User]:
    """A study of generated and human texts, whose every hidden property sings."""
    corpus = make_corpus(name="canary-corpus", bodies=["Slow settling is a matter of clay.", "Paste gains strength."])
    Document.objects.update(title="canary-title", authors="canary-author", source="canary-journal")
    model = LanguageModel.objects.create(key="canary-llm", revision="canary-rev", backend="extractive", name="canary-m")
    prompt = Prompt.objects.create(key="canary-p", name="canary-prompt", template="{query} {abstracts} canary-template")
    batch = make_batch(name="canary-batch", corpus=corpus)
    retrieval = make_retrieval(corpus=corpus, query="How do tailings settle?")
    cell = make_cell(batch=batch, retrieval=retrieval, language_model=model, prompt=prompt, temperature="1.987")
    for number in range(2):
        run = Run.objects.create(cell=cell, iteration=number + 1, seed=987_654_321 + number, state="done")
        text = make_text(f"Settled tailings give water back, says draft {number}.")
        Abstract.objects.create(run=run, text=text, raw_output="canary-raw", provenance={"model": "canary-provenance"})
    settings = ScoreSettings.objects.create(sha256="a" * 64, settings={"canary": 1})
    Score.objects.create(text=text, settings=settings, tokens=3, nodes=3, edges=3, components=1, spectral_gap=1.98765)
    make_study(title="canary-other-study", texts=("A canary-text of another study.",), instructions="canary-words")
    study = create_study(
        title="Tailings",
        raters_per_item=3,
        repeats=1,
        repeat_distance=1,
        attention_every=2,
        asks_confidence=True,
        allows_highlights=True,
        asks_authorship=True,
        completion_code="HANDED-IN",
        criteria=make_criteria(open_criteria=True),
    )
    add_items_from_batch(study=study, batch=batch, count=2)
    add_items_from_corpus(study=study, corpus=corpus, count=2)
    expected = (("meaningfulness", "high"), ("importance", "high"))
    apart = [
        TextRow("canary-practice", "", "Words to practise on.", "practice", "feedback that whistles", expected),
        TextRow("canary-check", "", "Choose the highest levels.", "attention", "canary-feedback", expected),
    ]
    add_items_from_rows(study=study, rows=apart)
    for item in study.items.all():
        Item.objects.filter(pk=item.pk).update(external_id=f"canary-item-{item.pk}", stratum=f"canary-{item.pk}")
    study = launch_study(study=study)
    colleague, reviewer = (
        accept_invitation(invitation=one)
        for one in invite(
            study=study,
            people=[Invitee("canary-colleague", "canary@colleague.example"), Invitee("Rita", "rita@example.org")],
        )
    )
    while (slot := claim_next(study_id=study.pk, reviewer=colleague).slot) is not None:
        answer(
            slot,
            colleague,
            comment="canary-comment",
            open_answers={"novelty": 77.125, "gaps": "canary-gaps"},
            confidence=5,
            highlights={"importance": [[0, 5]]},
        )
    items = list(study.items.filter(kind="rated").order_by("pk"))
    level = Level.objects.get(criterion__study=study, criterion__key="importance", value="low")
    Adjudication.objects.create(
        item=items[0], criterion=level.criterion, level=level, reason="canary-adjudication", decided_by=colleague
    )
    Conflict.objects.create(user=reviewer, item=items[1], reason="canary-conflict")
    Event.objects.create(study=study, actor=colleague, kind="canary-event", details={"canary": 1})
    Membership.objects.filter(study=study, user=colleague).update(participant_id="canary-participant")
    Membership.objects.filter(study=study, user=reviewer).update(participant_id="canary-own-participant")
    return study, reviewer


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in {"href", "src", "action"} and value and value.startswith(("/", "?")):
                self.found.add(value)


def body_of(response: HttpResponse) -> str:
    content = b"".join(response.streaming_content) if response.streaming else response.content  # type: ignore[attr-defined]
    return bytes(content).decode()


def visits(client: Client, study: Study) -> Iterator[tuple[str, HttpResponse, str]]:
    """Everything within reach: rate all texts, as a form and as the script does, then follow every link."""
    address = client.post(f"/rate/{study.public_id}/").headers["Location"]
    queue, seen = ["/"], {"/accounts/logout/"}
    number = 0
    while address.startswith("/texts/"):
        queue.append(address)
        number += 1
        form = {"key": str(uuid.uuid4()), "go": "next", "level-meaningfulness": 1, "level-importance": 0}
        form |= {"words-gaps": "Mine.", "confidence": 2, "marks-importance": "[[0, 5]]"}
        shown = client.get(address)
        if number == 1:
            assert "whistles" not in body_of(shown)  # the feedback on practice comes after the answer
        incomplete = client.post(address, form | {"go": "save"}, headers={"Accept": "application/json"})
        yield address, incomplete, body_of(incomplete)
        overtaken = form | {"key": str(uuid.uuid4()), "level-importance": 2, "seen": '{"level-importance": 0}'}
        for accept in ("application/json", "text/html"):
            refused = client.post(address, overtaken, headers={"Accept": accept})
            assert refused.status_code == 409
            assert "whistles" not in body_of(refused)
            yield address, refused, body_of(refused)
        form |= {"number-novelty": "12", "feedback": "" if number == 1 else "1", "key": str(uuid.uuid4())}
        if number % 2:
            stored = client.post(address, form)
            address = stored.headers["Location"]
            if number == 1:
                assert "whistles" in body_of(client.get(address))
                address = client.post(address, {"key": str(uuid.uuid4()), "go": "next", "feedback": "1"}).headers[
                    "Location"
                ]
        else:
            stored = client.post(address, form, headers={"Accept": "application/json"})
            address = stored.json()["location"]
        yield address, stored, body_of(stored)
    queue.append(address)
    queue += list(guesses(study))
    while queue:
        address = queue.pop(0)
        if address in seen:
            continue
        seen.add(address)
        for headers in ({}, {"Accept": "application/json"}, {"HX-Request": "true", "HX-Target": "content"}):
            response = client.get(address, headers=headers)
            body = body_of(response)
            yield address, response, body
            if address.endswith("/skip/") or "/studio/" in address:
                refused = client.post(address, headers=headers)
                assert refused.status_code >= 400, address
                yield address, refused, body_of(refused)
        parser = Links()
        parser.feed(body)
        queue += sorted(parser.found)


def guesses(study: Study) -> Iterator[str]:
    """Addresses that no page names: the studio's, the files', and those of other people's texts and studies."""
    for found in (study, Study.objects.exclude(pk=study.pk).get()):
        yield from (
            f"/rate/{found.public_id}/{rest}" for rest in ("", "answers/", "answers/?after=-1", "done/", "closing/")
        )
        yield from (f"/rate/{found.public_id}/consent/", f"/join/study/{found.public_id}/")
        yield from (
            f"/studio/studies/{found.public_id}/people/{rest}" for rest in ("", "links.csv", "participants.csv")
        )
        yield from (f"/studio/studies/{found.public_id}/{rest}" for rest in ("", "preview/", "report/", "exports/"))
        yield f"/studio/studies/{found.public_id}/report/correlations/"
    for slot in Slot.objects.filter(reviewer__first_name="canary-colleague"):
        yield from (f"/texts/{slot.public_id}/", f"/texts/{slot.public_id}/skip/")
    for item in study.items.all():
        yield f"/texts/{item.public_id}/"
    for batch in Batch.objects.all():
        yield f"/studio/batches/{batch.public_id}/"
    for abstract in Abstract.objects.all():
        yield from (f"/studio/batches/abstracts/{abstract.public_id}/", f"/texts/{abstract.public_id}/")
    for document in Document.objects.all():
        yield from (f"/studio/corpora/documents/{document.pk}/", f"/studio/corpora/{document.corpus_id}/")
    yield from ("/studio/", "/studio/studies/", "/studio/batches/", "/studio/batches/models/", "/studio/corpora/")
    yield from ("/account/", "/account/delete/", "/accounts/email/", "/accounts/login/", "/join/")
    yield from ("/admin/", "/admin/login/", "/admin/auth/group/", "/admin/jsi18n/", "/accounts/password/change/")
    yield from ("/health/ready", "/media/", "/media/exports/", "/static/", "/api/", "/api/v1/", "/robots.txt")
    yield from ("/nothing/", "/join/nothing/", "/texts/", "/rate/")


def test_no_canary_sings_on_any_page_or_in_any_header() -> None:
    study, reviewer = make_world()
    client = Client()
    link = invitation_path(reviewer.invitations.get())
    for shown in (client.get(link), client.post(link)):
        assert CANARY not in f"{shown.headers}{shown.content.decode()}{shown.cookies}".lower()
    assert client.session["_auth_user_id"] == str(reviewer.pk)
    reached = 0
    primary_keys = {str(pk) for model in (Item, Abstract) for pk in model.objects.values_list("pk", flat=True)}
    hidden = {str(one) for model in (Item, Abstract) for one in model.objects.values_list("public_id", flat=True)}
    hidden |= {str(one) for one in Slot.objects.exclude(reviewer=reviewer).values_list("public_id", flat=True)}
    for address, response, body in visits(client, study):
        reached += 1
        heard = f"{response.headers}\n{response.cookies}\n{body}"
        assert CANARY not in heard.lower(), address
        assert "attention" not in heard.lower(), address
        heard = heard.replace(address.strip("/").split("/")[-1], "")  # what was asked for may come back
        for secret in ("1.987", "987654321", "987654322", "77.125", study.frozen_sha256, *hidden):
            assert secret not in heard, (address, secret)
        assert not primary_keys & set(re.findall(r'data-\w+="(\d+)"', body.replace("data-key", ""))), address
    own = client.post("/account/data/").content.decode()
    assert "meaningfulness" in own.lower()
    assert CANARY not in own.lower().replace("canary-own-participant", "")  # their own, which they may see
    assert not [secret for secret in hidden if secret in own]
    assert reached > 150
    mine = Slot.objects.filter(reviewer=reviewer, state="rated")
    assert sorted(mine.values_list("item__kind", "pass_number")) == [
        ("attention", 0),
        ("practice", 0),
        *[("rated", 0)] * 3,
        ("rated", 1),
    ]


def test_a_reminder_and_the_page_that_stops_it_tell_nothing() -> None:
    study, reviewer = make_world()
    User.objects.filter(pk=reviewer.pk).update(email="rita@example.org")
    member = Membership.objects.get(study=study, user=reviewer)
    Membership.objects.filter(pk=member.pk).update(finished_at=None)
    assert send_reminder(membership_id=member.pk, by_hand=True)
    (message,) = mail.outbox
    address = message.extra_headers["List-Unsubscribe"].strip("<>").split("/", 3)[3]
    shown = Client().get(f"/{address}")
    for heard in (message.message().as_string(), f"{shown.headers}{body_of(shown)}"):
        assert CANARY not in heard.lower()


def test_checks_and_repeats_look_like_any_other_text() -> None:
    """Page, answer and address have one form, whatever kind of text it is; only words, ids and counts differ."""
    study, (person,) = make_open_study(
        texts=4, reviewers=1, attention=1, attention_every=2, repeats=1, repeat_distance=1, raters_per_item=1
    )
    client = Client()
    client.force_login(person)
    address = client.post(f"/rate/{study.public_id}/").headers["Location"]
    pages: dict[str, str] = {}
    answers: set[str] = set()
    while address.startswith("/texts/"):
        shown = client.get(address)
        pages[address] = skeleton(f"{sorted(shown.headers.items())}{shown.content.decode()}")
        form = {"key": str(uuid.uuid4()), "seconds": 4, "level-meaningfulness": 1, "level-importance": 0, "go": "next"}
        answer = client.post(address, form, headers={"Accept": "application/json"}).json()
        answers.add(f"{sorted(answer)}{answer['revisions']}")
        address = answer["location"]
    kinds = {f"/texts/{slot.public_id}/": (slot.item.kind, slot.pass_number) for slot in Slot.objects.all()}
    assert {kinds[one] for one in pages} == {("rated", 0), ("attention", 0), ("rated", 1)}
    _first, *others = pages  # the first text alone has nothing to go back to
    assert len({pages[one] for one in others}) == 1
    assert len(answers) == 1


def skeleton(page: str) -> str:
    """A page without what differs from text to text: words, ids, tokens, numbers."""
    page = re.sub(r'(?s)<p (?:class="prose" id="text-body" )?dir="auto">.*?</p>', "<p>…</p>", page)
    page = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "ID", page)
    page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"', "TOKEN", page)
    page = re.sub(r" · about \d+ min left", "", page)
    return re.sub(r"\d+", "0", page)


def test_the_crawler_would_hear_a_canary() -> None:
    study, _ = make_world()
    owner = User.objects.create_superuser("root", "root@example.org", "a long password")
    client = Client()
    client.force_login(owner)
    assert CANARY in client.get(f"/studio/studies/{study.public_id}/").content.decode()


def test_human_and_generated_texts_look_alike(settings: Any) -> None:
    cell = make_cell(batch=make_batch())
    make_abstract(cell=cell, body="**Abstract:** Tailings settle.\n\n- First, *slowly*.\n- Then fast.")
    study = create_study(title="Alike")
    add_items_from_batch(study=study, batch=cell.batch, count=1)
    study = launch_study(study=study)
    (invitation,) = invite(study=study, people=[Invitee("Rita")])
    client = Client()
    client.force_login(accept_invitation(invitation=invitation))
    page = client.get(client.post(f"/rate/{study.public_id}/").headers["Location"]).content.decode()
    assert "Tailings settle. First, slowly. Then fast." in page
