"""Scores as a table for people at a terminal."""

from collections.abc import Sequence
from typing import Any

from graphs.science.metric_registry import METRICS
from graphs.science.null_models import NULL_MODELS

__all__ = ["render_scores"]

_UNDEFINED = "–"
_WIDEST_ID = 32


def render_scores(records: Sequence[dict[str, Any]]) -> str:
    """Lay out the records of `kappagraph score`: one row a text, then its null models, then what is undefined."""
    head = ["text", "tokens", "nodes", "edges", "parts", *(metric.symbol for metric in METRICS)]
    rows = [
        [
            _name(record),
            *(str(record[size]) for size in ("tokens", "nodes", "edges", "components")),
            *(_figure(record["metrics"][metric.key]) for metric in METRICS),
        ]
        for record in records
    ]
    blocks = [_table([head, *rows]), "\n".join(f"{metric.symbol:>6}  {metric.label}" for metric in METRICS)]
    blocks += [_nulls(record) for record in records if record["nulls"]]
    notes = [
        f"{_name(record)}: {key} {kind}: {reason}"
        for record in records
        for kind, field in (("is undefined", "undefined"), ("needs care", "cautions"))
        for key, reason in record[field].items()
    ]
    return "\n\n".join([*blocks, *(["\n".join(notes)] if notes else [])])


def _nulls(record: dict[str, Any]) -> str:
    models = record["nulls"]
    head = [_name(record), *(f"{model} {figure}" for model in models for figure in ("z", "p", "p (Holm)"))]
    rows = [
        [
            metric.label,
            *(_figure(models[model][metric.key][figure]) for model in models for figure in ("z", "p", "p_holm")),
        ]
        for metric in METRICS
    ]
    draws = [
        f"{NULL_MODELS[model].label}: {size['draws']} draws, {size['edges_mean']:.1f} edges on average "
        f"(the text has {record['edges']}), {size['connected']} connected"
        for model, size in record["null_draws"].items()
    ]
    return "\n".join([_table([head, *rows]), *draws])


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    )


def _name(record: dict[str, Any]) -> str:
    # An id comes from a file: control characters would reach the terminal.
    name = "".join(character if character.isprintable() else "�" for character in record["id"])
    return name if len(name) <= _WIDEST_ID else f"{name[: _WIDEST_ID - 1]}…"


def _figure(value: float | None) -> str:
    return _UNDEFINED if value is None else f"{value:.4g}"
