"""The panel that shows a document's text as a graph."""

from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Document
from graphs import services
from graphs.science.metric_registry import METRICS
from graphs.science.scoring import score_text
from graphs.templatetags.figures import figure
from tests.factories import make_corpus, make_researcher
from tests.graphs.texts import sentences

pytestmark = pytest.mark.django_db


def page(client: Client, body: str, *, scored: bool = True) -> str:
    client.force_login(make_researcher())
    make_corpus(bodies=[body])
    document = Document.objects.get()
    if scored:
        services.score_texts(text_ids=[document.text_id], settings=services.ensure_default_settings())
    answer = client.get(reverse("studio:document", args=[document.pk]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_metric_stands_with_its_figure_and_its_meaning(client: Client) -> None:
    body = sentences(words=60)
    html = page(client, body)
    values = score_text(body).metrics.values()
    for metric in METRICS:
        assert metric.label in html
        assert figure(values[metric.key]) in html
    assert "long chains of ideas bring it down" in html


def test_the_graph_is_drawn(client: Client) -> None:
    html = page(client, sentences(words=60))
    start = html.index("<svg")
    picture = ElementTree.fromstring(html[start : html.index("</svg>", start) + len("</svg>")])  # noqa: S314
    graph = score_text(sentences(words=60)).graph
    assert len(picture.findall(".//circle")) == graph.nodes
    assert len(picture.findall(".//line")) == graph.size


def test_an_undefined_metric_says_why(client: Client) -> None:
    html = page(client, "The of and.")
    assert "Undefined here: needs at least two nodes." in html
    assert "<svg" not in html


def test_a_text_without_a_score_says_when_it_gets_one(client: Client) -> None:
    assert "Not scored yet" in page(client, sentences(), scored=False)
