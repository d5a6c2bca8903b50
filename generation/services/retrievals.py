"""The retrieved documents of a cell: made once, then shared and frozen."""

from django.db import transaction

from corpora.models import Retrieval
from corpora.services import retrieve
from generation.models import Cell


def ensure_retrieval(*, cell: Cell) -> Retrieval:
    """The cell's retrieval. The first worker to need it makes it for all cells of the batch that ask the same.

    Embedding the query takes seconds, so it stays outside the transaction. Where two workers make it at once, the
    first to store wins and the other's is dropped: a cell never changes its list.

    Raises
    ------
    NotEmbedded, EmbedderUnavailable
        As `corpora.services.retrieve` does.
    """
    if cell.retrieval is not None:
        return cell.retrieval
    made = retrieve(corpus=cell.batch.corpus, model=cell.embedding_model, query=cell.query, top_n=cell.batch.top_n)
    with transaction.atomic():
        same = Cell.objects.filter(batch=cell.batch, embedding_model=cell.embedding_model, query=cell.query)
        siblings = list(same.order_by("pk").select_for_update())
        kept = next((sibling.retrieval_id for sibling in siblings if sibling.retrieval_id is not None), None)
        if kept is None:
            same.update(retrieval=made)
        else:
            made.delete()
            made = Retrieval.objects.get(pk=kept)
    cell.retrieval = made
    return made
