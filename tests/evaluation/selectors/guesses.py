"""Studies whose texts come from people and from machines, and guesses at which is which."""

from accounts.models import User
from evaluation.models import AuthorshipGuess, Item, Study
from generation.models import Cell
from tests.factories import make_abstract, make_cell, make_corpus, make_study


def study_with_sources(people: int = 2, machines: int = 3, uploads: int = 1) -> Study:
    cell = Cell.objects.first() or make_cell()
    abstracts = [make_abstract(cell=cell, body=f"Generated {n}.") for n in range(machines)]
    study = make_study(texts=[f"Upload {n}." for n in range(uploads + people)], abstracts=abstracts, state="draft")
    corpus = make_corpus(name=f"People {study.pk}", bodies=[f"Written {n}." for n in range(people)])
    documents = list(corpus.documents.all())[:people]
    for item, document in zip(study.items.filter(abstract=None).order_by("-position")[:people], documents, strict=True):
        Item.objects.filter(pk=item.pk).update(document=document, text=document.text)
    study.state, study.frozen_sha256 = "open", "0" * 64
    study.save()
    return study


def guess(study: Study, reviewer: User, *, people: str = "", machines: str = "", uploads: str = "") -> None:
    """A letter a text of each kind: p(erson), m(achine), u(nsure)."""
    words = {"p": "person", "m": "machine", "u": "unsure"}
    kinds = {
        "people": (study.items.filter(document__isnull=False), people),
        "machines": (study.items.filter(abstract__isnull=False), machines),
        "uploads": (study.items.filter(document=None, abstract=None), uploads),
    }
    for items, letters in kinds.values():
        for item, letter in zip(items, letters, strict=False):
            AuthorshipGuess.objects.create(item=item, reviewer=reviewer, guess=words[letter])
