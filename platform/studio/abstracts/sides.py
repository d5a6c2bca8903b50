"""The two sides of a comparison, as an address names them: `abstract-UUID` or `document-NUMBER`."""

from dataclasses import dataclass
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from corpora.models import Corpus, Text
from corpora.selectors import document_with_source
from graphs import selectors
from studio.whole_numbers import whole_number


@dataclass(frozen=True)
class Side:
    """A text with its name, its page, and the texts that its radar is drawn among."""

    key: str
    name: str
    kind: str
    address: str
    text: Text
    corpus: Corpus
    among: tuple[int, ...] = ()


def find_side(key: str) -> Side:
    """Find what a key names, or answer 404."""
    kind, _, rest = key.partition("-")
    side = {"abstract": _abstract, "document": _document}.get(kind, _nothing)(rest)
    if side is None:
        raise Http404
    return side


def _abstract(rest: str) -> Side | None:
    try:
        public_id = UUID(rest)
    except ValueError:
        return None
    found = selectors.find_abstract(public_id=public_id)
    if found is None:
        return None
    cell = found.run.cell
    return Side(
        key=f"abstract-{public_id}",
        name=_("Generated abstract %d") % found.run.iteration,
        kind=_("machine-written by %(language_model)s") % {"language_model": cell.language_model.name},
        address=reverse("studio:abstract", args=[public_id]),
        text=found.text,
        corpus=cell.batch.corpus,
        among=tuple(selectors.texts_of_abstract(abstract=found)),
    )


def _document(rest: str) -> Side | None:
    key = whole_number(rest, digits=18)
    found = document_with_source(pk=key) if key is not None else None
    if found is None:
        return None
    return Side(
        key=f"document-{found.pk}",
        name=found.title,
        kind=_("from %(corpus)s") % {"corpus": found.corpus.name},
        address=reverse("studio:document", args=[found.pk]),
        text=found.text,
        corpus=found.corpus,
    )


def _nothing(rest: str) -> None:
    return None
