"""The texts of a draft: drawn from a batch, from an uploaded file, or from a corpus as human-written controls."""

from django.db import transaction

from evaluation.models import Study
from evaluation.services.controls import add_items_from_corpus
from evaluation.services.drafts import lock_draft
from evaluation.services.drawing import add_items_from_batch
from evaluation.services.uploaded import add_items_from_rows

__all__ = ["add_items_from_batch", "add_items_from_corpus", "add_items_from_rows", "remove_items"]


@transaction.atomic
def remove_items(*, study: Study) -> int:
    """Empty a draft."""
    study = lock_draft(study=study)
    study.draws = []
    study.save(update_fields=["draws"])
    return study.items.all().delete()[0]
