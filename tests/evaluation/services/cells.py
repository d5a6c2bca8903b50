"""Studies of texts from cells, each of which answers one question."""

from typing import Any

from evaluation.models import Expectation, Item, Level, Study
from evaluation.services.items import add_items_from_rows
from evaluation.services.studies import create_study, launch_study
from evaluation.uploads import TextRow
from tests.factories import make_text


def make_cells(*, cells: int = 6, texts: int = 4, questions: int = 3, launch: bool = True, **fields: Any) -> Study:
    """A study with so many texts of each cell; cells take turns at the questions."""
    study = create_study(title="Cells", **fields)
    rows = [
        TextRow(f"c{cell}-{number}", f"Question {cell % questions}?", f"Text {number} of cell {cell}.")
        for cell in range(cells)
        for number in range(texts)
    ]
    add_items_from_rows(study=study, rows=rows)
    for cell in range(cells):
        Item.objects.filter(study=study, external_id__startswith=f"c{cell}-").update(stratum=f"cell:{cell}")
    return launch_study(study=study) if launch else study


def make_apart(*, study: Study, kind: str, count: int) -> list[Item]:
    """Practice texts or attention checks of a draft, after its other texts."""
    last = study.items.count()
    items = Item.objects.bulk_create(
        Item(
            study=study,
            position=last + number,
            kind=kind,
            external_id=f"{kind}-{number}",
            question="",
            text=make_text(f"A text for {kind}, number {number}."),
        )
        for number in range(1, count + 1)
    )
    level = Level.objects.filter(criterion__study=study).first()
    assert level is not None
    Expectation.objects.bulk_create(Expectation(item=item, criterion=level.criterion, level=level) for item in items)
    return items
