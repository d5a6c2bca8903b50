"""Making, launching and closing a study."""

from dataclasses import replace
from typing import Any

import pytest

from evaluation.errors import StudyError
from evaluation.models import Item, Opening, Study
from evaluation.rubrics import IMPORTANCE, TEMPLATES, AnchorSpec, CriterionSpec, LevelSpec
from evaluation.selectors.protocol import expected_levels
from evaluation.services import events
from evaluation.services.items import add_items_from_rows, remove_items
from evaluation.services.settings import change_settings
from evaluation.services.studies import (
    archive_study,
    change_protocol,
    close_study,
    create_study,
    delete_draft,
    launch_study,
    make_new_version,
    protocol_sha256,
    unarchive_study,
)
from evaluation.uploads import TextRow
from tests.factories import make_open_study, make_researcher

pytestmark = pytest.mark.django_db
ROWS = [TextRow("a", "Why?", "First text."), TextRow("b", "Why?", "Second text.")]


def make_draft(**fields: object) -> Study:
    study = create_study(**({"title": "Tailings", "order_seed": 1} | fields))  # type: ignore[arg-type]
    add_items_from_rows(study=study, rows=ROWS)
    return study


def test_a_new_study_has_the_two_criteria_in_the_order_of_their_scale() -> None:
    owner = make_researcher()
    study = create_study(title=" Tailings ", created_by=owner)
    assert (study.title, study.state) == ("Tailings", "draft")
    assert [criterion.key for criterion in study.criteria.all()] == ["meaningfulness", "importance"]
    for criterion in study.criteria.all():
        assert [level.value for level in criterion.levels.all()] == ["low", "medium", "high"]
        assert all(level.definition for level in criterion.levels.all())
    assert study.memberships.get().role == "owner"


def numbered(count: int) -> CriterionSpec:
    return CriterionSpec("fit", "Fit", tuple(LevelSpec(str(n), str(n)) for n in range(count)))


@pytest.mark.parametrize(
    ("criteria", "message"),
    [
        ((), "at least one criterion"),
        ((numbered(1),), "Fit: 1 levels"),
        ((numbered(12),), "Fit: 12 levels"),
        ((IMPORTANCE, IMPORTANCE), "rename one"),
        ((CriterionSpec("fit", "Fit", (LevelSpec("a", "A"), LevelSpec("a", "B"))),), "share the value “a”"),
        ((CriterionSpec("fit", "Fit", (LevelSpec("a", "A"), LevelSpec("b", " "))),), "no label"),
        ((CriterionSpec("f t", "Fit", numbered(2).levels),), "the key"),
        ((CriterionSpec("fit", " ", numbered(2).levels),), "no name"),
    ],
)
def test_a_rubric_that_cannot_be_rated_on_is_refused(criteria: tuple[CriterionSpec, ...], message: str) -> None:
    with pytest.raises(StudyError, match=message):
        create_study(title="Tailings", criteria=criteria)
    assert not Study.objects.exists()


def test_two_to_eleven_levels_are_welcome() -> None:
    for count in (2, 11):
        study = create_study(title="Tailings", criteria=(numbered(count),))
        assert study.criteria.get().levels.count() == count


@pytest.mark.parametrize("fields", [{"title": " "}, {"raters_per_item": 0}, {"raters_per_item": 101}])
def test_a_study_needs_a_title_and_raters(fields: dict[str, object]) -> None:
    with pytest.raises(StudyError):
        create_study(**({"title": "Tailings"} | fields))  # type: ignore[arg-type]


def test_the_launch_opens_the_seats_and_freezes() -> None:
    study = launch_study(study=make_draft(raters_per_item=3))
    assert (study.state, study.item_count) == ("open", 2)
    assert study.launched_at is not None
    assert len(study.frozen_sha256) == 64
    assert study.frozen_sha256 == protocol_sha256(study=study)
    assert Opening.objects.filter(study=study).count() == 6
    assert sorted(study.items.values_list("shuffled_position", flat=True)) == [0, 1]
    for change in (launch_study, remove_items, delete_draft):
        with pytest.raises(StudyError):
            change(study=study)
    with pytest.raises(StudyError, match="frozen"):
        add_items_from_rows(study=study, rows=[TextRow("c", "", "Third.")])
    assert study.items.count() == 2


def test_the_hash_depends_on_texts_rubric_instructions_and_order_and_on_nothing_else() -> None:
    same = {launch_study(study=make_draft(title=title)).frozen_sha256 for title in ("One", "Two")}
    assert len(same) == 1
    others = [{"order_seed": 2}, {"instructions": "Be kind."}, {"raters_per_item": 3}, {"criteria": (IMPORTANCE,)}]
    hashes = {launch_study(study=make_draft(**fields)).frozen_sha256 for fields in others}
    assert len(hashes | same) == 5
    draft = make_draft()
    add_items_from_rows(study=draft, rows=[TextRow("c", "", "Third.")])
    assert launch_study(study=draft).frozen_sha256 not in hashes | same


def test_practice_texts_get_no_seats() -> None:
    study = make_draft()
    Item.objects.filter(study=study, external_id="a").update(kind="practice")
    assert launch_study(study=study).item_count == 1
    assert set(Opening.objects.values_list("item__external_id", flat=True)) == {"b"}


def test_nothing_to_rate_is_no_study() -> None:
    with pytest.raises(StudyError, match="no text"):
        launch_study(study=create_study(title="Empty"))


def test_closing_is_for_good_and_may_be_said_twice() -> None:
    draft = make_draft()
    with pytest.raises(StudyError, match="draft"):
        close_study(study=draft)
    study = close_study(study=launch_study(study=draft))
    again = close_study(study=study)
    assert study.state == "closed"
    assert study.closed_at == again.closed_at
    assert not Opening.objects.exists()


def test_a_draft_can_be_deleted_unless_something_is_on_record() -> None:
    delete_draft(study=make_draft())
    assert not Study.objects.exists()
    draft = make_draft()
    events.record(study=draft, actor=None, kind="role-changed")
    with pytest.raises(StudyError, match="archive it instead"):
        delete_draft(study=draft)
    assert Study.objects.filter(pk=draft.pk).exists()


PRACTICE = TextRow("p", "Why?", "Practice.", "practice", "Good.", (("importance", "high"),))


def fuller(
    *, rows: tuple[TextRow, ...] = (PRACTICE,), criteria: tuple[CriterionSpec, ...] = TEMPLATES, **fields: object
) -> str:
    """The hash of a study with a practice text, launched."""
    study = make_draft(criteria=criteria, **fields)
    add_items_from_rows(study=study, rows=rows)
    return launch_study(study=study).frozen_sha256


def test_the_hash_covers_practice_expectations_examples_open_criteria_and_options() -> None:
    importance = TEMPLATES[1]
    reworded = AnchorSpec("Another example.", "Why.")
    levels = (replace(importance.levels[0], anchors=(reworded,)), *importance.levels[1:])
    changed: dict[str, dict[str, Any]] = {
        "feedback": {"rows": (replace(PRACTICE, feedback="Bad."),)},
        "expected level": {"rows": (replace(PRACTICE, expected=(("importance", "low"),)),)},
        "no expected level": {"rows": (replace(PRACTICE, expected=()),)},
        "kind": {"rows": (replace(PRACTICE, kind="attention", feedback=""),)},
        "examples": {"criteria": (TEMPLATES[0], replace(importance, levels=levels))},
        "required": {"criteria": (TEMPLATES[0], replace(importance, is_required=False))},
        "range": {"criteria": (*TEMPLATES, CriterionSpec("n", "N", kind="number", minimum=0))},
        "another range": {"criteria": (*TEMPLATES, CriterionSpec("n", "N", kind="number", minimum=1))},
        "words": {"criteria": (*TEMPLATES, CriterionSpec("n", "N", kind="words"))},
        "asks_confidence": {"asks_confidence": True},
        "allows_highlights": {"allows_highlights": True},
        "asks_authorship": {"asks_authorship": True},
        "repeats": {"repeats": 1},
        "repeat_distance": {"repeat_distance": 3},
        "attention_every": {"attention_every": 3},
        "consent": {"consent": "I agree."},
        "agreement_from": {"agreement_from": 50},
    }
    hashes = {"plain": fuller()} | {name: fuller(**fields) for name, fields in changed.items()}
    assert len(set(hashes.values())) == len(hashes)
    settings = {"completion_code": "C", "reminder_days": 3, "allows_self_registration": True, "lease_minutes": 5}
    assert fuller(**settings) == hashes["plain"]


def test_a_new_version_carries_everything_that_the_hash_covers_and_the_settings() -> None:
    study, _ = make_open_study(
        practice=2, attention=1, open_criteria=True, anchors=True, consent="I agree.", repeats=1, completion_code="C"
    )
    version = make_new_version(study=study)
    assert launch_study(study=version).frozen_sha256 == study.frozen_sha256
    assert (version.supersedes, version.completion_code, version.draws) == (study, "C", study.draws)
    event = study.events.get()
    assert (event.kind, event.details) == ("version-made", {"version": str(version.public_id)})


def test_archiving_is_for_drafts_and_closed_studies_and_may_be_said_twice() -> None:
    with pytest.raises(StudyError, match="close it before"):
        archive_study(study=launch_study(study=make_draft()))
    draft = archive_study(study=make_draft())
    again = archive_study(study=draft)
    assert draft.archived_at is not None
    assert again.archived_at == draft.archived_at
    with pytest.raises(StudyError, match="bring it back"):
        launch_study(study=again)
    assert unarchive_study(study=again).archived_at is None
    # What is recorded has to stay, and a draft may be deleted.
    assert not draft.events.exists()
    delete_draft(study=draft)


def test_settings_alone_change_after_the_launch() -> None:
    study = launch_study(study=make_draft())
    with pytest.raises(StudyError, match="Frozen at the launch: repeats"):
        change_settings(study=study, repeats=1)
    with pytest.raises(StudyError, match="http"):
        change_settings(study=study, completion_url="ftp://example.org")
    assert change_settings(study=study, completion_code="C", reminder_days=None) == ["completion_code"]
    assert [event.details for event in study.events.all()] == [{"changed": ["completion_code"]}]


@pytest.mark.parametrize(
    "fields",
    [
        {"repeats": -1},
        {"repeat_distance": 0},
        {"attention_every": 0},
        {"agreement_from": 101},
        {"default_quota": 0},
        {"reminder_days": 40_000},
        {"participant_parameter": "a&b"},
        {"completion_url": "javascript:alert(1)"},
    ],
    ids=str,
)
def test_options_out_of_range_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(StudyError):
        create_study(title="Tailings", **fields)
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("criterion", "message"),
    [
        (CriterionSpec("n", "N", kind="number", minimum=2, maximum=1), "is not below"),
        (CriterionSpec("n", "N", kind="number", maximum=float("inf")), "plain numbers"),
        (CriterionSpec("n", "N", kind="words", minimum=1), "only a number"),
        (CriterionSpec("n", "N", numbered(3).levels, kind="words"), "without levels"),
        (CriterionSpec("n", "N", (LevelSpec("a", "A", "", (AnchorSpec(" "),)), LevelSpec("b", "B"))), "has no text"),
        (CriterionSpec("n", "N", (LevelSpec("a", "A", "", (AnchorSpec("x"),) * 6), LevelSpec("b", "B"))), "6 examples"),
        (replace(numbered(3), is_required=False), "Require one of them"),
    ],
)
def test_open_criteria_and_examples_are_checked(criterion: CriterionSpec, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        create_study(title="Tailings", criteria=(criterion,))


def test_a_criterion_that_is_renamed_takes_its_expected_levels_along() -> None:
    study, _ = make_open_study(practice=1, state="draft")
    kept = (replace(TEMPLATES[0], key="sense", name="Sense"), replace(TEMPLATES[1], levels=numbered(2).levels))
    fields = {"title": "T", "instructions": "", "raters_per_item": 2, "lease_minutes": 60}
    lost = change_protocol(study=study, criteria=kept, renamed={"meaningfulness": "sense"}, **fields)  # type: ignore[arg-type]
    assert lost == 1  # importance has no level “high” any more
    assert expected_levels(study=study) == [(4, "sense", "high")]
