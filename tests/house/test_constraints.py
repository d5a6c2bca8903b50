"""The rules that the database itself keeps: each is broken here once, by name, and must refuse."""

import uuid
from collections.abc import Callable, Iterator
from copy import copy
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.db.models.functions import Now

from accounts.models import ApiToken
from corpora.models import CorpusImport, Document, Embedding, EmbeddingJob, Text
from evaluation.models import (
    Adjudication,
    Anchor,
    AuthorshipGuess,
    Comment,
    Confidence,
    Conflict,
    Criterion,
    Event,
    Expectation,
    Export,
    Highlight,
    Invitation,
    Item,
    Level,
    Membership,
    OpenAnswer,
    Opening,
    Rating,
    Slot,
    Study,
    Submission,
)
from graphs.models import NullChunk, NullComparison, Profile, ReferenceRange, Score, ScoreSettings, ScoringJob
from leases.models import Leased
from tests.factories import make_abstract, make_text, make_user

OURS = {"accounts", "corpora", "generation", "graphs", "evaluation"}
SHA = "a" * 64

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: Any) -> Iterator[SimpleNamespace]:
    """The world, built once in a transaction that is rolled back in the end."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield build_world()
        transaction.set_rollback(True)


@pytest.fixture
def world(built: SimpleNamespace) -> Iterator[SimpleNamespace]:
    """The world, as it was built: what a test does to it is undone."""
    with transaction.atomic():
        yield built
        transaction.set_rollback(True)


def build_world() -> SimpleNamespace:
    """One row of every table, joined up as in real life: a launched study with one rating."""
    w = SimpleNamespace()
    w.user, w.other = make_user(), make_user(username="otto")
    w.token = ApiToken.objects.create(user=w.user, name="script", digest=SHA)
    w.abstract = make_abstract()
    w.run, w.text = w.abstract.run, w.abstract.text
    w.cell = w.run.cell
    w.batch, w.prompt, w.language_model = w.cell.batch, w.cell.prompt, w.cell.language_model
    w.corpus, w.embedding_model, w.retrieval = w.batch.corpus, w.cell.embedding_model, w.cell.retrieval
    w.retrieved = w.retrieval.retrieved.first()
    w.document = w.retrieved.document
    w.embedding, _ = Embedding.objects.get_or_create(
        document=w.document, model=w.embedding_model, defaults={"vector": [0.5] * w.embedding_model.dimensions}
    )
    w.embedding_job = EmbeddingJob.objects.create(corpus=w.corpus, model=w.embedding_model)
    w.corpus_import = CorpusImport.objects.create(corpus=w.corpus, file="x.csv", file_name="x.csv", sha256=SHA)
    w.settings = ScoreSettings.objects.create(sha256=SHA, settings={})
    w.score = Score.objects.create(text=w.text, settings=w.settings, tokens=3, nodes=3, edges=3, components=1)
    w.scoring_job = ScoringJob.objects.create(settings=w.settings, text_ids=[w.text.pk])
    w.profile = Profile.objects.create(
        abstract=w.abstract, settings=w.settings, retrieval=w.retrieval, references=1, differences={}
    )
    w.nulls = NullComparison.objects.create(text=w.text, settings=w.settings, null_model="shuffle", draws=10)
    w.null_chunk = NullChunk.objects.create(comparison=w.nulls, start=0, stop=10)
    w.range = ReferenceRange.objects.create(corpus=w.corpus, settings=w.settings, texts=2, axes={})
    w.study = Study.objects.create(title="Tailings")
    w.criterion = Criterion.objects.create(study=w.study, position=0, key="meaningfulness", name="Meaningfulness")
    w.criterion_2 = Criterion.objects.create(study=w.study, position=1, key="importance", name="Importance")
    w.low = Level.objects.create(criterion=w.criterion, index=0, value="low", label="Low")
    w.high = Level.objects.create(criterion=w.criterion, index=1, value="high", label="High")
    w.low_2 = Level.objects.create(criterion=w.criterion_2, index=0, value="low", label="Low")
    w.item = Item.objects.create(study=w.study, position=0, external_id="a", text=w.text, abstract=w.abstract)
    w.item_2 = Item.objects.create(study=w.study, position=1, external_id="b", text=make_text("A second text."))
    w.membership = Membership.objects.create(study=w.study, user=w.user, role="reviewer")
    w.invitation = Invitation.objects.create(study=w.study, name="R", email="r@example.org", expires_at=Now())
    w.export = Export.objects.create(study=w.study, salt="s")
    w.draft = Study.objects.create(title="Draft")
    w.draft_criterion = Criterion.objects.create(study=w.draft, position=0, key="style", name="Style")
    w.draft_level = Level.objects.create(criterion=w.draft_criterion, index=0, value="low", label="Low")
    w.draft_item = Item.objects.create(study=w.draft, position=0, external_id="a", text=w.text)
    w.draft_level_2 = Level.objects.create(criterion=w.draft_criterion, index=1, value="high", label="High")
    w.draft_other = Criterion.objects.create(study=w.draft, position=1, key="tone", name="Tone")
    w.draft_anchor = Anchor.objects.create(level=w.draft_level, position=1, body="Too short.")
    w.draft_expectation = Expectation.objects.create(
        item=w.draft_item, criterion=w.draft_criterion, level=w.draft_level
    )
    w.anchor = Anchor.objects.create(level=w.low, position=1, body="Nothing of substance.")
    w.practice = Item.objects.create(study=w.study, position=2, external_id="p", text=make_text("P."), kind="practice")
    w.expectation = Expectation.objects.create(item=w.practice, criterion=w.criterion, level=w.low)
    Study.objects.filter(pk=w.study.pk).update(state="open", frozen_sha256=SHA)
    w.slot = Slot.objects.create(item=w.item, seat=0, reviewer=w.user, state="rated", position=1)
    w.submission = Submission.objects.create(key=uuid.uuid4(), slot=w.slot)
    w.rating = Rating.objects.create(slot=w.slot, criterion=w.criterion, level=w.low, submission=w.submission)
    w.opening = Opening.objects.create(study=w.study, item=w.item_2, seat=0, ring=1)
    w.comment = Comment.objects.create(slot=w.slot, body="Clear.")
    given = {"slot": w.slot, "submission": w.submission}
    w.open_answer = OpenAnswer.objects.create(**given, criterion=w.criterion_2, words="Sound.")
    w.confidence = Confidence.objects.create(**given, value=3)
    w.highlight = Highlight.objects.create(**given, criterion=w.criterion, spans=[[0, 5]])
    w.guess = AuthorshipGuess.objects.create(item=w.item, reviewer=w.user, guess="machine")
    w.adjudication = Adjudication.objects.create(item=w.item, criterion=w.criterion, level=w.low)
    w.conflict = Conflict.objects.create(user=w.other, item=w.item)
    w.event = Event.objects.create(study=w.study, actor=w.other, kind="agreement-opened")
    return w


def again(row: models.Model, **changes: Any) -> None:
    """Insert the row a second time, with these changes."""
    duplicate = copy(row)
    duplicate.pk, duplicate._state = None, copy(row._state)
    duplicate._state.adding = True
    if any(field.name == "public_id" for field in row._meta.fields) and "public_id" not in changes:
        changes["public_id"] = uuid.uuid4()
    for name, value in changes.items():
        setattr(duplicate, name, value)
    duplicate.save(force_insert=True)


def update(row: models.Model, **changes: Any) -> None:
    type(row)._base_manager.filter(pk=row.pk).update(**changes)


Breaker = Callable[[SimpleNamespace], Any]
BREAKERS: dict[str, Breaker] = {
    "user_email_once": lambda w: (update(w.user, email="a@example.org"), update(w.other, email="A@example.org")),
    "api_token_digest_is_sha256": lambda w: update(w.token, digest="plain"),
    "user_erased_is_nobody": lambda w: update(w.user, erased_at=Now(), first_name="Rita"),
    "text_sha256_is_sha256": lambda w: Text.objects.create(sha256="short", body="x"),
    "text_not_empty": lambda w: Text.objects.create(sha256="b" * 64, body=""),
    "document_doi_once_in_corpus": lambda w: again(w.document),
    "embedding_model_revision_once": lambda w: again(w.embedding_model),
    "embedding_model_indexable": lambda w: update(w.embedding_model, dimensions=2001),
    "embedding_once": lambda w: again(w.embedding),
    "embedding_job_one_active": lambda w: again(w.embedding_job),
    "retrieval_top_n_range": lambda w: update(w.retrieval, top_n=0),
    "retrieval_has_query": lambda w: update(w.retrieval, query=""),
    "retrieved_rank_once": lambda w: again(
        w.retrieved, document=Document.objects.create(corpus=w.corpus, text=w.text, title="x")
    ),
    "retrieved_document_once": lambda w: again(w.retrieved, rank=99),
    "retrieved_rank_from_one": lambda w: again(w.retrieved, rank=0),
    "retrieved_similarity_range": lambda w: again(w.retrieved, similarity=float("nan")),
    "prompt_version_once": lambda w: again(w.prompt),
    "prompt_has_fields": lambda w: again(w.prompt, version=9, template="no fields"),
    "language_model_revision_once": lambda w: again(w.language_model),
    "batch_state_known": lambda w: update(w.batch, state="lost"),
    "batch_iterations_range": lambda w: update(w.batch, iterations=0),
    "batch_top_n_range": lambda w: update(w.batch, top_n=101),
    "batch_max_new_tokens_range": lambda w: update(w.batch, max_new_tokens=0),
    "cell_once": lambda w: again(w.cell),
    "cell_temperature_range": lambda w: update(w.cell, temperature="2.001"),
    "cell_has_query": lambda w: update(w.cell, query=""),
    "run_iteration_once": lambda w: again(w.run),
    "run_iteration_from_one": lambda w: update(w.run, iteration=0),
    "score_once": lambda w: again(w.score),
    "score_metrics_finite": lambda w: update(w.score, spectral_gap=float("nan")),
    "profile_once": lambda w: again(w.profile),
    "profile_areas_finite": lambda w: update(w.profile, area_new=float("inf")),
    "profile_has_references": lambda w: update(w.profile, references=0),
    "null_comparison_once": lambda w: again(w.nulls),
    "null_comparison_has_draws": lambda w: update(w.nulls, draws=0),
    "null_comparison_whole_or_nothing": lambda w: update(w.nulls, finished_at=Now()),
    "null_chunk_once": lambda w: again(w.null_chunk),
    "null_chunk_not_empty": lambda w: update(w.null_chunk, stop=0),
    "reference_range_of_two_texts": lambda w: update(w.range, texts=1),
    "study_state_known": lambda w: update(w.study, state="lost"),
    "study_raters_per_item_range": lambda w: update(w.draft, raters_per_item=0),
    "study_lease_range": lambda w: update(w.study, lease_minutes=0),
    "study_frozen_once_launched": lambda w: update(w.draft, state="open"),
    "study_not_own_successor": lambda w: update(w.draft, supersedes=w.draft),
    "study_agreement_from_percent": lambda w: update(w.draft, agreement_from=101),
    "study_attention_every_from_one": lambda w: update(w.draft, attention_every=0),
    "criterion_kind_known": lambda w: update(w.draft_criterion, kind="lost"),
    "criterion_range_of_numbers": lambda w: update(w.draft_criterion, maximum=1),
    "criterion_range_in_order": lambda w: update(w.draft_criterion, kind="number", minimum=2, maximum=1),
    "criterion_key_once": lambda w: again(w.draft_criterion, position=7),
    "criterion_position_once": lambda w: (again(w.draft_criterion, key="other"), check_deferred()),
    "level_index_once": lambda w: again(w.draft_level, value="other"),
    "level_value_once": lambda w: again(w.draft_level, index=5),
    "level_index_range": lambda w: again(w.draft_level, value="other", index=11),
    "item_position_once": lambda w: again(w.draft_item, external_id="other"),
    "item_external_id_once": lambda w: again(w.draft_item, position=7),
    "item_at_most_one_source": lambda w: update(w.draft_item, abstract=w.abstract, document=w.document),
    "item_kind_known": lambda w: update(w.draft_item, kind="lost"),
    "anchor_position_once": lambda w: again(w.draft_anchor),
    "anchor_not_empty": lambda w: update(w.draft_anchor, body=""),
    "expectation_once": lambda w: again(w.draft_expectation),
    "export_format_known": lambda w: update(w.export, format="exe"),
    "export_done_has_file": lambda w: update(w.export, state="done"),
    "membership_once": lambda w: again(w.membership),
    "membership_role_known": lambda w: update(w.membership, role="god"),
    "membership_number_once": lambda w: again(w.membership, user=w.other, number=1),
    "membership_number_from_one": lambda w: update(w.membership, number=0),
    "membership_participant_once": lambda w: (
        update(w.membership, participant_id="5f"),
        Membership.objects.create(study=w.study, user=w.other, role="reviewer", participant_id="5f"),
    ),
    "membership_removal_says_how": lambda w: update(w.membership, removed_at=Now()),
    "membership_consent_names_text": lambda w: update(w.membership, consented_at=Now()),
    "invitation_email_once": lambda w: again(w.invitation),
    "invitation_kind_known": lambda w: update(w.invitation, kind="lost"),
    "invitation_to_the_studio_once": lambda w: update(w.invitation, role="manager"),
    "invitation_shared_is_nobodys": lambda w: update(w.invitation, kind="shared"),
    "invitation_uses_within": lambda w: update(w.invitation, most_uses=1, uses=2),
    "conflict_once": lambda w: again(w.conflict),
    "slot_seat_once": lambda w: again(w.slot, reviewer=w.other),
    "slot_reviewer_once_a_pass": lambda w: again(w.slot, seat=1),
    "slot_seat_follows_state": lambda w: update(w.slot, state="expired"),
    "slot_claimed_has_lease": lambda w: update(w.slot, state="claimed"),
    "opening_seat_once": lambda w: again(w.opening),
    "slot_seconds_finite": lambda w: update(w.slot, seconds_active=float("nan")),
    "rating_revision_once": lambda w: again(w.rating),
    "rating_revision_from_one": lambda w: again(w.rating, revision=0),
    "open_answer_revision_once": lambda w: again(w.open_answer),
    "open_answer_revision_from_one": lambda w: again(w.open_answer, revision=0),
    "open_answer_number_or_words": lambda w: again(w.open_answer, revision=2, number=3.5),
    "confidence_revision_once": lambda w: again(w.confidence),
    "confidence_revision_from_one": lambda w: again(w.confidence, revision=0),
    "confidence_value_range": lambda w: again(w.confidence, revision=2, value=6),
    "highlight_revision_once": lambda w: again(w.highlight),
    "highlight_revision_from_one": lambda w: again(w.highlight, revision=0),
    "guess_once": lambda w: again(w.guess),
    "guess_known": lambda w: update(w.guess, guess="lost"),
    "adjudication_revision_once": lambda w: again(w.adjudication),
    "adjudication_revision_from_one": lambda w: again(w.adjudication, revision=0),
    "comment_redacted_is_empty": lambda w: update(w.comment, redacted_at=Now()),
}
# level_of_criterion holds a unique id, so nothing can break it (it is a foreign key's target), and whatever breaks
# slot_state_known breaks slot_seat_follows_state first.
EXEMPT = {"level_of_criterion", "slot_state_known"}
LEASED = [model for model in apps.get_models() if issubclass(model, Leased)]


def delete_raw(row: models.Model) -> None:
    """Delete without Django's own checks: only the database is asked."""
    row_query = type(row)._base_manager.filter(pk=row.pk)
    row_query._raw_delete(row_query.db)


def check_deferred() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_every_declared_constraint_is_tried() -> None:
    declared = {
        constraint.name
        for model in apps.get_models()
        if model._meta.app_label in OURS
        for constraint in model._meta.constraints
    }
    of_leases = {
        f"{model.__name__.lower()}_{rule}" for model in LEASED for rule in ("state_known", "running_has_lease")
    }
    assert declared - of_leases - EXEMPT == set(BREAKERS)


@pytest.mark.parametrize("name", sorted(BREAKERS))
def test_the_database_refuses(world: SimpleNamespace, name: str) -> None:
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        BREAKERS[name](world)


@pytest.mark.parametrize("model", LEASED, ids=lambda model: model.__name__)
@pytest.mark.parametrize(
    ("rule", "changes"),
    [("state_known", {"state": "lost"}), ("running_has_lease", {"state": "running", "lease_expires_at": None})],
)
def test_every_queued_row_keeps_the_rules_of_its_lease(
    world: SimpleNamespace, model: type[models.Model], rule: str, changes: dict[str, Any]
) -> None:
    name = f"{model.__name__.lower()}_{rule}"
    row = model._default_manager.order_by("pk").first()
    assert row is not None
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        update(row, **changes)


TRIGGERS: dict[str, tuple[str, Breaker]] = {
    "a text changes": ("immutable", lambda w: update(w.text, body="Another text.")),
    "a retrieval list changes": ("frozen", lambda w: update(w.retrieved, rank=50)),
    "a prompt changes": ("frozen", lambda w: update(w.prompt, template="{query} {abstracts}!")),
    "a language model's options change": ("frozen", lambda w: update(w.language_model, options={"words": 90})),
    "a cell changes its retrieval": ("frozen", lambda w: update(w.cell, retrieval=None)),
    "an abstract changes": ("immutable", lambda w: update(w.abstract, raw_output="Another output.")),
    "a rating changes": ("append-only", lambda w: update(w.rating, level=w.high)),
    "a rating is deleted": ("append-only", lambda w: delete_raw(w.rating)),
    "a submission changes": ("append-only", lambda w: update(w.submission, created_at=Now())),
    "a submission is deleted": ("append-only", lambda w: delete_raw(w.submission)),
    "a level of another criterion is given": (
        "rating_level_of_criterion",
        lambda w: (again(w.rating, revision=2, level=w.low_2), check_deferred()),
    ),
    "a criterion of another study is rated": (
        "another study",
        lambda w: again(w.rating, criterion=w.draft_criterion, level=w.draft_level),
    ),
    "an open answer changes": ("append-only", lambda w: update(w.open_answer, words="Poor.")),
    "an open answer is deleted": ("append-only", lambda w: delete_raw(w.open_answer)),
    "a confidence changes": ("append-only", lambda w: update(w.confidence, value=5)),
    "a confidence is deleted": ("append-only", lambda w: delete_raw(w.confidence)),
    "a highlight changes": ("append-only", lambda w: update(w.highlight, spans=[])),
    "a highlight is deleted": ("append-only", lambda w: delete_raw(w.highlight)),
    "an adjudication changes": ("append-only", lambda w: update(w.adjudication, level=w.high)),
    "an adjudication is deleted": ("append-only", lambda w: delete_raw(w.adjudication)),
    "an event changes": ("stays on record", lambda w: update(w.event, kind="other")),
    "an event is deleted": ("stays on record", lambda w: delete_raw(w.event)),
    "an adjudication takes a level of another criterion": (
        "adjudication_level_of_criterion",
        lambda w: (again(w.adjudication, revision=2, level=w.low_2), check_deferred()),
    ),
    "an adjudication is of another study's criterion": (
        "another study",
        lambda w: again(w.adjudication, criterion=w.draft_criterion, level=w.draft_level),
    ),
    "an expected level is of another criterion": (
        "expectation_level_of_criterion",
        lambda w: (again(w.draft_expectation, criterion=w.draft_other), check_deferred()),
    ),
    "an expected level is of another study's criterion": (
        "another study",
        lambda w: again(w.draft_expectation, criterion=w.criterion, level=w.low),
    ),
    "an open answer is to another study's criterion": (
        "another study",
        lambda w: again(w.open_answer, criterion=w.draft_criterion),
    ),
    "a highlight is for another study's criterion": (
        "another study",
        lambda w: again(w.highlight, criterion=w.draft_criterion),
    ),
    "an example of a launched study changes": ("frozen", lambda w: update(w.anchor, body="More.")),
    "an example of a launched study is deleted": ("frozen", lambda w: delete_raw(w.anchor)),
    "an expected level of a launched study changes": ("frozen", lambda w: update(w.expectation, level=w.high)),
    "an expected level of a launched study is deleted": ("frozen", lambda w: delete_raw(w.expectation)),
    "a launched study changes its repeats": ("frozen", lambda w: update(w.study, repeats=3)),
    "a launched study begins to ask how sure": ("frozen", lambda w: update(w.study, asks_confidence=True)),
    "a launched study changes what is agreed to": ("frozen", lambda w: update(w.study, consent="More.")),
    "an item of a launched study changes": ("frozen", lambda w: update(w.item_2, question="Why?")),
    "an item joins a launched study": ("frozen", lambda w: again(w.item_2, position=9, external_id="z")),
    "an item leaves a launched study": ("frozen", lambda w: w.item_2.delete()),
    "a criterion of a launched study changes": ("frozen", lambda w: update(w.criterion, name="Other")),
    "a level of a launched study changes": ("frozen", lambda w: update(w.low, index=5)),
    "a level joins a launched study": ("frozen", lambda w: again(w.low, index=5, value="middle")),
    "a launched study becomes a draft": ("frozen", lambda w: update(w.study, state="draft")),
    "a launched study changes its raters an item": ("frozen", lambda w: update(w.study, raters_per_item=9)),
    "a seat goes beyond the raters an item": (
        "beyond its 2 raters",
        lambda w: again(w.slot, item=w.item_2, seat=2),
    ),
    "a seat is given in a draft": ("draft study", lambda w: again(w.slot, item=w.draft_item)),
    "a launched study changes its order": ("frozen", lambda w: update(w.study, order_seed=9)),
    "a launched study changes its hash": ("frozen", lambda w: update(w.study, frozen_sha256="c" * 64)),
}


@pytest.mark.parametrize("event", sorted(TRIGGERS))
def test_the_database_itself_refuses_when(world: SimpleNamespace, event: str) -> None:
    pattern, breaker = TRIGGERS[event]
    with pytest.raises(IntegrityError, match=pattern), transaction.atomic():
        breaker(world)


DELETIONS: dict[str, Breaker] = {
    "a text that is rated": lambda w: w.text.delete(),
    "a document that was retrieved": lambda w: w.document.delete(),
    "a corpus that was generated from": lambda w: w.corpus.delete(),
    "an embedding model in use": lambda w: w.embedding_model.delete(),
    "a language model in use": lambda w: w.language_model.delete(),
    "a run with its abstract": lambda w: w.run.delete(),
    "an abstract that is rated": lambda w: w.abstract.delete(),
    "a reviewer who rated": lambda w: w.user.delete(),
    "a slot that was rated": lambda w: w.slot.delete(),
    "a study with ratings": lambda w: w.study.delete(),
}


@pytest.mark.parametrize("what", sorted(DELETIONS))
def test_what_a_result_rests_on_cannot_be_deleted(world: SimpleNamespace, what: str) -> None:
    with pytest.raises((models.ProtectedError, IntegrityError)), transaction.atomic():
        DELETIONS[what](world)


def test_a_new_revision_is_welcome(world: SimpleNamespace) -> None:
    again(world.rating, revision=2, level=world.high)
    assert list(Rating.objects.order_by("revision").values_list("level__value", flat=True)) == ["low", "high"]


def test_people_are_numbered_as_they_come(world: SimpleNamespace) -> None:
    second = Membership.objects.create(study=world.study, user=world.other, role="reviewer")
    assert (world.membership.number, second.number) == (1, 2)
    assert Membership.objects.create(study=world.draft, user=world.other, role="owner").number == 1


def test_practice_has_a_seat_for_everyone(world: SimpleNamespace) -> None:
    again(world.slot, item=world.practice, seat=7, position=2)
    assert Slot.objects.filter(seat=7).exists()


def test_an_unrated_draft_can_be_deleted(world: SimpleNamespace) -> None:
    Study.objects.get(pk=world.draft.pk).delete()
    assert not Study.objects.filter(title="Draft").exists()


def test_rows_without_a_doi_may_stand_side_by_side(world: SimpleNamespace) -> None:
    for _ in range(2):
        Document.objects.create(corpus=world.corpus, text=world.text, title="No DOI")
    assert Document.objects.filter(title="No DOI").count() == 2


def test_the_classes_that_are_tried_are_all_there_are(world: SimpleNamespace) -> None:
    empty = [
        model.__name__
        for model in apps.get_models()
        if model._meta.app_label in OURS and not model._default_manager.exists()
    ]
    assert empty == []
