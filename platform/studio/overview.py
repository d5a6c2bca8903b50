"""How much there is of everything, for the start page."""

from dataclasses import dataclass

from corpora.models import Corpus, Document, Embedding
from evaluation.models import Item, Slot, Study
from generation.models import Abstract, Batch


@dataclass(frozen=True)
class Overview:
    corpora: int
    documents: int
    has_vectors: bool
    batches: int
    abstracts: int
    studies: int
    open_studies: int
    answers: int

    @property
    def next_step(self) -> str:
        """The first of the three areas in which something is still missing: corpora, batches or studies."""
        if not self.documents or not self.has_vectors:
            return "corpora"
        return "studies" if self.abstracts or self.studies else "batches"


def overview() -> Overview:
    return Overview(
        corpora=Corpus.objects.count(),
        documents=Document.objects.count(),
        has_vectors=Embedding.objects.exists(),
        batches=Batch.objects.count(),
        abstracts=Abstract.objects.count(),
        studies=Study.objects.count(),
        open_studies=Study.objects.filter(state=Study.State.OPEN).count(),
        answers=Slot.objects.filter(item__kind=Item.Kind.RATED, pass_number=0, state=Slot.State.RATED).count(),
    )
