"""Making, launching and closing a study."""

import pytest

from evaluation.errors import StudyError
from evaluation.models import Item, Opening, Study
from evaluation.rubrics import IMPORTANCE, CriterionSpec, LevelSpec
from evaluation.services.items import add_items_from_rows, remove_items
from evaluation.services.studies import close_study, create_study, delete_draft, launch_study, protocol_sha256
from evaluation.uploads import TextRow
from tests.factories import make_researcher

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


def test_a_draft_can_be_deleted() -> None:
    delete_draft(study=make_draft())
    assert not Study.objects.exists()
