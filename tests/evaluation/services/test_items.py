"""Where the texts of a draft come from."""

from collections import Counter

import pytest

from corpora.models import Corpus
from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.services.items import add_items_from_batch, add_items_from_corpus, add_items_from_rows
from evaluation.services.studies import create_study
from evaluation.uploads import TextRow
from generation.models import Batch
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
    assert add_items_from_batch(study=draft, batch=make_grid(), count=count, seed=3) == count
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
    assert add_items_from_corpus(study=draft, corpus=fitting, count=1) == 1
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
