"""The texts of a draft: drawn from a batch, from an uploaded file, or from a corpus as human-written controls."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import cycle

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext

from corpora.models import Corpus, Document, Retrieved, Text
from evaluation.errors import StudyError, UploadError
from evaluation.models import Expectation, Item, Level, Study
from evaluation.services.studies import lock_draft
from evaluation.uploads import TextRow
from generation.models import Abstract, Batch

__all__ = ["add_items_from_batch", "add_items_from_corpus", "add_items_from_rows", "remove_items"]


@transaction.atomic
def add_items_from_rows(*, study: Study, rows: Sequence[TextRow]) -> int:
    """Add uploaded texts, all or none."""
    study = lock_draft(study=study)
    taken = set(
        study.items.filter(external_id__in=[row.external_id for row in rows]).values_list("external_id", flat=True)
    )
    if taken:
        names = ", ".join(sorted(taken)[:5])
        raise StudyError(f"The study already has texts with these ids: {names}. Rename them in the file.")
    expected = _expected(study, rows)
    texts = Text.objects.intern([row.text for row in rows])
    items = [
        Item(
            external_id=row.external_id,
            question=row.question,
            text_id=texts[row.text],
            stratum="upload",
            kind=row.kind,
            feedback=row.feedback,
        )
        for row in rows
    ]
    added = _append(study, items)
    Expectation.objects.bulk_create(
        Expectation(item=item, criterion_id=criterion, level_id=level)
        for item, levels in zip(items, expected, strict=True)
        for criterion, level in levels
    )
    return added


@transaction.atomic
def add_items_from_batch(*, study: Study, batch: Batch, count: int, seed: int = 0) -> int:
    """Draw `count` distinct texts of a batch, as evenly over its cells as they allow; the same seed draws the same."""
    study = lock_draft(study=study)
    used = set(study.items.values_list("text_id", flat=True))
    by_cell: dict[int, list[tuple[int, int]]] = defaultdict(list)
    abstracts = Abstract.objects.filter(run__cell__batch=batch).order_by("run__cell_id", "run__iteration")
    for pk, text_id, cell in abstracts.values_list("pk", "text_id", "run__cell_id"):
        by_cell[cell].append((pk, text_id))
    drawn = _draw_evenly(by_cell, count=count, seed=seed, used=used)
    if len(drawn) < count:
        raise StudyError(f"“{batch.name}” has {_left(len(drawn), 'different text')} not in the study yet, not {count}.")
    chosen = Abstract.objects.select_related("run__cell").in_bulk(drawn)
    return _append(study, (_item_of(chosen[pk]) for pk in drawn))


@transaction.atomic
def add_items_from_corpus(*, study: Study, corpus: Corpus, count: int, seed: int = 0) -> int:
    """Mix in `count` documents as human-written controls, under the questions that the study's other texts answer.

    Documents that were retrieved for a question come first under it, so that a control fits its question.
    """
    study = lock_draft(study=study)
    used = set(study.items.values_list("text_id", flat=True))
    counted: Counter[str] = Counter(study.items.exclude(question="").values_list("question", flat=True))
    questions = [question for question, _ in counted.most_common()] or [""]
    generator = random.Random(seed)  # noqa: S311
    spare = list(Document.objects.filter(corpus=corpus).order_by("pk").values_list("pk", "text_id"))
    generator.shuffle(spare)
    fitting: dict[str, list[tuple[int, int]]] = {question: [] for question in questions}
    lists = Retrieved.objects.filter(document__corpus=corpus, retrieval__query__in=questions)
    for question, pk, text_id in lists.order_by("pk").values_list("retrieval__query", "document_id", "text_id"):
        fitting[question].append((pk, text_id))
    for documents in fitting.values():
        generator.shuffle(documents)
        documents.extend(spare)
    drawn: list[tuple[int, str]] = []
    sources = {question: iter(documents) for question, documents in fitting.items()}
    for question in cycle(questions):
        document = next(((pk, text_id) for pk, text_id in sources[question] if text_id not in used), None)
        if document is None or len(drawn) == count:
            break
        used.add(document[1])
        drawn.append((document[0], question))
    if len(drawn) < count:
        raise StudyError(f"“{corpus.name}” has {_left(len(drawn), 'document')} not in the study yet, not {count}.")
    chosen = Document.objects.in_bulk([pk for pk, _ in drawn])
    return _append(
        study,
        (
            Item(
                external_id=f"document-{pk}",
                question=question,
                text_id=chosen[pk].text_id,
                document=chosen[pk],
                stratum=f"corpus:{corpus.pk}",
            )
            for pk, question in drawn
        ),
    )


@transaction.atomic
def remove_items(*, study: Study) -> int:
    """Empty a draft."""
    return lock_draft(study=study).items.all().delete()[0]


def _expected(study: Study, rows: Sequence[TextRow]) -> list[list[tuple[int, int]]]:
    """(criterion, level) of each row's expected levels, named by value or label; UploadError lists those unknown."""
    if not any(row.expected for row in rows):
        return [[] for _row in rows]
    scales: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    known: dict[str, list[str]] = defaultdict(list)
    for level in Level.objects.filter(criterion__study=study).select_related("criterion").order_by("index"):
        for name in (level.value, level.label):
            scales[level.criterion.key][name.casefold()] = (level.criterion_id, level.pk)
        known[level.criterion.key].append(level.label)
    found: list[list[tuple[int, int]]] = []
    problems: list[str] = []
    for row in rows:
        levels = []
        for key, name in row.expected:
            if key not in scales:
                problems.append(
                    gettext("{id}: no criterion with levels has the key “{key}”. There are: {keys}.").format(
                        id=row.external_id, key=key, keys=", ".join(scales) or gettext("none")
                    )
                )
            elif (step := scales[key].get(name.casefold())) is None:
                problems.append(
                    gettext("{id}: “{level}” is no level of {key}. Its levels are: {levels}.").format(
                        id=row.external_id, level=name, key=key, levels=", ".join(known[key])
                    )
                )
            else:
                levels.append(step)
        found.append(levels)
    if problems:
        raise UploadError(problems)
    return found


def _left(count: int, noun: str) -> str:
    return f"1 {noun} that is" if count == 1 else f"{count} {noun}s that are"


def _draw_evenly(by_cell: dict[int, list[tuple[int, int]]], *, count: int, seed: int, used: set[int]) -> list[int]:
    """Keys of abstracts, one from each cell in turn, no text twice."""
    generator = random.Random(seed)  # noqa: S311
    cells = sorted(by_cell)
    generator.shuffle(cells)
    waiting = {cell: generator.sample(by_cell[cell], len(by_cell[cell])) for cell in cells}
    drawn: list[int] = []
    while len(drawn) < count and any(waiting.values()):
        for cell in cells:
            while waiting[cell] and waiting[cell][-1][1] in used:
                waiting[cell].pop()
            if waiting[cell] and len(drawn) < count:
                pk, text_id = waiting[cell].pop()
                used.add(text_id)
                drawn.append(pk)
    return drawn


def _item_of(abstract: Abstract) -> Item:
    cell = abstract.run.cell
    return Item(
        external_id=f"batch-{cell.batch_id}-cell-{cell.pk}-run-{abstract.run.iteration}",
        question=cell.query,
        text_id=abstract.text_id,
        abstract=abstract,
        stratum=f"cell:{cell.pk}",
    )


def _append(study: Study, items: Iterable[Item]) -> int:
    last = study.items.aggregate(last=Max("position"))["last"] or 0
    rows = list(items)
    for position, item in enumerate(rows, start=last + 1):
        item.study, item.position = study, position
    Item.objects.bulk_create(rows, batch_size=1000)
    return len(rows)
