"""Launch, pause, resume, cancel a batch, and try its failures again.

Each is one conditional change of the state, so that two people pressing two buttons at once do not undo each other.
They answer whether anything changed.
"""

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corpora.models import EmbeddingModel
from corpora.selectors import pending_documents
from generation.models import Batch, Run
from leases import services as leases
from leases.models import State


class BatchNotReady(Exception):
    """A batch cannot be launched yet; the message says what is missing."""


def launch_batch(*, batch: Batch) -> bool:
    """Let the workers have a draft's runs.

    Raises
    ------
    BatchNotReady
        Where the corpus is empty or not wholly embedded under one of the batch's models.
    """
    if not batch.corpus.documents.exists():
        raise BatchNotReady(_("The corpus %(corpus)s holds no documents.") % {"corpus": batch.corpus})
    for model in EmbeddingModel.objects.filter(pk__in=batch.cells.values("embedding_model")).order_by("name"):
        if pending := pending_documents(corpus_id=batch.corpus_id, model_id=model.pk).count():
            raise BatchNotReady(
                ngettext(
                    "%(number)d document of %(corpus)s has no vector under %(model)s yet. Embed the corpus first.",
                    "%(number)d documents of %(corpus)s have no vector under %(model)s yet. Embed the corpus first.",
                    pending,
                )
                % {"number": pending, "corpus": batch.corpus, "model": model}
            )
    return _change(batch, [Batch.State.DRAFT], Batch.State.LAUNCHED, launched_at=Now())


def pause_batch(*, batch: Batch) -> bool:
    """Hand out no more runs; those in a worker's hands are finished and kept."""
    return _change(batch, [Batch.State.LAUNCHED], Batch.State.PAUSED)


def resume_batch(*, batch: Batch) -> bool:
    return _change(batch, [Batch.State.PAUSED], Batch.State.LAUNCHED)


def cancel_batch(*, batch: Batch) -> bool:
    """End a batch for good. What is written stays; running workers lose their leases and drop what they hold."""
    with transaction.atomic():
        states = [Batch.State.DRAFT, Batch.State.LAUNCHED, Batch.State.PAUSED]
        is_changed = _change(batch, states, Batch.State.CANCELLED)
        if is_changed:
            leases.cancel(rows=Run.objects.filter(cell__batch=batch))
    return is_changed


def retry_failures(*, batch: Batch) -> int:
    """Put the failed runs of a batch that is not cancelled back into the queue, with fresh attempts."""
    failed = Run.objects.filter(cell__batch=batch, state=State.FAILED)
    return leases.retry(rows=failed.exclude(cell__batch__state=Batch.State.CANCELLED))


def _change(batch: Batch, before: list[Batch.State], after: Batch.State, **fields: object) -> bool:
    is_changed = bool(Batch.objects.filter(pk=batch.pk, state__in=before).update(state=after, **fields))
    batch.refresh_from_db(fields=["state", "launched_at"])
    return is_changed
