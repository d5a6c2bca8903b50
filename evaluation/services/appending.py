"""Putting texts at the end of a draft, and writing down how they were drawn."""

from collections.abc import Iterable
from typing import Any

from django.db import connection
from django.db.models import Max

from evaluation.models import Item, Study

__all__ = ["append_items", "note_draw"]


def append_items(study: Study, items: Iterable[Item]) -> int:
    """Store the items of a (locked) draft by COPY, as a hundred thousand of them ask for, and tell them their keys."""
    last = study.items.aggregate(last=Max("position"))["last"] or 0
    rows = list(items)
    for position, item in enumerate(rows, start=last + 1):
        item.study, item.position = study, position
    fields = [field for field in Item._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    with connection.cursor() as cursor, cursor.copy(f"COPY evaluation_item ({columns}) FROM STDIN") as copy:
        for item in rows:
            copy.write_row([getattr(item, field.attname) for field in fields])
    keys = study.items.filter(position__gt=last).order_by("position").values_list("pk", flat=True)
    for item, pk in zip(rows, keys, strict=True):
        item.pk, item._state.adding = pk, False
    return len(rows)


def note_draw(study: Study, draw: dict[str, Any]) -> dict[str, Any]:
    """Keep a draw with its seed on the (locked) study, so that it can be reported and repeated."""
    study.draws = [*study.draws, draw]
    study.save(update_fields=["draws"])
    return draw
