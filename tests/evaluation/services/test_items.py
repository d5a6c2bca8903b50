"""Where the texts of a draft come from."""

from collections import Counter

import pytest

from corpora.models import Corpus
from evaluation.errors import StudyError, UploadError
from evaluation.models import Expectation, Study
from evaluation.services.items import (
    add_items_from_batch,
    add_items_from_corpus,
    add_items_from_rows,
    remove_item,
    remove_items,
)
from evaluation.services.studies import create_study, launch_study
from evaluation.uploads import TextRow
from generation.models import Abstract, Batch
from graphs.models import Score
from graphs.services import ensure_default_settings
from tests.factories import make_abstract, make_batch, make_cell, make_corpus, make_retrieval

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft() -> Study:
    return create_study(title="Draft")


def make_grid(cells: int = 3, runs: int = 4) -> Batch:
    batch = make_batch()
    for cell_number in range(cells):
        cell = make_cell(batch=batch, temperature=f"0.{cell_number}00")
        for run in range(runs):
            make_abstract(cell=cell, body=f"Cell {cell_number} wrote text {run}.")
    return batch


@pytest.mark.parametrize(("count", "fewest", "most"), [(6, 2, 2), (7, 2, 3), (12, 4, 4)])
def test_a_sample_is_spread_evenly_over_the_cells(draft: Study, count: int, fewest: int, most: int) -> None:
    note = add_items_from_batch(study=draft, batch=make_grid(), count=count, seed=3)
    assert (note["count"], note["fewest_per_cell"], note["most_per_cell"]) == (count, fewest, most)
    assert draft.items.count() == count
    spread = Counter(draft.items.values_list("stratum", flat=True))
    assert len(spread) == 3
    assert (min(spread.values()), max(spread.values())) == (fewest, most)
    item = draft.items.all()[0]
    assert item.abstract is not None
    assert item.text == item.abstract.text
    assert item.question == "How do tailings settle?"


def test_the_seed_decides_and_repeats() -> None:
    batch = make_grid(runs=8)
    drawn = []
    for seed in (1, 1, 2):
        study = create_study(title="Draft")
        add_items_from_batch(study=study, batch=batch, count=6, seed=seed)
        drawn.append(list(study.items.values_list("external_id", flat=True)))
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]


def test_equal_texts_are_taken_once(draft: Study) -> None:
    cell = make_cell(batch=make_batch())
    for _ in range(3):
        make_abstract(cell=cell, body="The same words.")
    make_abstract(cell=cell, body="Other words.")
    with pytest.raises(StudyError, match="2 different texts"):
        add_items_from_batch(study=draft, batch=cell.batch, count=3)
    assert draft.items.count() == 0
    add_items_from_batch(study=draft, batch=cell.batch, count=1)
    with pytest.raises(StudyError, match="1 different text that is not in the study yet, not 2"):
        add_items_from_batch(study=draft, batch=cell.batch, count=2)
    add_items_from_batch(study=draft, batch=cell.batch, count=1)
    with pytest.raises(StudyError, match="0 different texts that are"):
        add_items_from_batch(study=draft, batch=cell.batch, count=1)


def test_other_batches_are_left_alone(draft: Study) -> None:
    make_grid()
    with pytest.raises(StudyError):
        add_items_from_batch(study=draft, batch=make_batch(name="Empty", corpus=Corpus.objects.get()), count=1)


def test_controls_come_under_the_questions_of_the_study(draft: Study) -> None:
    fitting = make_corpus(name="Fitting", bodies=["About paste."])
    make_retrieval(corpus=fitting, query="Why paste?")
    add_items_from_rows(study=draft, rows=[TextRow("a", "Why paste?", "A."), TextRow("b", "Why dry?", "B.")])
    assert add_items_from_corpus(study=draft, corpus=fitting, count=1)["matched"] == 1
    control = draft.items.get(document__isnull=False)
    assert (control.question, control.text.body) == ("Why paste?", "About paste.")
    with pytest.raises(StudyError, match="0 documents"):
        add_items_from_corpus(study=draft, corpus=fitting, count=1)


def test_controls_spread_over_the_questions_and_need_none(draft: Study) -> None:
    corpus = make_corpus(bodies=[f"Human text {number}." for number in range(6)])
    add_items_from_rows(study=draft, rows=[TextRow("a", "Why?", "A."), TextRow("b", "How?", "B.")])
    add_items_from_corpus(study=draft, corpus=corpus, count=4)
    assert Counter(draft.items.values_list("question", flat=True)) == {"Why?": 3, "How?": 3}
    empty = create_study(title="Only humans")
    add_items_from_corpus(study=empty, corpus=corpus, count=2)
    assert set(empty.items.values_list("question", flat=True)) == {""}


def test_ids_that_are_taken_are_named_and_nothing_is_added(draft: Study) -> None:
    add_items_from_rows(study=draft, rows=[TextRow("a", "", "A.")])
    with pytest.raises(StudyError, match="these ids: a"):
        add_items_from_rows(study=draft, rows=[TextRow("b", "", "B."), TextRow("a", "", "C.")])
    assert list(draft.items.values_list("external_id", "position")) == [("a", 1)]
    add_items_from_rows(study=draft, rows=[TextRow("b", "", "B."), TextRow("c", "", "A.")])
    assert list(draft.items.values_list("position", flat=True)) == [1, 2, 3]


def scored_grid() -> Batch:
    """Three cells of four texts, whose scores rise with the text's number; the third text has none."""
    batch = make_grid()
    settings = ensure_default_settings()
    for place, abstract in enumerate(Abstract.objects.order_by("text__body")):
        value = None if place == 2 else float(place)
        Score.objects.create(
            text=abstract.text, settings=settings, tokens=9, nodes=5, edges=4, components=1, spectral_gap=value
        )
    return batch


def test_quantiles_of_a_score_are_drawn_evenly_within_each_cell(draft: Study) -> None:
    batch = scored_grid()
    note = add_items_from_batch(study=draft, batch=batch, count=6, seed=4, metric="spectral_gap", bins=2)
    assert (note["per_bin"], note["without_score"]) == ([3, 3], 0)
    assert (note["fewest_per_cell"], note["most_per_cell"], note["siblings"]) == (2, 2, 3)
    middle = draft.items.filter(text__body__startswith="Cell 1").values_list("text__body", flat=True)
    scores = sorted(int(body[-2]) for body in middle)
    assert scores[0] < 2 <= scores[1]  # one from each half of the middle cell
    assert note["short_strata"] == 2  # no high scores in cell 0, no low ones in cell 2
    draft.refresh_from_db()
    assert draft.draws == [note]


def test_a_draw_over_quantiles_needs_scores_and_a_metric(draft: Study) -> None:
    batch = make_grid()
    for fields, message in (
        ({"metric": "spectral_gap", "bins": 2}, "has a score yet"),
        ({"metric": "beauty", "bins": 2}, "no metric"),
        ({"metric": "spectral_gap", "bins": 1}, "Two to 10"),
        ({"metric": "spectral_gap", "bins": 11}, "Two to 10"),
    ):
        with pytest.raises(StudyError, match=message):
            add_items_from_batch(study=draft, batch=batch, count=3, **fields)  # type: ignore[arg-type]
    assert draft.items.count() == 0


def test_controls_may_be_a_share_of_the_texts(draft: Study) -> None:
    corpus = make_corpus(bodies=[f"Human text {number}." for number in range(9)])
    with pytest.raises(StudyError, match="no text yet"):
        add_items_from_corpus(study=draft, corpus=corpus, percent=20)
    add_items_from_rows(study=draft, rows=[TextRow(f"T{n}", "Why?", f"Text {n}.") for n in range(8)])
    add_items_from_rows(study=draft, rows=[TextRow("P", "Why?", "Practise.", "practice")])
    note = add_items_from_corpus(study=draft, corpus=corpus, percent=20)
    assert (note["count"], note["percent"], note["matched"]) == (2, 20, 0)
    with pytest.raises(StudyError, match="2 of the 10 texts are controls already"):
        add_items_from_corpus(study=draft, corpus=corpus, percent=20)
    assert add_items_from_corpus(study=draft, corpus=corpus, percent=33)["count"] == 2
    with pytest.raises(StudyError, match="1 to 90 percent"):
        add_items_from_corpus(study=draft, corpus=corpus, percent=95)
    with pytest.raises(StudyError, match="5 documents that are not in the study yet, not 68"):
        add_items_from_corpus(study=draft, corpus=corpus, percent=90)
    assert draft.items.filter(document__isnull=False).count() == 4


def test_emptying_forgets_the_draws(draft: Study) -> None:
    add_items_from_batch(study=draft, batch=make_grid(), count=3)
    remove_items(study=draft)
    draft.refresh_from_db()
    assert (draft.draws, draft.items.count()) == ([], 0)


def test_practice_and_attention_come_with_expected_levels_by_value_label_key_or_name(draft: Study) -> None:
    rows = [
        TextRow("a", "", "A."),
        TextRow("p", "", "P.", "practice", "Since …", (("meaningfulness", "low"), ("Importance", "High"))),
        TextRow("c", "", "C.", "attention", "", (("IMPORTANCE", "MEDIUM"),)),
    ]
    assert add_items_from_rows(study=draft, rows=rows) == 3
    levels = Expectation.objects.filter(item__study=draft).order_by("pk")
    assert list(levels.values_list("item__external_id", "criterion__key", "level__value")) == [
        ("p", "meaningfulness", "low"),
        ("p", "importance", "high"),
        ("c", "importance", "medium"),
    ]
    assert draft.items.get(external_id="p").feedback == "Since …"


def test_levels_that_do_not_exist_are_named_with_their_place_and_nothing_is_added(draft: Study) -> None:
    rows = [
        TextRow("a", "", "A."),
        TextRow("p", "", "P.", "practice", "", (("meaningfulness", "awful"),), place="texts.csv, row 3"),
        TextRow("q", "", "Q.", "practice", "", (("beauty", "low"),)),
        TextRow("r", "", "R.", "practice", "", (("beauty", "low"),)),
    ]
    with pytest.raises(UploadError) as refused:
        add_items_from_rows(study=draft, rows=rows)
    assert refused.value.problems == [
        "texts.csv, row 3: “awful” is no level of meaningfulness. Write one of: Low, Medium, High.",
        "No criterion with levels is called “beauty”. In “expected: …” write one of: importance, meaningfulness.",
    ]
    assert draft.items.count() == 0


def test_one_text_is_taken_out_and_a_drawn_one_is_noted(draft: Study) -> None:
    add_items_from_batch(study=draft, batch=make_grid(), count=3)
    add_items_from_rows(study=draft, rows=[TextRow("a", "", "A.", "attention"), TextRow("b", "", "B.")])
    drawn = draft.items.get(position=2).external_id
    assert remove_item(study=draft, position=2) == drawn
    assert remove_item(study=draft, position=4) == "a"
    with pytest.raises(StudyError, match="no such text"):
        remove_item(study=draft, position=2)
    draft.refresh_from_db()
    assert draft.draws[1:] == [{"source": "removed", "id": drawn}]
    add_items_from_rows(study=draft, rows=[TextRow("a", "", "A.")])
    assert list(draft.items.values_list("position", flat=True)) == [1, 3, 5, 6]
    launched = launch_study(study=draft)
    with pytest.raises(StudyError, match="frozen"):
        remove_item(study=launched, position=1)
