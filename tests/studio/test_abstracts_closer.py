"""A closer look at an abstract: windows, neighbours, frozen ranges, and two texts side by side."""

import re
import uuid
from xml.etree import ElementTree

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from corpora.models import Document
from graphs import services
from graphs.models import ReferenceRange
from graphs.science.scoring import score_text
from graphs.science.settings import GraphSettings
from graphs.templatetags.figures import figure, signed
from tests.factories import make_abstract, make_cell, make_corpus, make_researcher, make_retrieval, make_user
from tests.graphs.texts import sentences
from tests.studio.test_abstracts import SVG, address, make_written, page, score

pytestmark = pytest.mark.django_db

LOOKS = ("abstract_nulls", "abstract_windows", "abstract_neighbours")


@pytest.fixture
def researcher(client: Client) -> Client:
    client.force_login(make_researcher())
    return client


def look(client: Client, abstract, name: str, **headers: str) -> str:  # type: ignore[no-untyped-def]
    answer = client.get(reverse(f"studio:{name}", args=[abstract.public_id]), headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def side_by_side(client: Client, first: str, second: str):  # type: ignore[no-untyped-def]
    return client.get(reverse("studio:compare"), {"first": first, "second": second})


@pytest.mark.parametrize("name", LOOKS)
def test_strangers_sign_in_and_reviewers_are_turned_away(client: Client, name: str) -> None:
    url = reverse(f"studio:{name}", args=[make_abstract().public_id])
    assert client.get(url).headers["Location"].startswith(reverse("account_login"))
    client.force_login(make_user())
    assert client.get(url).status_code == 403


@pytest.mark.parametrize("name", LOOKS)
def test_an_unknown_abstract_is_not_found(researcher: Client, name: str) -> None:
    assert researcher.get(reverse(f"studio:{name}", args=[uuid.uuid4()])).status_code == 404


@pytest.mark.parametrize("name", LOOKS)
def test_the_abstract_s_page_loads_the_look_in_place_or_links_to_its_page(researcher: Client, name: str) -> None:
    abstract = make_written()
    url = reverse(f"studio:{name}", args=[abstract.public_id])
    html = page(researcher, abstract)
    assert f'href="{url}"' in html
    assert f'hx-get="{url}"' in html
    part = name.removeprefix("abstract_")
    assert look(researcher, abstract, name, hx_request="true", hx_target=part).lstrip().startswith(f'<div id="{part}"')
    assert "<h1>" in look(researcher, abstract, name)


def test_every_window_stands_with_its_figures(researcher: Client) -> None:
    abstract = make_abstract(body=sentences(words=60))
    html = look(researcher, abstract, "abstract_windows")
    for window in range(2, 11):
        metrics = score_text(abstract.text.body, GraphSettings(window=window)).metrics
        assert f'<td class="num">{metrics.edges}</td>' in html
        assert f'<td class="num">{figure(metrics.global_efficiency)}</td>' in html
    pictures = [ElementTree.fromstring(svg) for svg in SVG.findall(html)]  # noqa: S314
    assert len(pictures) == 8
    assert all(len(picture.findall("circle")) == 9 for picture in pictures)
    assert all(len(picture.findall("circle[@class='own']")) == 1 for picture in pictures)


def test_a_text_without_words_has_no_curves(researcher: Client) -> None:
    html = look(researcher, make_abstract(body="The of and."), "abstract_windows")
    assert "Undefined under every window" in html
    assert "<svg" not in html


def test_an_abstract_made_of_one_document_s_words_is_nearest_to_it(researcher: Client) -> None:
    bodies = ["Clay holds water. Clay swells.", "Pumps move slurry uphill.", "Screens part grains by size."]
    retrieval = make_retrieval(corpus=make_corpus(bodies=bodies))
    abstract = make_abstract(body="Clay swells and holds water.", cell=make_cell(retrieval=retrieval))
    html = look(researcher, abstract, "abstract_neighbours")
    table = html[html.index("How alike the words") :]
    rows = re.findall(
        r'<td class="num">(\d)</td>.*?<td class="num">([\d.]+)</td>\s*<td>(yes|no)</td>', table, re.DOTALL
    )
    assert [rank for rank, _, _ in rows] == ["1", "2", "3"]
    assert float(rows[0][1]) > 0.9
    assert rows[1][1] == "0.000"
    # A text without a word in common is never linked, however few the others share.
    assert [linked for _, _, linked in rows] == ["yes", "no", "no"]
    assert "Local clustering" in html


@pytest.mark.parametrize("body", ["The of and.", "Clay."])
def test_a_text_with_hardly_a_word_is_placed_or_says_why_not(researcher: Client, body: str) -> None:
    retrieval = make_retrieval(corpus=make_corpus(bodies=["The and of."]))
    html = look(researcher, make_abstract(body=body, cell=make_cell(retrieval=retrieval)), "abstract_neighbours")
    assert "needs at least three documents" in html
    assert "no centroid" in html


def test_without_retrieved_documents_there_are_no_neighbours(researcher: Client) -> None:
    abstract = make_written()
    abstract.run.cell.retrieval.retrieved.all().delete()
    assert "has no neighbours" in look(researcher, abstract, "abstract_neighbours")


def test_neighbours_take_as_many_queries_for_many_documents_as_for_few(
    researcher: Client, django_assert_num_queries
) -> None:  # type: ignore[no-untyped-def]
    for name, references in (("Few", 2), ("Many", 12)):
        abstract = make_written(name=name, references=references)
        # user, abstract with its origin, settings, retrieved documents with their texts
        with django_assert_num_queries(4):
            look(researcher, abstract, "abstract_neighbours")


def test_the_range_of_a_corpus_is_frozen_and_the_radar_drawn_by_it(researcher: Client) -> None:
    abstract = make_written()
    score(abstract)
    freeze = reverse("studio:abstract_freeze_range", args=[abstract.public_id])
    answer = researcher.post(freeze)
    frozen = ReferenceRange.objects.get()
    assert answer.headers["Location"].startswith(f"{address(abstract)}?range={frozen.pk}")
    html = researcher.get(address(abstract), {"range": frozen.pk}).content.decode()
    assert "among 4 texts of Tailings" in html
    assert f'<option value="{frozen.pk}" selected>' in html
    assert "among these 5 texts" in page(researcher, abstract)
    researcher.post(freeze)
    assert ReferenceRange.objects.count() == 1


def test_a_corpus_that_is_not_scored_cannot_be_frozen(researcher: Client) -> None:
    abstract = make_written()
    score(abstract, skip=1)
    answer = researcher.post(reverse("studio:abstract_freeze_range", args=[abstract.public_id]))
    (message,) = get_messages(answer.wsgi_request)
    assert str(message) == "1 texts of Tailings are not scored yet: score the corpus first."
    assert not ReferenceRange.objects.exists()


@pytest.mark.parametrize("wrong", ["x", "0", "-1", "9" * 30, "²", "1\0"])
def test_a_range_that_does_not_exist_is_not_found(researcher: Client, wrong: str) -> None:
    abstract = make_written()
    score(abstract)
    assert researcher.get(address(abstract), {"range": wrong}).status_code == 404


def test_words_are_coloured_by_community_and_the_modularity_stated(researcher: Client) -> None:
    abstract = make_written()
    score(abstract)
    html = page(researcher, abstract)
    assert re.search(r"Modularity 0\.\d+", html)
    assert {"g0", "g1"} <= set(re.findall(r'<circle class="(g\d)" cx="[\d.]+"', html))


def test_an_abstract_stands_beside_a_document(researcher: Client) -> None:
    abstract = make_written()
    document = Document.objects.order_by("pk")[0]
    html = page(researcher, abstract)
    link = f"{reverse('studio:compare')}?first=abstract-{abstract.public_id}&amp;second=document-{document.pk}"
    assert link in html
    answer = side_by_side(researcher, f"abstract-{abstract.public_id}", f"document-{document.pk}")
    assert answer.status_code == 200
    html = answer.content.decode()
    first, second = (score_text(body).metrics for body in (abstract.text.body, document.text.body))
    for name in ("global_efficiency", "natural_connectivity"):
        one, other = getattr(first, name), getattr(second, name)
        assert all(f'<td class="num">{each}</td>' in html for each in (figure(one), figure(other), signed(one - other)))
    named = [ElementTree.fromstring(svg) for svg in SVG.findall(html) if 'role="img"' in svg]  # noqa: S314
    assert len(named) == 3
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert "Both on one radar" in html


def test_two_documents_share_the_range_of_the_corpus(researcher: Client) -> None:
    corpus = make_corpus(bodies=[sentences(words=40 + 10 * seed, seed=seed) for seed in range(5)])
    documents = list(corpus.documents.order_by("pk"))
    keys = [f"document-{each.pk}" for each in documents[:2]]
    # Nothing is scored: two texts alone have no range but their own.
    assert side_by_side(researcher, *keys).status_code == 200
    services.score_texts(text_ids=[each.text_id for each in documents], settings=services.ensure_default_settings())
    html = side_by_side(researcher, *keys).content.decode()
    assert "among the 5 scored texts of Tailings" in html


def test_a_text_beside_itself_says_so_and_has_no_radar(researcher: Client) -> None:
    document = make_corpus(bodies=[sentences(words=40)]).documents.get()
    html = side_by_side(researcher, f"document-{document.pk}", f"document-{document.pk}").content.decode()
    assert "Both sides are the same text" in html
    assert "There is no radar: global efficiency has the same value" in html


@pytest.mark.parametrize(
    "wrong",
    ["", "abstract-", "abstract-x", "document-x", "document-0", f"document-{'9' * 30}", "text-1", "document-1\0"],
)
def test_a_side_that_does_not_exist_is_not_found(researcher: Client, wrong: str) -> None:
    document = make_corpus().documents.get()
    assert side_by_side(researcher, f"document-{document.pk}", wrong).status_code == 404
    assert side_by_side(researcher, wrong, f"document-{document.pk}").status_code == 404


def test_comparing_is_for_researchers(client: Client) -> None:
    assert side_by_side(client, "a", "b").headers["Location"].startswith(reverse("account_login"))
    client.force_login(make_user())
    assert side_by_side(client, "a", "b").status_code == 403


def test_comparing_takes_as_many_queries_for_many_references_as_for_few(
    researcher: Client, django_assert_num_queries
) -> None:  # type: ignore[no-untyped-def]
    for name, references in (("Few", 2), ("Many", 12)):
        abstract = make_written(name=name, references=references)
        score(abstract)
        document = Document.objects.latest("pk")
        # user, abstract with its origin, its texts, document with its corpus, settings, scores
        with django_assert_num_queries(6):
            side_by_side(researcher, f"abstract-{abstract.public_id}", f"document-{document.pk}")
