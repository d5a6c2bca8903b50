"""Start, watch and stop the embedding of a corpus."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from corpora.models import Corpus, EmbeddingJob, EmbeddingModel
from corpora.selectors import EmbeddingState, OfferedModel, embedding_states, offered_models
from corpora.services import register_packaged_models
from corpora.tasks import start_again, start_embedding
from leases.models import State
from leases.services import cancel
from studio.access import researcher_required


@dataclass(frozen=True)
class EmbeddingRow:
    """A model as the page offers it, and how far the corpus is under it."""

    identity: str
    name: str
    dimensions: int
    offer: OfferedModel | None
    state: EmbeddingState | None

    @property
    def is_active(self) -> bool:
        job = self.state and self.state.job
        return bool(job and job.state in {State.QUEUED, State.RUNNING})

    @property
    def has_stopped(self) -> bool:
        """A person has to decide whether it goes on."""
        job = self.state and self.state.job
        return bool(job and job.state in {State.FAILED, State.CANCELLED})

    @property
    def is_complete(self) -> bool:
        return bool(self.state and self.state.is_complete)

    @property
    def can_start(self) -> bool:
        return bool(self.offer) and not (self.is_active or self.is_complete or self.has_stopped)


def rows_for(corpus: Corpus) -> list[EmbeddingRow]:
    """The offered models, then others under which the corpus has vectors."""
    states = {f"{state.model.key}@{state.model.revision}": state for state in embedding_states(corpus=corpus)}
    rows = [
        EmbeddingRow(offer.identity, offer.name, offer.dimensions, offer, states.pop(offer.identity, None))
        for offer in offered_models()
    ]
    others = [
        EmbeddingRow(identity, state.model.name, state.model.dimensions, None, state)
        for identity, state in states.items()
    ]
    return rows + others


@require_POST
@researcher_required
def start(request: HttpRequest, pk: int) -> HttpResponse:
    corpus = get_object_or_404(Corpus, pk=pk)
    register_packaged_models()
    key, _, revision = request.POST.get("model", "").replace("\0", "").partition("@")
    model = get_object_or_404(EmbeddingModel, key=key, revision=revision)
    if corpus.documents.exists():
        start_embedding(corpus=corpus, model=model)
    else:
        messages.warning(request, gettext("There is no document to embed yet. Import some first."))
    return redirect("studio:corpus", pk)


@require_POST
@researcher_required
def act(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    job = get_object_or_404(EmbeddingJob, pk=pk)
    if action == "cancel":
        cancel(rows=EmbeddingJob.objects.filter(pk=pk))
    elif action == "retry":
        start_embedding(corpus=job.corpus, model=job.model) if _is_superseded(job) else start_again(row=job)
    else:
        raise Http404
    return redirect("studio:corpus", job.corpus_id)


def _is_superseded(job: EmbeddingJob) -> bool:
    """A later job for the same vectors is under way, so this one must not wake up beside it."""
    return EmbeddingJob.objects.filter(corpus=job.corpus_id, model=job.model_id, pk__gt=job.pk).exists()
