"""The start page: three areas, how much there is, and where to go next."""

import re

import pytest
from django.urls import reverse

from corpora.models import Embedding
from studio.overview import Overview, overview
from tests.factories import make_corpus, make_embedding_model, make_researcher

pytestmark = pytest.mark.django_db


def primary(client):
    """The words on the one button that stands out."""
    text = client.get(reverse("studio:home")).content.decode()
    (found,) = re.findall(r'class="button\s+primary"[^>]*>([^<]+)<', text)
    return found


def test_the_way_leads_from_corpora_to_generation(client):
    client.force_login(make_researcher())
    assert primary(client) == "Import a corpus"
    corpus = make_corpus()
    assert primary(client) == "Open the corpora"
    Embedding.objects.create(document=corpus.documents.get(), model=make_embedding_model(), vector=[1.0] * 8)
    assert primary(client) == "Design a batch"


def test_counts():
    make_corpus(bodies=["One.", "Two."])
    make_corpus(name="Other")
    found = overview()
    assert (found.corpora, found.documents, found.has_vectors) == (2, 3, False)
    assert (found.batches, found.abstracts, found.studies, found.answers) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("documents", "vectors", "abstracts", "studies", "step"),
    [
        (0, False, 0, 0, "corpora"),
        (5, False, 0, 0, "corpora"),
        (5, True, 0, 0, "batches"),
        (5, True, 9, 0, "studies"),
        (5, True, 9, 2, "studies"),
    ],
)
def test_next_step(documents, vectors, abstracts, studies, step):
    found = Overview(1, documents, vectors, 1, abstracts, studies, 0, 0)
    assert found.next_step == step
