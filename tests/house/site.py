"""Every address of the site with the arguments of something that exists there."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from accounts.models import User
from corpora.models import CorpusImport, Embedding, EmbeddingJob
from corpora.services import register_packaged_models
from evaluation.invitees import Invitee
from evaluation.models import Export, Membership, Slot, Study
from evaluation.services.allocation import claim_next
from evaluation.services.invitations import accept_invitation, invitation_token, invite
from evaluation.services.items import add_items_from_rows
from evaluation.services.reminders import stop_url
from evaluation.services.studies import create_study
from evaluation.uploads import TextRow
from generation.services import register_language_models, register_prompts
from leases.models import State
from tests.evaluation.services.answers import answer
from tests.factories import (
    make_abstract,
    make_batch,
    make_cell,
    make_corpus,
    make_open_study,
    make_researcher,
    make_retrieval,
)

NOBODYS = {"UUIDConverter": uuid.UUID(int=7), "IntConverter": 7, "SlugConverter": "seven", "StringConverter": "seven"}


def routes() -> Iterator[tuple[str, URLPattern]]:
    """Every view of the site, by `namespace:name`; those of Django's admin are one piece of their own."""
    yield from _walk(get_resolver().url_patterns, "")


def _walk(patterns: list[Any], namespace: str) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from _walk(pattern.url_patterns, namespace + inner)
        else:
            yield namespace + (pattern.name or str(pattern.pattern)), pattern


@dataclass
class Site:
    """A site in which there is one of everything, and who meets it."""

    reviewer: User
    researcher: User
    study: Study
    draft: Study
    slot: Slot
    arguments: dict[str, dict[str, Any]] = field(default_factory=dict)

    def address(self, route: str) -> str:
        """Where the route leads; arguments that are not given above name something that is not there."""
        if route in self.arguments:
            return reverse(route, kwargs=self.arguments[route])
        converters = dict(routes())[route].pattern.converters
        values = {name: NOBODYS[type(converter).__name__] for name, converter in converters.items()}
        return reverse(route, kwargs=values)


def make_site() -> Site:
    researcher = make_researcher()
    corpus = make_corpus(bodies=["Tailings settle slowly in ponds.", "Dry stacks drain quickly."])
    model = register_packaged_models()[0]
    for document in corpus.documents.all():
        Embedding.objects.create(document=document, model=model, vector=[0.1] * model.dimensions)
    job = EmbeddingJob.objects.create(corpus=corpus, model=model, state=State.FAILED, error="no disk")
    read = CorpusImport.objects.create(
        corpus=corpus, file=ContentFile(b"x", "x.csv"), file_name="x.csv", sha256="0" * 64, state=State.FAILED
    )
    CorpusImport.objects.filter(pk=read.pk).update(problems=_stored("imports/problems.csv", b"row,reason\r\n"))
    retrieval = make_retrieval(corpus=corpus, model=model)
    register_language_models()
    register_prompts()
    batch = make_batch(corpus=corpus)
    abstract = make_abstract(cell=make_cell(batch=batch, retrieval=retrieval))
    study, (colleague,) = make_open_study(texts=4, reviewers=1, raters_per_item=3)
    (invitation,) = invite(study=study, people=[Invitee("Rita Rater", "rita@example.org")])
    (unused,) = invite(study=study, people=[Invitee("Kim")])
    reviewer = accept_invitation(invitation=invitation)
    for person in (colleague, reviewer):
        for _ in range(2):
            claimed = claim_next(study_id=study.pk, reviewer=person).slot
            assert claimed
            answer(claimed, person)
    current = claim_next(study_id=study.pk, reviewer=reviewer).slot
    export = Export.objects.create(
        study=study,
        salt="salt",
        state=State.DONE,
        sha256="0" * 64,
        finished_at=timezone.now(),
        file=_stored("exports/x.zip", b"PK"),
    )
    draft = create_study(title="Draft", raters_per_item=1)
    add_items_from_rows(study=draft, rows=[TextRow("T1", "Why?", "Since tailings settle.")])
    Study.objects.filter(pk=study.pk).update(allows_self_registration=True)
    site = Site(reviewer, researcher, study, draft, Slot.objects.get(public_id=current))
    of_slot, of_reviewer = {"slot_id": current}, {"study_id": study.public_id}
    of_batch, of_abstract = {"public_id": batch.public_id}, {"public_id": abstract.public_id}
    of_study = {"public_id": study.public_id}
    site.arguments = {
        "join": {"token": invitation_token(unused)},
        "join_study": of_reviewer,
        "consent": of_reviewer,
        "account_reset_password_from_key": {"uidb36": "7", "key": "seven-7"},
        "reminders": {"token": stop_url(member=Membership.objects.get(study=study, user=reviewer)).split("/")[-2]},
        **{f"study{rest}": of_reviewer for rest in ("", "_answers", "_done", "_closing")},
        **{f"slot{rest}": of_slot for rest in ("", "_skip")},
        **{f"studio:corpus{rest}": {"pk": corpus.pk} for rest in ("", "_import", "_embed", "_ask", "_score")},
        "studio:import": {"pk": read.pk},
        "studio:import_problems": {"pk": read.pk},
        "studio:import_action": {"pk": read.pk, "action": "cancel"},
        "studio:embedding_action": {"pk": job.pk, "action": "cancel"},
        "studio:retrieval": {"pk": retrieval.pk},
        "studio:document": {"pk": corpus.documents.all()[0].pk},
        **{f"studio:batch{rest}": of_batch for rest in ("", "_scoring")},
        "studio:batch_action": of_batch | {"action": "pause"},
        **{f"studio:abstract{rest}": of_abstract for rest in ("", "_score")},
        **{
            f"studio:study{rest}": of_study
            for rest in (
                "",
                "_preview",
                "_invite",
                "_people",
                "_withdrawal",
                "_balance",
                "_conflicts",
                "_settings",
                "_links",
                "_participants",
                "_report",
                "_report_open",
                "_progress",
                "_remind",
                "_quality",
                "_quality_csv",
                "_adjudication",
                "_authorship",
                "_correlations",
                "_exports",
            )
        },
        "studio:study_edit": {"public_id": draft.public_id},
        "studio:study_add": {"public_id": draft.public_id, "source": "file"},
        "studio:study_action": of_study | {"action": "close"},
        "studio:study_invitation": of_study | {"invitation_id": unused.public_id, "action": "renew"},
        "studio:study_adjudicate": of_study | {"item_id": study.items.all()[0].public_id},
        "studio:study_member": of_study | {"pk": colleague.memberships.get().pk, "action": "quota"},
        "studio:study_export_download": of_study | {"export_id": export.public_id},
    }
    return site


def _stored(name: str, body: bytes) -> str:
    path = settings.MEDIA_ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    return name
