"""Adding and removing criteria and examples in a form that is not sent yet: with htmx or without any script."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

from evaluation.rubrics import worded_templates
from studio.studies.criterion_forms import MOST_CRITERIA, MOST_EXAMPLES, CriterionFormSet, criterion_rows
from studio.studies.protocol_form import ProtocolForm

__all__ = ["rework"]

Rows = list[dict[str, Any]]


def rework(request: HttpRequest, wanted: str) -> tuple[ProtocolForm, CriterionFormSet, str]:
    """The forms as typed, with the change that the pressed button asks for, and the id of the field to go on with.

    `wanted` is `criterion`, `template-KEY`, `remove-N`, `example-N` or `drop-N-M`; anything else changes nothing.
    """
    form = ProtocolForm(request.POST)
    typed = {name: form[name].value() for name in form.fields}
    rows = CriterionFormSet(request.POST, prefix="criteria").as_rows()
    what, _dash, rest = wanted.partition("-")
    focus = CHANGES[what](rows, rest) if what in CHANGES else ""
    return ProtocolForm(initial=typed), CriterionFormSet(initial=rows, prefix="criteria"), focus


def _criterion(rows: Rows, rest: str) -> str:
    if len(rows) < MOST_CRITERIA:
        rows.append({})
    return f"id_criteria-{len(rows) - 1}-name"


def _template(rows: Rows, key: str) -> str:
    wanted = [row for row in criterion_rows(worded_templates()) if row["key"] == key]
    rows.extend(wanted[: MOST_CRITERIA - len(rows)])
    return f"id_criteria-{len(rows) - 1}-name"


def _remove(rows: Rows, rest: str) -> str:
    if (number := _number(rest, rows)) is not None:
        del rows[number]
    return "add-criterion"


def _example(rows: Rows, rest: str) -> str:
    if (number := _number(rest, rows)) is None:
        return ""
    examples = rows[number].setdefault("anchors", [])
    if len(examples) < MOST_EXAMPLES:
        examples.append({})
    return f"id_criteria-{number}-anchors-{len(examples) - 1}-level"


def _drop(rows: Rows, rest: str) -> str:
    criterion, _dash, which = rest.partition("-")
    if (number := _number(criterion, rows)) is None:
        return ""
    examples = rows[number].get("anchors", [])
    if (place := _number(which, examples)) is not None:
        del examples[place]
    return f"add-example-{number}"


def _number(given: str, rows: Rows) -> int | None:
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 4 and int(given) < len(rows) else None


CHANGES: dict[str, Callable[[Rows, str], str]] = {
    "criterion": _criterion,
    "template": _template,
    "remove": _remove,
    "example": _example,
    "drop": _drop,
}
