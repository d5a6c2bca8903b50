"""Human-written controls: documents of a corpus, mixed in under the questions that the other texts answer."""

import random
from collections import Counter
from itertools import cycle
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corpora.models import Corpus, Document, Retrieved
from evaluation.errors import StudyError
from evaluation.models import Item, Study
from evaluation.services.appending import append_items, note_draw
from evaluation.services.drafts import lock_draft

__all__ = ["add_items_from_corpus"]

MOST_PERCENT = 90


@transaction.atomic
def add_items_from_corpus(
    *, study: Study, corpus: Corpus, count: int | None = None, percent: int | None = None, seed: int = 0
) -> dict[str, Any]:
    """Mix in `count` documents, or as many as make `percent` of the rated texts human-written.

    They are spread evenly over the questions; documents that were retrieved for a question come first under it, so
    that a control fits its question. Returns the note of the draw that is kept with the study.
    """
    study = lock_draft(study=study)
    count = _wanted(study, percent) if count is None and percent is not None else count or 0
    used = set(study.items.values_list("text_id", flat=True))
    rated = study.items.filter(kind=Item.Kind.RATED).exclude(question="")
    counted: Counter[str] = Counter(rated.values_list("question", flat=True))
    questions = [question for question, _number in counted.most_common()] or [""]
    generator = random.Random(seed)  # noqa: S311
    spare = list(Document.objects.filter(corpus=corpus).order_by("pk").values_list("pk", "text_id"))
    generator.shuffle(spare)
    fitting: dict[str, list[tuple[int, int]]] = {question: [] for question in questions}
    lists = Retrieved.objects.filter(document__corpus=corpus, retrieval__query__in=questions)
    for question, pk, text_id in lists.order_by("pk").values_list("retrieval__query", "document_id", "text_id"):
        fitting[question].append((pk, text_id))
    matched = {question: {pk for pk, _text in documents} for question, documents in fitting.items()}
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
        left = ngettext("1 document that is", "{count} documents that are", len(drawn)).format(count=len(drawn))
        raise StudyError(
            _("“{corpus}” has {left} not in the study yet, not {wanted}.").format(
                corpus=corpus.name, left=left, wanted=count
            )
        )
    chosen = Document.objects.in_bulk([pk for pk, _question in drawn])
    append_items(
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
    note = {
        "source": "corpus",
        "corpus": corpus.pk,
        "name": corpus.name,
        "count": count,
        "seed": seed,
        "questions": len(questions),
        "matched": sum(pk in matched[question] for pk, question in drawn),
    }
    return note_draw(study, note | ({"percent": percent} if percent is not None else {}))


def _wanted(study: Study, percent: int) -> int:
    """How many more controls make `percent` of the rated texts documents."""
    if not 1 <= percent <= MOST_PERCENT:
        raise StudyError(_("Controls can make up 1 to {most} percent of the texts.").format(most=MOST_PERCENT))
    rated = study.items.filter(kind=Item.Kind.RATED)
    have = rated.filter(document__isnull=False).count()
    others = rated.count() - have
    if not others:
        raise StudyError(_("There is no text yet of which controls could be a share. Add those first."))
    wanted = max(1, round(percent * others / (100 - percent))) - have
    if wanted < 1:
        raise StudyError(
            _("{have} of the {all} texts are controls already: {percent} percent or more.").format(
                have=have, all=others + have, percent=percent
            )
        )
    return wanted
