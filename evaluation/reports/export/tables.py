"""What stands in `ratings.csv`, `items.csv` and `missing.csv`."""

from __future__ import annotations

import json
from functools import lru_cache
from uuid import UUID

from evaluation.presentation import neutral_text
from evaluation.reports.export.cells import csv_text
from evaluation.reports.export.columns import Column, Row, flag, number, text, time
from evaluation.reports.export.pseudonyms import Pseudonyms
from evaluation.selectors.correlations import decoded
from evaluation.selectors.exports import AREA_COLUMNS
from evaluation.selectors.left_out import MISSING
from generation.models import Prompt
from graphs.science.metric_registry import METRIC_KEYS, metric

__all__ = [
    "adjudication_columns",
    "confidence_columns",
    "guess_columns",
    "highlight_columns",
    "item_columns",
    "missing_columns",
    "open_answer_columns",
    "rating_columns",
]

STATES = "claimed, rated, skipped, expired, surplus or withdrawn"
AREAS = {
    "area_new": "radar area of the text, axes in the paper's order",
    "area_reference": "the same for the mean of the retrieved abstracts",
    "area_difference": "area_new − area_reference; above 0 the paper would keep the text",
    "order_free_area_new": "radar area of the text, mean over all orders of the axes",
    "order_free_area_reference": "the same for the mean of the retrieved abstracts",
    "order_free_area_difference": "order_free_area_new − order_free_area_reference",
}


def rating_columns(*, study: UUID, pseudonyms: Pseudonyms) -> list[Column]:
    return [
        _study(study),
        text("item", "the item's name in this study; see items.csv"),
        text("criterion", "key of the criterion"),
        text("level", "the level given, as declared"),
        number("level_index", "its place in the declared order, from 0 for the lowest"),
        _rater(pseudonyms),
        number("revision", "1 for the first answer, one more for each change; the highest is in force"),
        text("slot_state", f"state of the reviewer's seat at the item: {STATES}"),
        time("rated_at", "when the revision was stored", "created_at"),
        number("seconds_active", "seconds the item was in front of the reviewer, all visits together"),
        number("position", "the how-manieth item this was for its reviewer, from 1"),
        text("comment", "the reviewer's last comment on the item, unless redacted; the same in each row of the item"),
        text("item_kind", "rated, practice or attention"),
        number("pass", "0 for the rating, 1 and up for hidden repeats", "pass_number"),
        flag("in_force", "whether this is the highest revision"),
        flag("counted", "whether the figures in agreement.json rest on this row"),
    ]


def item_columns(*, study: UUID) -> list[Column]:
    return [
        _study(study),
        text("item", "the researcher's name for the item"),
        Column("item_id", "UUID", "public identifier of the item", lambda row: str(row["item_id"])),
        number("position", "its place in the study"),
        text("kind", "rated, practice or attention"),
        text("source", "generated, document or uploaded"),
        text("question", "the question shown with the text"),
        text("text", "the text as it was rated"),
        text("text_sha256", "SHA-256 of the text in UTF-8, before cells are made safe"),
        text("document_doi", "DOI of the document, for items from a corpus"),
        Column("batch_id", "UUID", "batch that generated the text", _batch),
        text("batch", "name of the batch"),
        text("llm", "key of the language model"),
        text("llm_revision", "its revision"),
        Column("prompt", "text", "key and version of the prompt", _prompt),
        Column("prompt_sha256", "text", "SHA-256 of the prompt's system text and template", _prompt_sha256),
        text("embedding", "key of the embedding model used for retrieval"),
        text("embedding_revision", "its revision"),
        number("temperature", "sampling temperature"),
        number("seed", "seed of the run"),
        number("iteration", "number of the run in its cell, from 1"),
        text("query", "the query of the cell"),
        text("retrieved_dois", "DOIs of the retrieved abstracts by rank, separated by spaces"),
        number("tokens", "tokens left after stop words"),
        number("nodes", "words in the co-occurrence graph"),
        number("edges", "its edges"),
        number("components", "its connected parts; above 1 some metrics are 0"),
        *(number(name, f"graph metric: {metric(name).label}") for name in METRIC_KEYS),
        *(number(name, AREAS[name]) for name in AREA_COLUMNS),
        number("references", "retrieved abstracts behind the areas"),
        Column("undefined", "JSON", "why a metric or an area is empty, by its name", _undefined),
    ]


def missing_columns(*, study: UUID, pseudonyms: Pseudonyms) -> list[Column]:
    reasons = "; ".join(f"{name}: {meaning}" for name, meaning in MISSING.items())
    return [
        _study(study),
        text("item", "the item's name in this study"),
        text("criterion", "key of the criterion"),
        _rater(pseudonyms),
        text("slot_state", f"state of the reviewer's seat: {STATES}; empty where the seat was never given"),
        text("reason", reasons),
        text("detail", "the reviewer's own reason for skipping"),
        text("item_kind", "rated, practice or attention"),
        number("pass", "0 for the rating, 1 and up for hidden repeats", "pass_number"),
    ]


def open_answer_columns(*, study: UUID, pseudonyms: Pseudonyms) -> list[Column]:
    return [
        _study(study),
        text("item", "the item's name in this study"),
        text("criterion", "key of the criterion"),
        number("number", "the number given; empty where it was taken back, or where the criterion asks for words"),
        text("words", "the words given; empty where they were taken back, or where the criterion asks for a number"),
        *_given(pseudonyms),
    ]


def confidence_columns(*, study: UUID, pseudonyms: Pseudonyms) -> list[Column]:
    return [
        _study(study),
        text("item", "the item's name in this study"),
        number("confidence", "1 guessing, 2 unsure, 3 fairly sure, 4 sure, 5 certain", "value"),
        *_given(pseudonyms),
    ]


def highlight_columns(*, study: UUID, pseudonyms: Pseudonyms) -> list[Column]:
    return [
        _study(study),
        text("item", "the item's name in this study"),
        text("criterion", "key of the criterion that these words decided"),
        number("start", "first character of the stretch, from 0, in the neutral paragraph that reviewers saw"),
        number("end", "the character after its last; both are empty where all marks were taken back"),
        Column("words", "text", "the words marked", _marked),
        *_given(pseudonyms),
    ]


def _given(pseudonyms: Pseudonyms) -> list[Column]:
    return [
        _rater(pseudonyms),
        number("revision", "1 for the first answer, one more for each change; the highest is in force"),
        flag("in_force", "whether this is the highest revision"),
        time("given_at", "when the revision was stored", "created_at"),
        text("slot_state", f"state of the reviewer's seat at the item: {STATES}"),
        text("item_kind", "rated, practice or attention"),
        number("pass", "0 for the rating, 1 and up for hidden repeats", "pass_number"),
    ]


def _marked(row: Row) -> str:
    return "" if row["start"] is None else csv_text(_shown(row["body"])[row["start"] : row["end"]])


_shown = lru_cache(maxsize=64)(neutral_text)


def adjudication_columns(*, study: UUID, pseudonyms: Pseudonyms) -> list[Column]:
    return [
        _study(study),
        text("item", "the item's name in this study"),
        text("criterion", "key of the criterion"),
        text("level", "the level settled on, as declared"),
        number("level_index", "its place in the declared order, from 0 for the lowest"),
        number("revision", "1 for the first decision, one more for each change; the highest is in force"),
        flag("in_force", "whether this is the highest revision"),
        time("decided_at", "when the revision was stored", "created_at"),
        _rater(pseudonyms, "adjudicator", "pseudonym of whoever decided, made like those of reviewers"),
        text("reason", "why, in the adjudicator's words"),
    ]


def guess_columns(*, study: UUID, pseudonyms: Pseudonyms) -> list[Column]:
    return [
        _study(study),
        text("item", "the item's name in this study"),
        _rater(pseudonyms),
        text("guess", "person, machine or unsure"),
        text("truth", "person for a document, machine for a generated abstract, empty where nobody knows"),
        time("guessed_at", "when it was stored", "created_at"),
        flag("counted", "whether the figures in authorship.json rest on this row"),
    ]


def _study(study: UUID) -> Column:
    return Column("study", "UUID", "public identifier of the study", lambda row: str(study))


def _rater(
    pseudonyms: Pseudonyms,
    name: str = "rater",
    meaning: str = "pseudonym of the reviewer, the same in all files of this export",
) -> Column:
    def cell(row: Row) -> str:
        return "" if row["person"] is None else pseudonyms.of(row["person"])

    return Column(name, "text", meaning, cell)


def _batch(row: Row) -> str:
    return "" if row["batch_id"] is None else str(row["batch_id"])


def _prompt(row: Row) -> str:
    return csv_text(None if row["prompt"] is None else f"{row['prompt']}.{row['prompt_version']}")


def _prompt_sha256(row: Row) -> str:
    if row["prompt"] is None:
        return ""
    return Prompt(system=row["prompt_system"], template=row["prompt_template"]).sha256


def _undefined(row: Row) -> str:
    reasons = {**decoded(row["undefined_metrics"]), **decoded(row["undefined_areas"])}
    return json.dumps(reasons, sort_keys=True, ensure_ascii=False) if reasons else ""
