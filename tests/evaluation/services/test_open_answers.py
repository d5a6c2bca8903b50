"""Numbers, words, confidence and marked words: stored as revisions in the one statement, exported with their words."""

import csv
import io
import uuid
import zipfile
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from evaluation.errors import Overtaken, RatingRefused
from evaluation.models import Confidence, Highlight, OpenAnswer, Rating, Slot, Submission
from evaluation.reports.export.build import build_export
from evaluation.services.allocation import claim_next
from tests.evaluation.services.answers import answer
from tests.factories import make_open_study

pytestmark = pytest.mark.django_db
TEXT = "«Ä» tailings settle slowly 🜁 because of clay."
SHOWN = '"Ä" tailings settle slowly 🜁 because of clay.'


@pytest.fixture
def seat() -> tuple[uuid.UUID, User]:
    study, (person,) = make_open_study(
        texts=[TEXT], reviewers=1, open_criteria=True, asks_confidence=True, allows_highlights=True, agreement_from=0
    )
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    assert slot is not None
    return slot, person


def opened() -> list[tuple[str, float | None, str, int]]:
    rows = OpenAnswer.objects.order_by("criterion__position", "revision")
    return list(rows.values_list("criterion__key", "number", "words", "revision"))


def test_a_text_is_rated_once_all_that_is_required_is_answered_of_whatever_kind(seat: Any) -> None:
    slot, person = seat
    first = answer(slot, person)
    assert (first.answered, first.criteria) == (2, 3)
    assert Slot.objects.get().state == "claimed"
    assert answer(slot, person, answers={}, open_answers={"gaps": "The clay."}).answered == 2
    assert answer(slot, person, answers={}, open_answers={"novelty": 40.5}).complete
    assert Slot.objects.get().state == "rated"
    assert opened() == [("novelty", 40.5, "", 1), ("gaps", None, "The clay.", 1)]


def test_a_change_is_a_revision_and_an_answer_can_be_taken_back(seat: Any) -> None:
    slot, person = seat
    for number in (40, 40.0, 50, None):
        answer(slot, person, answers={}, open_answers={"novelty": number}, confidence=2)
    receipt = answer(slot, person, open_answers={"gaps": " "}, confidence=5)
    assert (receipt.answered, receipt.criteria) == (2, 3)
    assert opened() == [("novelty", 40, "", 1), ("novelty", 50, "", 2), ("novelty", None, "", 3)]
    assert list(Confidence.objects.order_by("revision").values_list("value", "revision")) == [(2, 1), (5, 2)]


def test_marks_are_joined_and_stored_where_they_changed(seat: Any) -> None:
    slot, person = seat
    for spans in ([[17, 23], [4, 12], [10, 17]], [[4, 23]], []):
        answer(slot, person, highlights={"importance": spans})
    assert list(Highlight.objects.order_by("revision").values_list("spans", "revision")) == [([[4, 23]], 1), ([], 2)]


def test_later_revisions_only_add(seat: Any) -> None:
    slot, person = seat
    answer(slot, person, open_answers={"novelty": 4}, confidence=1, highlights={"importance": [[0, 3]]})
    for model in (OpenAnswer, Confidence, Highlight):
        with pytest.raises(IntegrityError, match="append-only"), connection.cursor() as cursor:
            cursor.execute(f"SAVEPOINT before; DELETE FROM {model._meta.db_table}")  # noqa: S608
        connection.cursor().execute("ROLLBACK TO before")


@pytest.mark.parametrize(
    "fields",
    [
        {"open_answers": {"novelty": -1.0}},
        {"open_answers": {"novelty": 100.5}},
        {"open_answers": {"novelty": float("nan")}},
        {"open_answers": {"novelty": "many"}},
        {"open_answers": {"gaps": 4.0}},
        {"open_answers": {"gaps": "a\0b"}},
        {"open_answers": {"gaps": "x" * 10_001}},
        {"open_answers": {"importance": "high"}},
        {"open_answers": {"style": "plain"}},
        {"answers": {"novelty": 1}},
        {"confidence": 0},
        {"confidence": 6},
        {"highlights": {"importance": [[0, len(SHOWN) + 1]]}},
        {"highlights": {"importance": [[5, 5]]}},
        {"highlights": {"importance": [[-1, 5]]}},
        {"highlights": {"style": [[1, 5]]}},
        {"highlights": {"importance": [[1, 2]] * 201}},
    ],
    ids=lambda fields: str(fields)[:60],
)
def test_what_does_not_fit_stores_nothing_at_all(seat: Any, fields: dict[str, Any]) -> None:
    slot, person = seat
    with pytest.raises(RatingRefused):
        answer(slot, person, **fields)
    for model in (Submission, Rating, OpenAnswer, Confidence, Highlight):
        assert not model.objects.exists()


def test_a_refusal_says_which_numbers_fit(seat: Any) -> None:
    slot, person = seat
    with pytest.raises(RatingRefused, match="Novelty: give a number from 0 to 100"):
        answer(slot, person, open_answers={"novelty": 200.0})


def test_a_study_takes_only_what_it_asks() -> None:
    study, (person,) = make_open_study(reviewers=1)
    slot = claim_next(study_id=study.pk, reviewer=person).slot
    asked: tuple[dict[str, Any], ...] = (
        {"open_answers": {"novelty": 4.0}},
        {"confidence": 3},
        {"highlights": {"importance": [[0, 4]]}},
    )
    for fields in asked:
        with pytest.raises(RatingRefused, match="does not ask"):
            answer(slot, person, **fields)


def test_everything_takes_the_same_two_statements(seat: Any) -> None:
    slot, person = seat
    with CaptureQueriesContext(connection) as queries:
        answer(
            slot,
            person,
            open_answers={"novelty": 4.0, "gaps": "x"},
            confidence=3,
            highlights={"importance": [[0, 4]]},
            comment="Clear.",
            seen={"level-importance": 0, "number-novelty": 0, "comment": 0},
        )
    assert len(queries) == 4  # savepoint, lock, store, release


FIELDS: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (
        "level-importance",
        {"answers": {"importance": 0}},
        {"answers": {"importance": 2}},
        {"answers": {"importance": 1}},
    ),
    (
        "number-novelty",
        {"open_answers": {"novelty": 1}},
        {"open_answers": {"novelty": 2}},
        {"open_answers": {"novelty": 3}},
    ),
    ("words-gaps", {"open_answers": {"gaps": "a"}}, {"open_answers": {"gaps": "b"}}, {"open_answers": {"gaps": "c"}}),
    ("confidence", {"confidence": 1}, {"confidence": 2}, {"confidence": 3}),
    (
        "marks-importance",
        {"highlights": {"importance": [[0, 1]]}},
        {"highlights": {"importance": [[0, 2]]}},
        {"highlights": {"importance": [[0, 3]]}},
    ),
    ("comment", {"comment": "a"}, {"comment": "b"}, {"comment": "c"}),
]


@pytest.mark.parametrize(("name", "first", "second", "third"), FIELDS, ids=[one[0] for one in FIELDS])
def test_an_older_page_overwrites_nothing_newer(
    seat: Any, name: str, first: dict[str, Any], second: dict[str, Any], third: dict[str, Any]
) -> None:
    slot, person = seat
    none = {"answers": {}}
    assert answer(slot, person, **(none | first), seen={name: 0}).revisions[name] == 1
    assert answer(slot, person, **(none | second), seen={name: 1}).revisions[name] == 2
    stored = Submission.objects.count()
    # A page that saw the first answer and has another one now is told of the second.
    key = uuid.uuid4()
    with pytest.raises(Overtaken) as refusal:
        answer(slot, person, **(none | third), seen={name: 1}, key=key)
    (newer,) = refusal.value.newer
    assert (newer["field"], newer["revision"]) == (name, 2)
    assert Submission.objects.count() == stored
    # One that left the first answer as it was takes the second over, and one that agrees with the second is content.
    untouched = answer(slot, person, **(none | first), seen={name: 1})
    assert [one["revision"] for one in untouched.newer] == [2]
    assert name not in untouched.revisions
    assert answer(slot, person, **(none | second), seen={name: 0}).revisions[name] == 2
    # Having seen the second, it stores its own; the same key again changes nothing, whatever came between.
    assert answer(slot, person, **(none | third), seen={name: 2}, key=key).revisions[name] == 3
    answer(slot, person, **(none | first), seen={name: 3})
    again = answer(slot, person, **(none | third), seen={name: 2}, key=key)
    assert again.revisions == ({name: 3} if name != "comment" else {})


def test_a_page_that_saw_nothing_is_told_of_what_there_is(seat: Any) -> None:
    slot, person = seat
    answer(slot, person, answers={"importance": 2})
    with pytest.raises(Overtaken) as refusal:
        answer(slot, person, answers={"importance": 0}, seen={"level-importance": 0})
    (newer,) = refusal.value.newer
    assert (newer["shown"], newer["here"], newer["value"]) == ("High", "Low", "2")


def test_the_export_has_every_revision_with_the_words_that_were_marked(seat: Any) -> None:
    slot, person = seat
    answer(slot, person, open_answers={"novelty": 40, "gaps": "=1+1"}, confidence=4)
    answer(slot, person, open_answers={"novelty": 45.5}, highlights={"importance": [[27, 28], [4, 23]]})
    answer(slot, person, highlights={"importance": []})
    stream = io.BytesIO()
    build_export(study=Slot.objects.get().item.study, salt="salt", seed=0, stream=stream)
    with zipfile.ZipFile(stream) as archive:

        def table(name: str) -> list[dict[str, str]]:
            return list(csv.DictReader(io.StringIO(archive.read(name).decode(), newline="")))

        answers, sure, marks = table("open_answers.csv"), table("confidence.csv"), table("highlights.csv")
        missing, codebook = table("missing.csv"), archive.read("codebook.md").decode()
    assert [(row["criterion"], row["number"], row["words"], row["revision"], row["in_force"]) for row in answers] == [
        ("novelty", "40.0", "", "1", "false"),
        ("novelty", "45.5", "", "2", "true"),
        ("gaps", "", "'=1+1", "1", "true"),
    ]
    assert [(row["confidence"], row["in_force"]) for row in sure] == [("4", "true")]
    assert [(row["start"], row["end"], row["words"], row["in_force"]) for row in marks] == [
        ("4", "23", SHOWN[4:23], "false"),
        ("27", "28", "🜁", "false"),
        ("", "", "", "true"),
    ]
    assert answers[0]["rater"] == marks[0]["rater"] != ""
    # The optional words are nobody's debt; one seat of the text was never given.
    assert {(row["criterion"], row["reason"]) for row in missing} == {
        (name, "not_assigned") for name in ("meaningfulness", "importance", "novelty")
    }
    assert "## highlights.csv" in codebook
