"""Practice with feedback, the closing question and the end, as plain forms."""

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from evaluation.models import AuthorshipGuess, Confidence, Membership, OpenAnswer, Rating, Slot, Study
from evaluation.services.studies import close_study
from tests.factories import make_open_study

pytestmark = pytest.mark.django_db


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def form(**fields: Any) -> dict[str, Any]:
    chosen = {"level-meaningfulness": 0, "level-importance": 2}
    return chosen | {"key": str(uuid.uuid4()), "seconds": "3", "comment": "", "go": "next"} | fields


def start(client: Client, study: Study) -> str:
    return str(client.post(f"/rate/{study.public_id}/").headers["Location"])


def rate_all(client: Client, study: Study) -> str:
    """Rate whatever comes; the address at which it ends."""
    address = start(client, study)
    while address.startswith("/texts/"):
        address = client.post(address, form()).headers["Location"]
    return address


def test_practice_shows_its_feedback_after_the_answer_and_does_not_count() -> None:
    study, (person,) = make_open_study(texts=2, reviewers=1, practice=2)
    client = sign_in(person)
    assert "you practise on 2 texts" in client.get(f"/rate/{study.public_id}/").content.decode()
    address = start(client, study)
    page = client.get(address).content.decode()
    assert "Practice 1 of 2" in page
    assert "Feedback 1" not in page
    assert "we would say" not in page
    assert "Skip this text" not in page
    assert client.post(f"{address}skip/", {"reason": "Other"}).headers["Location"] == address
    assert client.post(address, form()).headers["Location"] == address
    page = client.get(address).content.decode()
    assert "Feedback 1" in page
    assert re.search(r"You said Low; we would say High\.\s*</p>", page)
    assert re.search(r"You said High, as we do\.\s*</p>", page)
    assert page.count("disabled") >= 2
    second = client.post(address, form(feedback="1")).headers["Location"]
    assert second != address
    client.post(second, form())
    third = client.post(second, form(feedback="1")).headers["Location"]
    page = client.get(third).content.decode()
    assert ">Text 1<" in page
    assert "0 of 2 rated" in page
    assert Membership.objects.get(user=person).practised_at is not None
    answers = client.get(f"/rate/{study.public_id}/answers/").content.decode()
    assert answers.count(">practice<") == 2


def test_a_practice_text_is_no_longer_offered_for_change_once_its_feedback_is_shown() -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1, practice=1)
    client = sign_in(person)
    address = start(client, study)
    client.post(address, form())
    stored = Rating.objects.count()
    page = client.get(address).content.decode()
    assert len(re.findall(r'<fieldset class="scale" disabled', page)) == 2
    assert stored == 2


def test_numbers_words_and_confidence_are_asked_and_kept_on_a_plain_form() -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1, open_criteria=True, asks_confidence=True)
    client = sign_in(person)
    address = start(client, study)
    page = client.get(address).content.decode()
    assert 'data-min="0" data-max="100"' in page
    for value, words in (("many", "is no number"), ("500", "give a number from 0 to 100")):
        response = client.post(address, form(**{"number-novelty": value, "words-gaps": "The clay."}))
        assert response.status_code in {400, 409}
        page = response.content.decode()
        assert words in page
        assert ">The clay.</textarea>" in page
    response = client.post(address, form(**{"words-gaps": "The clay.", "confidence": "4"}))
    assert response.status_code == 422
    assert re.search(r'name="confidence" value="4"[^>]*checked[^>]*data-stored', response.content.decode())
    response = client.post(address, form(**{"number-novelty": "12.5", "words-gaps": "The clay."}))
    assert response.headers["Location"].endswith("/done/")
    assert list(OpenAnswer.objects.order_by("criterion__position").values_list("number", "words")) == [
        (12.5, ""),
        (None, "The clay."),
    ]
    assert Confidence.objects.get().value == 4
    answers = client.get(f"/rate/{study.public_id}/answers/").content.decode()
    assert "The clay." in answers
    assert "12.5" in answers


@pytest.mark.parametrize(
    ("typed", "stored"), [("1,5", 1.5), ("0,125", 0.125), (",5", 0.5), ("12,34567", 12.34567), ("1,234", None)]
)
def test_a_comma_stands_before_decimals_unless_it_may_part_thousands(typed: str, stored: float | None) -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1, open_criteria=True)
    client = sign_in(person)
    response = client.post(start(client, study), form(**{"number-novelty": typed}))
    assert response.status_code == (400 if stored is None else 302)
    assert list(OpenAnswer.objects.values_list("number", flat=True)) == ([] if stored is None else [stored])


def test_a_plain_form_shows_both_answers_where_another_window_was_faster() -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1)
    client = sign_in(person)
    address = start(client, study)
    seen = re.search(r'name="seen" value="([^"]+)"', client.get(address).content.decode())
    assert seen is not None
    old = seen[1].replace("&quot;", '"')
    client.post(address, form(seen=old, go="save"))
    response = client.post(address, form(seen=old, go="save", **{"level-importance": 1}))
    assert response.status_code == 409
    page = " ".join(response.content.decode().split())
    assert "stored meanwhile <strong>High</strong>, on this page <strong>Medium</strong>" in page
    assert Rating.objects.filter(revision=2).count() == 0
    new = re.search(r'name="seen" value="([^"]+)"', response.content.decode())
    assert new is not None
    client.post(address, form(seen=new[1].replace("&quot;", '"'), go="save", **{"level-importance": 1}))
    assert Rating.objects.get(revision=2).level.value == "medium"


@pytest.mark.parametrize("seen", ["[]", '{"comment": -1}', '{"comment": "1"}', "{", '{"comment": 1e99}', "[" * 50_000])
def test_a_broken_list_of_revisions_is_refused(seen: str) -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1)
    client = sign_in(person)
    assert client.post(start(client, study), form(seen=seen)).status_code == 400


ODD = ("", "-1", "9" * 40, "1e400", "nan", "null\0byte", "٣²½", "[[0, 99999999999999999999]]", "[[1]]", '{"a": [1]}')
ODD += ("x" * 70_000,)


def test_odd_values_and_names_are_refused_in_words() -> None:
    study, (person,) = make_open_study(
        texts=1, reviewers=1, open_criteria=True, asks_confidence=True, allows_highlights=True, asks_authorship=True
    )
    client = sign_in(person)
    address = start(client, study)
    fields = ("number-novelty", "words-gaps", "confidence", "marks-importance", "marks-null\0byte", "words-null\0byte")
    for name in (*fields, "number-\u202e", "seen", "person", "feedback", "guess-1"):
        for odd in ODD:
            for to in (address, f"/rate/{study.public_id}/closing/"):
                response = client.post(to, form(go="save", **{name: odd}), headers={"Accept": "application/json"})
                assert response.status_code < 500, (name, odd[:30])
    assert set(Confidence.objects.values_list("value", flat=True)) == set()


def test_somebody_else_at_the_same_computer_stores_nothing_of_the_first_ones() -> None:
    study, (first, second) = make_open_study(reviewers=2)
    address = start(sign_in(first), study)
    client = sign_in(second)
    for accept in ("text/html", "application/json"):
        response = client.post(address, form(person=str(first.public_id)), headers={"Accept": accept})
        assert response.status_code == 403
    assert response.json()["other"] is True
    assert not Rating.objects.exists()


def test_the_session_says_who_is_signed_in() -> None:
    _, (person,) = make_open_study(reviewers=1)
    assert Client().get("/rate/session/").json()["person"] is None
    answer = sign_in(person).get("/rate/session/")
    assert answer.json()["person"] == str(person.public_id)
    assert "csrftoken" in answer.cookies


def test_nobody_without_consent_gets_a_text() -> None:
    study, (person,) = make_open_study(reviewers=1, consent="You *agree* to be rated.")
    member = Membership.objects.get(user=person)
    Membership.objects.filter(pk=member.pk).update(consented_at=None, consent_sha256="")
    client = sign_in(person)
    consent = f"/rate/{study.public_id}/consent/"
    for response in (client.get(f"/rate/{study.public_id}/"), client.post(f"/rate/{study.public_id}/")):
        assert response.headers["Location"] == consent
    assert not Slot.objects.exists()


def test_the_end_shows_the_code_to_those_who_finished_and_to_nobody_else() -> None:
    study, (person,) = make_open_study(
        texts=2, reviewers=1, completion_code="KAPPA-7Q2", completion_url="https://panel.example/done"
    )
    client = sign_in(person)
    done = f"/rate/{study.public_id}/done/"
    page = client.get(done).content.decode()
    assert "Not finished yet" in page
    assert "KAPPA-7Q2" not in page
    assert rate_all(client, study) == done
    page = client.get(done).content.decode()
    assert "KAPPA-7Q2" in page
    assert 'href="https://panel.example/done"' in page
    assert Membership.objects.get(user=person).finished_at is not None
    assert "You are done, thank you." in client.get("/").content.decode()


def test_whoever_skipped_everything_has_not_finished() -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1, completion_code="KAPPA-7Q2")
    client = sign_in(person)
    client.post(f"{start(client, study)}skip/", {"reason": "Other"})
    assert Membership.objects.get(user=person).finished_at is None
    assert "KAPPA-7Q2" not in client.get(f"/rate/{study.public_id}/done/").content.decode()


def test_whoever_skipped_most_is_asked_to_rate_some_after_all() -> None:
    study, (person,) = make_open_study(texts=3, reviewers=1, completion_code="KAPPA-7Q2")
    client = sign_in(person)
    address = start(client, study)
    for _ in range(2):
        address = client.post(f"{address}skip/", {"reason": "Other"}).headers["Location"]
    assert rate_all(client, study).endswith("/done/")
    page = client.get(f"/rate/{study.public_id}/done/").content.decode()
    assert "You skipped more texts than you rated" in page
    assert "KAPPA-7Q2" not in page


def test_a_quota_that_is_reached_is_the_end() -> None:
    study, _ = make_open_study(texts=4)
    from tests.factories import make_reviewer

    person = make_reviewer(study=study, quota=2)
    client = sign_in(person)
    assert rate_all(client, study).endswith("/done/")
    assert Slot.objects.filter(reviewer=person).count() == 2
    assert Membership.objects.get(user=person).finished_at is not None


def test_the_closing_question_comes_at_the_end_only_and_stores_each_guess() -> None:
    study, (person,) = make_open_study(texts=21, reviewers=1, practice=1, asks_authorship=True)
    client = sign_in(person)
    closing = f"/rate/{study.public_id}/closing/"
    slot = start(client, study).split("/")[2]
    assert client.get(closing).headers["Location"] == f"/rate/{study.public_id}/done/"
    early = client.post(closing, {f"guess-{slot}": "machine"})
    assert early.headers["Location"] == f"/rate/{study.public_id}/done/"
    address = f"/texts/{slot}/"
    client.post(address, form())
    address = client.post(address, form(feedback="1")).headers["Location"]
    while address.startswith("/texts/"):
        address = client.post(address, form()).headers["Location"]
    assert address == closing
    page = client.get(closing).content.decode()
    slots = re.findall(r'name="guess-([0-9a-f-]{36})" value="person"', page)
    assert len(slots) == 20
    assert slot not in slots  # practice is no part of it
    json = {"Accept": "application/json"}
    assert client.post(closing, {f"guess-{slots[0]}": "person"}, headers=json).json() == {"saved": True, "stored": 1}
    second = client.post(closing, {f"guess-{slots[0]}": "machine", f"guess-{slots[1]}": "unsure", "after": "21"})
    assert second.headers["Location"] == f"{closing}?after=21"
    assert sorted(AuthorshipGuess.objects.values_list("guess", flat=True)) == ["machine", "unsure"]
    last = client.get(f"{closing}?after=21").content.decode()
    assert len(re.findall(r'name="guess-([0-9a-f-]{36})" value="person"', last)) == 1
    assert client.post(closing, {}).headers["Location"] == f"/rate/{study.public_id}/done/"
    assert re.search(r'value="machine" checked data-stored', client.get(closing).content.decode())
    for wrong in ({f"guess-{slots[0]}": "god"}, {"guess-nothing": "person"}):
        assert client.post(closing, wrong, headers=json).status_code == 400
    other = Slot.objects.exclude(public_id__in=slots).first()
    assert other is not None
    close_study(study=study)
    client.post(closing, {f"guess-{slots[2]}": "person"})
    assert AuthorshipGuess.objects.count() == 2


def test_nobody_guesses_about_somebody_elses_texts() -> None:
    study, (first, second) = make_open_study(texts=2, reviewers=2, asks_authorship=True)
    for person in (first, second):
        rate_all(sign_in(person), study)
    theirs = Slot.objects.filter(reviewer=first).values_list("public_id", flat=True)[0]
    answer = sign_in(second).post(
        f"/rate/{study.public_id}/closing/", {f"guess-{theirs}": "person"}, headers={"Accept": "application/json"}
    )
    assert answer.json()["stored"] == 0
    assert not AuthorshipGuess.objects.exists()


def test_a_repeat_looks_like_a_new_text() -> None:
    study, (person,) = make_open_study(texts=3, reviewers=1, repeats=1, repeat_distance=1)
    client = sign_in(person)
    address = start(client, study)
    pages = []
    while address.startswith("/texts/"):
        pages.append(client.get(address).content.decode())
        address = client.post(address, form()).headers["Location"]
    assert Slot.objects.filter(pass_number=1).count() == 1
    assert len(pages) == 4
    for number, page in enumerate(pages, start=1):
        assert f">Text {number}<" in page
        assert f"{number - 1} of 4 rated" in page
        assert not re.search(r"<input type=.radio.[^>]*checked", page)
    assert "4 of 4 rated" in client.get("/").content.decode()


def test_being_there_is_noted_once_a_minute() -> None:
    study, (person,) = make_open_study(reviewers=1)
    client = sign_in(person)
    address = start(client, study)
    assert Membership.objects.get(user=person).seen_at is None
    client.post(address, form(go="save"))
    first = Membership.objects.get(user=person).seen_at
    client.post(address, form(go="save"))
    assert first is not None
    assert Membership.objects.get(user=person).seen_at == first
