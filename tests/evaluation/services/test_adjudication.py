"""Settling disagreements: which texts come first, what an adjudicator sees, and that agreement never hears of it."""

import io
import json
import zipfile
from typing import Any

import pytest
from django.utils import timezone

from evaluation.errors import AgreementHidden, StudyError
from evaluation.models import Adjudication, Comment, Item, Membership, Slot, Study
from evaluation.reports.agreement import agreement_json
from evaluation.reports.correlations import correlation_rows
from evaluation.reports.data import load
from evaluation.reports.export.build import build_export
from evaluation.selectors.adjudication import disputed_items, on_the_table
from evaluation.services.adjudication import adjudicate
from tests.factories import make_rated_study, make_researcher, make_study

pytestmark = pytest.mark.django_db

ANSWERS = {
    "clarity": [["low", "low", "low"], ["low", "medium", "low"], ["low", "high", "low"], ["low", "high", "high"]],
    "use": [["low", "low", "low"], ["low", "medium", "medium"], ["high", "high", "high"], ["low", "low", None]],
}


@pytest.fixture
def study() -> Study:
    return make_rated_study(answers=ANSWERS)


def item(study: Study, position: int) -> Item:
    return study.items.get(position=position)


def queue(study: Study, **options: Any) -> list[int]:
    return [one.position for one in disputed_items(study=study, **options)[0]]


def leave_out(member: Membership) -> None:
    Membership.objects.filter(pk=member.pk).update(removal="exclude", removed_at=timezone.now())


def settle(study: Study, position: int, reason: str = "As defined.", **levels: int) -> list[Adjudication]:
    by = make_researcher() if not Adjudication.objects.exists() else Adjudication.objects.all()[0].decided_by
    assert by
    return adjudicate(study=study, item=item(study, position), levels=levels, reason=reason, decided_by=by)


def test_the_widest_range_comes_first_then_the_larger_variance_then_position(study: Study) -> None:
    # 3 and 4 span two levels with variance 8/9 each on clarity; 2 spans one level on both criteria; 1 is agreed on.
    assert queue(study) == [3, 4, 2]
    found, total = disputed_items(study=study)
    assert [(one.width, one.raters, one.disputed) for one in found] == [(2, 3, 1), (2, 3, 1), (1, 3, 2)]
    assert found[2].variance == pytest.approx(4 / 9)
    assert total == 3
    assert (queue(study, after=1, limit=1), disputed_items(study=study, after=9)) == ([4], ([], 3))


def test_ratings_that_do_not_count_make_no_dispute(study: Study) -> None:
    odd = Slot.objects.get(item=item(study, 3), seat=1)
    Slot.objects.filter(pk=odd.pk).update(state="surplus", seat=None)
    assert queue(study) == [4, 2]
    second = Membership.objects.filter(study=study).order_by("number")[1]
    leave_out(second)
    assert queue(study) == [4, 2]
    third = Membership.objects.filter(study=study).order_by("number")[2]
    leave_out(third)
    assert queue(study) == []


def test_the_queue_leaves_out_what_is_settled_where_asked(study: Study) -> None:
    settle(study, 3, clarity=1)
    settle(study, 2, use=1)
    assert queue(study, open_only=True) == [4, 2]
    settle(study, 2, clarity=0)
    assert queue(study, open_only=True) == [4]
    assert queue(study) == [3, 4, 2]
    assert [one.is_settled for one in disputed_items(study=study)[0]] == [True, False, True]


def test_the_adjudicator_sees_ratings_and_comments_and_nobodys_name(study: Study) -> None:
    slot = Slot.objects.filter(item=item(study, 4)).order_by("seat")[0]
    Comment.objects.create(slot=slot, body="Unclear.")
    found = on_the_table(study=study, item_id=item(study, 4).public_id)
    assert found
    assert [one.rater for one in found.ratings] == ["A", "B", "C"]
    assert sorted((one.levels, one.comment) for one in found.ratings if one.levels[1]) == [
        (("High", "Low"), ""),
        (("Low", "Low"), "Unclear."),
    ]
    assert [one.levels for one in found.ratings if not one.levels[1]] == [("High", None)]
    shown = repr(found)
    assert all(person.username not in shown for person in (member.user for member in study.memberships.all()))
    assert on_the_table(study=study, item_id=item(make_study(title="Another"), 1).public_id) is None


def test_revisions_are_appended_and_the_last_one_holds(study: Study) -> None:
    settle(study, 3, clarity=1)
    assert settle(study, 3, clarity=1) == []
    settle(study, 3, clarity=2, reason="On second thoughts.")
    settle(study, 3, clarity=2, reason="For another reason.")
    found = on_the_table(study=study, item_id=item(study, 3).public_id)
    assert found
    assert [(one.revision, one.label, one.reason) for one in found.decisions] == [
        (1, "Medium", "As defined."),
        (2, "High", "On second thoughts."),
        (3, "High", "For another reason."),
    ]
    assert next(iter(found.in_force.values())).revision == 3


@pytest.mark.parametrize(
    ("levels", "reason", "message"),
    [
        ({"clarity": 1}, " \0 ", "Say why"),
        ({"clarity": 1}, "x" * 5001, "5,000 characters"),
        ({}, "Why", "at least one criterion"),
        ({"clarity": 3}, "Why", "no level 3 of “clarity”"),
        ({"clarity": 1, "beauty": 0}, "Why", "no level 0 of “beauty”"),
    ],
)
def test_what_is_refused_stores_nothing(study: Study, levels: dict[str, int], reason: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        adjudicate(study=study, item=item(study, 3), levels=levels, reason=reason, decided_by=make_researcher())
    assert not Adjudication.objects.exists()


def test_texts_of_another_study_or_without_ratings_are_refused(study: Study) -> None:
    by = make_researcher()
    for other in (
        item(make_study(title="Another", criteria=["clarity"]), 1),
        item(make_rated_study(answers=ANSWERS), 1),
    ):
        with pytest.raises(StudyError, match="no ratings to decide between"):
            adjudicate(study=study, item=other, levels={"clarity": 1}, reason="Why", decided_by=by)


def test_nothing_is_shown_or_settled_while_agreement_is_hidden() -> None:
    hidden = make_rated_study(answers=ANSWERS, raters_per_item=4, agreement_from=100)
    with pytest.raises(AgreementHidden):
        disputed_items(study=hidden)
    with pytest.raises(AgreementHidden):
        on_the_table(study=hidden, item_id=item(hidden, 3).public_id)
    with pytest.raises(AgreementHidden):
        settle(hidden, 3, clarity=1)


def test_agreement_is_the_same_to_the_byte_after_adjudication(study: Study) -> None:
    def figures() -> str:
        data = load(study=study)
        names = {rater.pk: rater.label for rater in data.raters}
        return json.dumps(
            [agreement_json(data=data, names=names, seed=0), correlation_rows(data=data, seed=0), data.sha256]
        )

    def files() -> dict[str, bytes]:
        stream = io.BytesIO()
        build_export(study=study, salt="salt", seed=0, stream=stream)
        with zipfile.ZipFile(stream) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    before, exported = figures(), files()
    settle(study, 3, clarity=1, use=0)
    settle(study, 4, clarity=2)
    assert figures() == before
    changed = {name for name, body in files().items() if body != exported[name]}
    assert changed == {"adjudications.csv", "manifest.json"}


def test_the_number_of_statements_does_not_grow(django_assert_num_queries: Any) -> None:
    large = make_rated_study(answers={key: rows * 6 for key, rows in ANSWERS.items()}, title="Large")
    for study in (make_rated_study(answers=ANSWERS), large):
        with django_assert_num_queries(2):
            disputed_items(study=study)
        with django_assert_num_queries(6):
            on_the_table(study=study, item_id=item(study, 3).public_id)
