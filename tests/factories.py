"""Rows for tests: plain functions with keyword arguments and sensible defaults, real services where one exists."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts.models import User
from corpora.models import Corpus, Document, EmbeddingModel, Retrieval, Retrieved, Text
from evaluation.models import Criterion, Item, Level, Membership, Rating, Slot, Study, Submission
from evaluation.rubrics import TEMPLATES, CriterionSpec
from generation.models import Abstract, Batch, Cell, LanguageModel, Prompt, Run
from leases.models import Leased, State


def make_user(*, username: str = "rita", **fields: Any) -> User:
    return User.objects.create_user(username=username, password=fields.pop("password", "a long password"), **fields)


def make_researcher(*, username: str = "renata", **fields: Any) -> User:
    return make_user(username=username, is_staff=True, **fields)


def make_text(body: str = "Flotation separates minerals by their surfaces.") -> Text:
    return Text.objects.get_or_create(sha256=Text.digest(body), body=body)[0]


def make_corpus(*, name: str = "Tailings", bodies: list[str] | None = None) -> Corpus:
    """A corpus with one document for each body."""
    corpus = Corpus.objects.create(name=name)
    for number, body in enumerate(bodies or ["Thickened tailings settle slowly."], start=1):
        Document.objects.create(
            corpus=corpus,
            text=make_text(body),
            title=f"Document {number}",
            doi=f"10.5555/test.{number}",
            row_number=number,
        )
    return corpus


def make_embedding_model(*, key: str = "test", dimensions: int = 8, backend: str = "wordllama") -> EmbeddingModel:
    return EmbeddingModel.objects.get_or_create(
        key=key, revision="1", defaults={"backend": backend, "name": key, "dimensions": dimensions}
    )[0]


def expire(row: Leased) -> None:
    """Let the lease of a row run out, as if its worker had died a while ago."""
    table = connection.ops.quote_name(row._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET lease_expires_at = clock_timestamp() - interval '1 s' WHERE id = %s",  # noqa: S608
            [row.pk],
        )


def make_retrieval(
    *, corpus: Corpus | None = None, model: EmbeddingModel | None = None, query: str = "How do tailings settle?"
) -> Retrieval:
    """A finished retrieval of all documents of a corpus, in the order of their keys, less similar by rank."""
    corpus = corpus or make_corpus()
    documents = list(corpus.documents.order_by("pk"))
    retrieval = Retrieval.objects.create(
        corpus=corpus,
        model=model or make_embedding_model(),
        query=query,
        top_n=len(documents),
        seconds=0.01,
        state=State.DONE,
    )
    Retrieved.objects.bulk_create(
        Retrieved(
            retrieval=retrieval,
            rank=rank,
            similarity=0.9 / rank,
            document=document,
            text_id=document.text_id,
        )
        for rank, document in enumerate(documents, start=1)
    )
    return retrieval


def make_prompt(*, key: str = "zero-shot", version: int = 1) -> Prompt:
    template = "Question: {query}\n\n{abstracts}\n\nWrite an abstract."
    return Prompt.objects.get_or_create(key=key, version=version, defaults={"name": key, "template": template})[0]


def make_language_model(*, key: str = "extractive", backend: str = "extractive") -> LanguageModel:
    return LanguageModel.objects.get_or_create(key=key, revision="1", defaults={"backend": backend, "name": key})[0]


def make_batch(*, name: str = "Settling", corpus: Corpus | None = None, **fields: Any) -> Batch:
    """A launched batch without cells."""
    fields = {"state": Batch.State.LAUNCHED, "launched_at": timezone.now(), "iterations": 3} | fields
    return Batch.objects.create(name=name, corpus=corpus or make_corpus(), **fields)


def make_cell(*, batch: Batch | None = None, retrieval: Retrieval | None = None, **fields: Any) -> Cell:
    """A cell whose retrieval is done; its temperature tells cells of one batch apart."""
    batch = batch or make_batch(corpus=retrieval.corpus if retrieval else None)
    retrieval = retrieval or make_retrieval(corpus=batch.corpus)
    defaults = {
        "language_model": fields.pop("language_model", None) or make_language_model(),
        "prompt": fields.pop("prompt", None) or make_prompt(),
        "embedding_model": retrieval.model,
        "temperature": "0.100",
        "query": retrieval.query,
    }
    return Cell.objects.create(batch=batch, retrieval=retrieval, **(defaults | fields))


def make_abstract(
    *,
    body: str = "Thickened tailings settle slowly, and the water that they release can be used again.",
    cell: Cell | None = None,
    iteration: int | None = None,
) -> Abstract:
    """What the next run of a cell wrote, with the run done."""
    cell = cell or make_cell()
    number = iteration or cell.runs.count() + 1
    run = Run.objects.create(
        cell=cell, iteration=number, seed=number, state=State.DONE, attempts=1, finished_at=timezone.now()
    )
    return Abstract.objects.create(
        run=run, text=make_text(body), raw_output=body, provenance={"backend": cell.language_model.backend}
    )


LEVELS = ("low", "medium", "high")
CRITERIA = ("meaningfulness", "importance")


def make_study(
    *,
    title: str = "Tailings abstracts",
    texts: Sequence[str] = ("Dry stacks drain.", "Paste backfill gains strength.", "Wet ponds hold water."),
    criteria: Sequence[str] = CRITERIA,
    levels: Sequence[str] = LEVELS,
    abstracts: Sequence[Abstract] = (),
    questions: Sequence[str] = (),
    state: str = Study.State.OPEN,
    **fields: Any,
) -> Study:
    """A study of these texts and abstracts, launched (and so frozen) unless `state` is draft.

    The items take turns at the questions.
    """
    study = Study.objects.create(title=title, **({"agreement_from": 0} | fields))
    for position, key in enumerate(criteria, start=1):
        criterion = Criterion.objects.create(study=study, position=position, key=key, name=key.capitalize())
        Level.objects.bulk_create(
            Level(criterion=criterion, index=index, value=value, label=value.capitalize())
            for index, value in enumerate(levels)
        )
    sources = [(make_text(body), None) for body in texts] + [(abstract.text, abstract) for abstract in abstracts]
    Item.objects.bulk_create(
        Item(
            study=study,
            position=position,
            external_id=f"S{position:03}",
            question=questions[position % len(questions)] if questions else "",
            text=text,
            abstract=abstract,
        )
        for position, (text, abstract) in enumerate(sources, start=1)
    )
    if state != Study.State.DRAFT:
        study.state, study.frozen_sha256, study.launched_at = state, "0" * 64, timezone.now()
        study.closed_at = timezone.now() if state == Study.State.CLOSED else None
        study.save()
    return study


def make_slot(*, item: Item, reviewer: User, state: str = Slot.State.RATED, **fields: Any) -> Slot:
    """A slot of a reviewer, in the next free seat where its state holds one."""
    others = Slot.objects.filter(item=item, pass_number=fields.get("pass_number", 0), seat__isnull=False)
    seated = {"seat": others.count()} if state in Slot.SEATED else {}
    claimed = {"lease_expires_at": timezone.now()} if state == Slot.State.CLAIMED else {}
    answered = {"answered_at": timezone.now()} if state in {Slot.State.RATED, Slot.State.SURPLUS} else {}
    position = Slot.objects.filter(item__study=item.study, reviewer=reviewer).count() + 1
    defaults = {"position": position} | seated | claimed | answered
    return Slot.objects.create(item=item, reviewer=reviewer, state=state, **(defaults | fields))


def rate(*, slot: Slot, **values: str) -> list[Rating]:
    """Store the next revision of a slot's ratings: `rate(slot=slot, meaningfulness="high")`."""
    submission = Submission.objects.create(key=uuid.uuid4(), slot=slot)
    stored = []
    for key, value in values.items():
        level = Level.objects.get(criterion__study=slot.item.study, criterion__key=key, value=value)
        revision = slot.ratings.filter(criterion=level.criterion).count() + 1
        stored.append(
            Rating.objects.create(
                slot=slot, criterion=level.criterion, level=level, revision=revision, submission=submission
            )
        )
    return stored


def make_rated_study(*, answers: dict[str, Sequence[Sequence[str | None]]], **fields: Any) -> Study:
    """A study whose reviewers R1, R2, … answered; `answers` holds for each criterion a row an item, a value a reviewer.

    None leaves the criterion without a rating; a reviewer without any value at an item gets no slot there.
    """
    rows = len(next(iter(answers.values())))
    raters = len(next(iter(answers.values()))[0])
    fields = {
        "texts": [f"Text {number} on tailings." for number in range(1, rows + 1)],
        "criteria": tuple(answers),
        "raters_per_item": raters,
    } | fields
    closed = fields.pop("state", Study.State.OPEN) == Study.State.CLOSED
    study = make_study(**fields)
    reviewers = [make_user(username=f"reviewer-{study.pk}-{number}") for number in range(1, raters + 1)]
    Membership.objects.bulk_create(Membership(study=study, user=user, role="reviewer") for user in reviewers)
    for row, item in enumerate(study.items.order_by("position")):
        for column, reviewer in enumerate(reviewers):
            given = {key: answers[key][row][column] for key in answers if answers[key][row][column] is not None}
            if given:
                rate(slot=make_slot(item=item, reviewer=reviewer), **given)
    if closed:
        study.state, study.closed_at = Study.State.CLOSED, timezone.now()
        study.save()
    return study


def make_open_study(
    *,
    texts: int | Sequence[str] = 3,
    reviewers: int = 0,
    raters_per_item: int = 2,
    practice: int = 0,
    attention: int = 0,
    open_criteria: bool = False,
    anchors: bool = False,
    state: str = Study.State.OPEN,
    **fields: Any,
) -> tuple[Study, list[User]]:
    """A study launched by the real services, and reviewers who came by invitation.

    Texts are T1, T2, …; practice texts P1, … and attention checks A1, … both expect the highest level everywhere, and
    practice has feedback. `open_criteria` adds a required number (`novelty`, 0 to 100) and optional words (`gaps`) to
    the two criteria with levels, which come without examples unless `anchors` is set. Other fields are those of
    `create_study`: `asks_confidence=True`, `repeats=2`, `repeat_distance=1`, `consent="…"`, `criteria=…`. The state may
    be draft or closed too.
    """
    from evaluation.services.items import add_items_from_rows
    from evaluation.services.studies import close_study, create_study, launch_study
    from evaluation.uploads import TextRow

    bodies = [f"Text {number} on tailings." for number in range(1, texts + 1)] if isinstance(texts, int) else texts
    criteria = fields.pop("criteria", None) or make_criteria(open_criteria=open_criteria, anchors=anchors)
    study = create_study(
        title=fields.pop("title", "Tailings"), raters_per_item=raters_per_item, criteria=criteria, **fields
    )
    highest = tuple((one.key, one.levels[-1].value) for one in criteria if one.levels)
    rows = [TextRow(f"T{number}", f"Question {number % 3}?", body) for number, body in enumerate(bodies, start=1)]
    rows += [
        TextRow(f"P{number}", "Why practise?", f"Practice text {number}.", "practice", f"Feedback {number}.", highest)
        for number in range(1, practice + 1)
    ]
    rows += [
        TextRow(f"A{number}", "Attention?", f"Choose the highest levels, time {number}.", "attention", "", highest)
        for number in range(1, attention + 1)
    ]
    add_items_from_rows(study=study, rows=rows)
    if state != Study.State.DRAFT:
        study = launch_study(study=study)
    people = [make_reviewer(study=study, name=f"Reviewer {number}") for number in range(1, reviewers + 1)]
    return close_study(study=study) if state == Study.State.CLOSED else study, people


def make_criteria(*, open_criteria: bool = False, anchors: bool = False) -> tuple[CriterionSpec, ...]:
    """The paper's two criteria, without their examples unless wanted, and with a number and words if wanted."""
    criteria = (
        TEMPLATES
        if anchors
        else tuple(replace(one, levels=tuple(replace(level, anchors=()) for level in one.levels)) for one in TEMPLATES)
    )
    number = CriterionSpec("novelty", "Novelty", kind="number", minimum=0, maximum=100)
    words = CriterionSpec("gaps", "Gaps", kind="words", is_required=False)
    return (*criteria, number, words) if open_criteria else criteria


def make_reviewer(*, study: Study, name: str = "Rita Rater", quota: int | None = None) -> User:
    from evaluation.invitees import Invitee
    from evaluation.services.invitations import accept_invitation, invite

    (invitation,) = invite(study=study, people=[Invitee(name)], quota=quota)
    return accept_invitation(invitation=invitation)
