"""The reviewers' pages as plain forms: joining, rating, going back, ending."""

import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from evaluation.models import Comment, Rating, Slot, Study, Submission
from evaluation.services.studies import close_study
from tests.factories import make_open_study, make_reviewer, make_user

pytestmark = pytest.mark.django_db


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def start(client: Client, study: Study) -> str:
    response = client.post(f"/rate/{study.public_id}/")
    assert response.status_code == 302
    return str(response.url)


def form(meaningfulness: int | None = 2, importance: int | None = 1, **fields: Any) -> dict[str, Any]:
    chosen = {"level-meaningfulness": meaningfulness, "level-importance": importance}
    answers = {name: value for name, value in chosen.items() if value is not None}
    return answers | {"key": str(uuid.uuid4()), "seconds": "3", "comment": "", "go": "next"} | fields


@pytest.fixture
def desk() -> tuple[Client, Study, str]:
    """A reviewer with the first of three texts before them."""
    study, (person,) = make_open_study(reviewers=1, instructions="# Please\n\nRead *slowly*.")
    client = sign_in(person)
    return client, study, start(client, study)


def test_instructions_come_first_and_are_safe() -> None:
    study, (person,) = make_open_study(reviewers=1, instructions="Read *slowly*. <script>alert(1)</script>")
    page = sign_in(person).get(f"/rate/{study.public_id}/").content.decode()
    assert "<em>slowly</em>" in page
    assert "alert(1)" not in page
    assert "Start rating" in page
    assert "central concepts" in page


def test_a_text_is_rated_and_the_next_one_comes(desk: Any) -> None:
    client, _, address = desk
    page = client.get(address).content.decode()
    assert "Text 1" in page
    assert "0 of 3 rated" in page
    response = client.post(address, form(comment="Clear."))
    assert response.status_code == 302
    assert response.url != address
    assert Slot.objects.filter(state="rated").count() == 1
    assert Comment.objects.get().body == "Clear."
    assert Slot.objects.get(state="rated").seconds_active == 3
    assert "1 of 3 rated" in client.get(response.url).content.decode()


def test_after_the_last_text_comes_the_end(desk: Any) -> None:
    client, study, address = desk
    for _ in range(3):
        address = client.post(address, form()).url
    assert address == f"/rate/{study.public_id}/done/"
    page = client.get(address).content.decode()
    assert "You are done, thank you" in page
    assert "3 of 3 rated" in client.get("/").content.decode()


def test_nothing_for_you_now_while_somebody_else_holds_the_last_seat() -> None:
    study, (first, second) = make_open_study(texts=1, reviewers=2, raters_per_item=1)
    start(sign_in(first), study)
    client = sign_in(second)
    address = start(client, study)
    assert address.endswith("/done/")
    page = client.get(address).content.decode()
    assert "Nothing for you now" in page
    assert "Look again" in page


def test_a_part_is_saved_and_the_page_says_what_is_missing(desk: Any) -> None:
    client, _, address = desk
    response = client.post(address, form(importance=None))
    assert response.status_code == 422
    page = response.content.decode()
    assert "One criterion still has no answer" in page
    assert Rating.objects.get().level.value == "high"
    assert len(re.findall(r"radio[^>]*checked", page)) == 1


def test_sending_the_form_twice_stores_it_once(desk: Any) -> None:
    client, _, address = desk
    twice = form()
    first, second = client.post(address, twice), client.post(address, twice)
    assert first.url == second.url
    assert Submission.objects.count() == 1
    assert Rating.objects.count() == 2


def test_back_leads_to_the_text_before_with_its_answer_and_next_leads_on(desk: Any) -> None:
    client, _, first = desk
    second = client.post(first, form()).url
    assert client.post(second, form(None, None, go="back")).url == first
    page = client.get(first).content.decode()
    checked = re.findall(r'name="level-(\w+)" value="(\d)"[^>]*checked', page)
    assert checked == [("meaningfulness", "2"), ("importance", "1")]
    assert client.post(first, form(0, 0)).url == second
    assert Rating.objects.filter(revision=2).count() == 2
    assert Slot.objects.count() == 2


def test_an_answer_without_the_script_can_be_saved_without_moving_on(desk: Any) -> None:
    client, _, address = desk
    assert client.post(address, form(importance=None, go="save")).url == address
    assert Rating.objects.count() == 1


def test_a_skipped_text_asks_why_and_can_be_rated_later(desk: Any) -> None:
    client, study, address = desk
    response = client.post(f"{address}skip/", {"reason": "Other", "words": "Too hot."})
    assert response.url != address
    assert Slot.objects.get(state="skipped").skip_reason == "Other: Too hot."
    page = client.get(f"/rate/{study.public_id}/answers/").content.decode()
    assert "Other: Too hot." in page
    assert "You skipped this text" in client.get(address).content.decode()
    client.post(address, form())
    assert Slot.objects.filter(state="rated").count() == 1


def test_skipping_the_last_text_leads_to_the_end() -> None:
    study, (person,) = make_open_study(texts=1, reviewers=1)
    client = sign_in(person)
    assert client.post(f"{start(client, study)}skip/").url.endswith("/done/")


def test_a_closed_study_shows_answers_and_says_that_nothing_was_stored(desk: Any) -> None:
    client, study, address = desk
    client.post(address, form())
    close_study(study=study)
    response = client.post(address, form(0, 0))
    assert response.status_code == 409
    page = response.content.decode()
    assert "this was not stored" in page
    assert Rating.objects.filter(revision=2).count() == 0
    assert "cannot be changed any more" in client.get(address).content.decode()
    assert client.post(f"/rate/{study.public_id}/").url == f"/rate/{study.public_id}/"
    assert "This study is closed" in client.get(f"/rate/{study.public_id}/").content.decode()
    assert client.post(f"{address}skip/").url == address


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"key": "x"}, 400),
        ({"key": ""}, 400),
        ({"seconds": "nan"}, 400),
        ({"seconds": "-1"}, 400),
        ({"seconds": "soon"}, 400),
        ({"comment": "x" * 10_001}, 400),
        ({"comment": "a\0b"}, 400),
        ({"level-importance": "high"}, 400),
        ({"level-importance": "99"}, 400),
        ({"level-importance": "7"}, 409),
        ({"level-style": "1"}, 409),
    ],
    ids=str,
)
def test_a_form_that_was_tampered_with_stores_nothing(desk: Any, fields: dict[str, str], status: int) -> None:
    client, _, address = desk
    for accept in ("text/html", "application/json"):
        response = client.post(address, form(**fields), headers={"Accept": accept})
        assert response.status_code == status
    assert response.json()["saved"] is False
    assert not Submission.objects.exists()


def test_a_long_comment_may_have_as_many_line_breaks_as_the_text_area_counts(desk: Any) -> None:
    client, _, address = desk
    client.post(address, form(comment="\r\n".join("x" * 5_000)))
    assert len(Comment.objects.get().body) == 9_999


def test_nobody_sees_or_answers_somebody_elses_text(desk: Any) -> None:
    _, study, address = desk
    for stranger in (make_user(), make_reviewer(study=study)):
        client = sign_in(stranger)
        assert client.get(address).status_code == 404
        assert client.post(address, form()).status_code == 404
        assert client.post(f"{address}skip/").status_code == 404
    client = sign_in(make_user(username="other"))
    for page in ("", "answers/", "done/"):
        assert client.get(f"/rate/{study.public_id}/{page}").status_code == 404
    assert client.post(f"/rate/{study.public_id}/").status_code == 404
    assert client.get(f"/texts/{uuid.uuid4()}/").status_code == 404
    assert not Submission.objects.exists()


def test_an_answer_of_somebody_who_is_no_reviewer_any_more_is_kept_and_leads_home(desk: Any) -> None:
    client, study, address = desk
    study.memberships.filter(role="reviewer").update(role="viewer")
    response = client.post(address, form())
    assert (response.status_code, response.url) == (302, "/")
    assert Rating.objects.count() == 2


def test_strangers_are_sent_to_sign_in(desk: Any) -> None:
    _, study, address = desk
    for page in (address, f"/rate/{study.public_id}/"):
        response = Client().get(page)
        assert response.status_code == 302
        assert response.url.startswith("/accounts/login/")


def test_an_ended_session_keeps_what_was_chosen(desk: Any) -> None:
    client, _, address = desk
    stranger = Client()
    response = stranger.post(address, form(comment="Half a thought"))
    assert response.status_code == 401
    page = response.content.decode()
    assert "not saved yet" in page
    assert "Half a thought" in page
    kept = dict(re.findall(r'<input type="hidden" name="(level-\w+)" value="(\d)">', page))
    assert kept == {"level-meaningfulness": "2", "level-importance": "1"}
    back = client.get(address, kept | {"comment": "Half a thought"}).content.decode()
    assert "not saved yet" in back
    assert len(re.findall(r"radio[^>]*checked", back)) == 2
    assert "Half a thought" in back
    answer = stranger.post(address, form(), headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["saved"]) == (401, False)
    assert not Submission.objects.exists()


def test_the_script_is_told_what_was_stored_and_gets_the_next_page(desk: Any) -> None:
    client, study, address = desk
    json = {"Accept": "application/json"}
    saved = client.post(address, form(importance=None, go="save"), headers=json)
    assert saved.json() == {
        "saved": True,
        "answered": 1,
        "criteria": 2,
        "revisions": {"level-meaningfulness": 1, "comment": 0},
        "newer": [],
    }
    early = client.post(address, form(None, None), headers=json)
    assert (early.status_code, early.json()["saved"]) == (422, True)
    answer = client.post(address, form(), headers=json).json()
    assert answer["location"] != address
    assert answer["html"].lstrip().startswith('<div id="rating"')
    assert "1 of 3 rated" in answer["html"]
    client.post(answer["location"], form(), headers=json)
    third = Slot.objects.order_by("-position")[0]
    last = client.post(f"/texts/{third.public_id}/", form(), headers=json).json()
    assert (last["location"], last["html"]) == (f"/rate/{study.public_id}/done/", None)


def statements(queries: CaptureQueriesContext) -> list[str]:
    """Transaction control is not counted."""
    return [query["sql"] for query in queries if not re.match(r"(RELEASE )?SAVEPOINT|BEGIN|COMMIT", query["sql"] or "")]


def test_storing_and_giving_the_next_text_takes_at_most_eight_statements() -> None:
    counts = {}
    for size in (10, 1000):
        study, (person,) = make_open_study(texts=size, reviewers=1)
        client = sign_in(person)
        address = start(client, study)
        with CaptureQueriesContext(
            connection,
        ) as cold:
            address = client.post(address, form(comment="Clear."), headers={"Accept": "application/json"}).json()[
                "location"
            ]
        with CaptureQueriesContext(connection) as warm:
            client.post(address, form(comment="Clear."), headers={"Accept": "application/json"})
        counts[size] = len(statements(cold)), len(statements(warm))
    # The session comes from the cache. Then: the user, the lock on the slot, the one that stores everything; the lock
    # on the membership, the reviewer's own slots, the draw; the next page; and, once a process, the study's rubric.
    assert counts == {10: (8, 7), 1000: (8, 7)}


def test_a_plain_form_takes_at_most_eight_statements_each_way() -> None:
    for size in (10, 1000):
        study, (person,) = make_open_study(texts=size, reviewers=1)
        client = sign_in(person)
        address = start(client, study)
        with CaptureQueriesContext(connection) as stored:
            address = client.post(address, form()).url
        # User, slot, store; membership, own slots, draw.
        assert len(statements(stored)) == 6
        with CaptureQueriesContext(connection) as shown:
            client.get(address)
        # User, page, progress, and the rubric once.
        assert len(statements(shown)) <= 4


@pytest.mark.parametrize("answered", [5, 120])
def test_earlier_answers_and_home_take_as_many_statements_for_few_and_many(answered: int) -> None:
    study, (person,) = make_open_study(texts=answered, reviewers=1)
    for position, item in enumerate(study.items.all(), start=1):
        Slot.objects.create(item=item, seat=0, reviewer=person, state="rated", position=position)
    client = sign_in(person)
    with CaptureQueriesContext(connection) as listed:
        page = client.get(f"/rate/{study.public_id}/answers/").content.decode()
    assert len(statements(listed)) == 4  # user, membership, answers, and the study's rubric once a process
    assert page.count('href="/texts/') == min(answered, 50)
    assert ("Next page" in page) == (answered > 50)
    if answered > 50:
        second = client.get(f"/rate/{study.public_id}/answers/?after=50").content.decode()
        assert ">51<" in second
        assert ">50<" not in second
    with CaptureQueriesContext(connection) as home:
        client.get("/")
    assert len(statements(home)) == 3  # user, studies, whether the studio is open to them
    assert client.get(f"/rate/{study.public_id}/answers/?after=x").status_code == 200
