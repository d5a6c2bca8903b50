"""The texts of a draft: drawn from a batch, from an uploaded file, or from a corpus as human-written controls."""

from django.db import transaction
from django.utils.translation import gettext as _

from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.services.appending import note_draw
from evaluation.services.controls import add_items_from_corpus
from evaluation.services.drafts import lock_draft
from evaluation.services.drawing import add_items_from_batch
from evaluation.services.uploaded import add_items_from_rows

__all__ = ["add_items_from_batch", "add_items_from_corpus", "add_items_from_rows", "remove_item", "remove_items"]


@transaction.atomic
def remove_items(*, study: Study) -> int:
    """Empty a draft."""
    study = lock_draft(study=study)
    study.draws = []
    study.save(update_fields=["draws"])
    return study.items.all().delete()[0]


@transaction.atomic
def remove_item(*, study: Study, position: int) -> str:
    """Take one text out of a draft, and note it where the text was drawn; returns the researcher's name for it."""
    study = lock_draft(study=study)
    item = study.items.filter(position=position).first()
    if item is None:
        raise StudyError(_("There is no such text in the draft any more."))
    if item.abstract_id or item.document_id:
        note_draw(study, {"source": "removed", "id": item.external_id})
    item.delete()
    return item.external_id
