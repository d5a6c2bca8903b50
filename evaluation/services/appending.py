"""Putting texts at the end of a draft, and writing down how they were drawn."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Max

from evaluation.models import Item, Study

__all__ = ["append_items", "note_draw"]


def append_items(study: Study, items: Iterable[Item]) -> int:
    last = study.items.aggregate(last=Max("position"))["last"] or 0
    rows = list(items)
    for position, item in enumerate(rows, start=last + 1):
        item.study, item.position = study, position
    Item.objects.bulk_create(rows, batch_size=1000)
    return len(rows)


def note_draw(study: Study, draw: dict[str, Any]) -> dict[str, Any]:
    """Keep a draw with its seed on the (locked) study, so that it can be reported and repeated."""
    study.draws = [*study.draws, draw]
    study.save(update_fields=["draws"])
    return draw
