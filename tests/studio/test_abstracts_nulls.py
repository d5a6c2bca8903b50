"""An abstract against null models, on its page: start, watch, cancel, read."""

from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from graphs import services, tasks
from graphs.models import NullChunk
from graphs.science.null_models import NULL_MODELS
from leases.models import State
from leases.services import claim
from tests.factories import make_abstract, make_researcher, make_user
from tests.graphs.texts import sentences
from tests.studio.test_abstracts import SVG

pytestmark = pytest.mark.django_db


@pytest.fixture
def researcher(client: Client) -> Client:
    client.force_login(make_researcher())
    return client


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Keys of the chunks that would have been sent to a worker; there are few draws, in small chunks."""
    sent: list[int] = []
    monkeypatch.setattr(tasks.draw_null, "delay_on_commit", sent.append)
    monkeypatch.setattr("studio.abstracts.nulls.DRAWS", 30)
    monkeypatch.setattr("graphs.services.null_planning.DRAWS_PER_CHUNK", 20)
    return sent


def address(abstract, name: str = "abstract_nulls") -> str:  # type: ignore[no-untyped-def]
    return reverse(f"studio:{name}", args=[abstract.public_id])


def page(client: Client, abstract, **headers: str) -> str:  # type: ignore[no-untyped-def]
    answer = client.get(address(abstract), headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def draw(chunks: list[int]) -> None:
    for chunk in chunks:
        lease = claim(model=NullChunk, pk=chunk)
        assert lease
        services.run_null_chunk(lease=lease)


@pytest.mark.parametrize("name", ["abstract_nulls_start", "abstract_nulls_cancel"])
def test_started_and_cancelled_by_post_and_by_researchers_only(client: Client, name: str) -> None:
    abstract = make_abstract()
    assert client.post(address(abstract, name)).headers["Location"].startswith(reverse("account_login"))
    client.force_login(make_user())
    assert client.post(address(abstract, name)).status_code == 403
    client.force_login(make_researcher())
    assert client.get(address(abstract, name)).status_code == 405
    assert not NullChunk.objects.exists()


def test_before_anything_is_drawn_the_null_models_are_explained(researcher: Client) -> None:
    html = page(researcher, make_abstract())
    assert "Draw 30 graphs from each null model" in html
    for model in NULL_MODELS.values():
        assert model.label in html
    assert "every 2s" not in html


def test_starting_queues_every_model_and_shows_how_far_it_is(researcher: Client, sent: list[int]) -> None:
    abstract = make_abstract(body=sentences(words=50))
    assert researcher.post(address(abstract, "abstract_nulls_start")).headers["Location"] == address(abstract)
    assert len(sent) == 2 * len(NULL_MODELS)
    html = page(researcher, abstract)
    assert "0 of 120 graphs drawn" in html
    assert 'hx-trigger="every 2s"' in html
    draw(sent[:1])
    assert "20 of 120 graphs drawn" in page(researcher, abstract)


def test_cancelling_stops_and_starting_again_goes_on(researcher: Client, sent: list[int]) -> None:
    abstract = make_abstract(body=sentences(words=50))
    researcher.post(address(abstract, "abstract_nulls_start"))
    draw(sent[:3])
    html = researcher.post(
        address(abstract, "abstract_nulls_cancel"), headers={"hx-request": "true", "hx-target": "nulls"}
    ).content.decode()
    assert html.lstrip().startswith('<div id="nulls"')
    assert "Drawing stopped: it was cancelled" in html
    assert "Go on drawing" in html
    assert NullChunk.objects.filter(state=State.CANCELLED).count() == 5
    rest = sent[3:]
    researcher.post(address(abstract, "abstract_nulls_start"))
    assert sorted(sent[8:]) == sorted(rest)
    draw(rest)
    assert "Go on drawing" not in page(researcher, abstract)


def test_a_finished_comparison_shows_pictures_figures_and_the_links_beside_z(
    researcher: Client, sent: list[int]
) -> None:
    abstract = make_abstract(body=sentences(words=80))
    researcher.post(address(abstract, "abstract_nulls_start"))
    draw(sent)
    html = page(researcher, abstract, hx_request="true", hx_target="nulls")
    assert "every 2s" not in html
    pictures = [ElementTree.fromstring(svg) for svg in SVG.findall(html)]  # noqa: S314
    assert len(pictures) >= 4 * 5
    for picture in pictures:
        title, description = picture.find("title"), picture.find("desc")
        assert title is not None
        assert description is not None
        assert "The text has" in (description.text or "")
        assert picture.find("line[@class='mark']") is not None
        assert not any(element.get("style") for element in picture.iter())
    for part in ("Holm", "in the draws", "of 30 draws", "after Holm’s correction"):
        assert part in html


def test_a_text_without_words_is_shown_with_reasons(researcher: Client, sent: list[int]) -> None:
    abstract = make_abstract(body="The of and.")
    researcher.post(address(abstract, "abstract_nulls_start"))
    draw(sent)
    assert "undefined for the text" in page(researcher, abstract)


def test_as_many_queries_whatever_is_drawn(researcher: Client, sent: list[int], django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    abstract = make_abstract(body=sentences(words=50))
    page(researcher, abstract)
    for drawn in (0, 2, 8):
        if drawn == 0:
            researcher.post(address(abstract, "abstract_nulls_start"))
        else:
            draw([chunk for chunk in sent[:drawn] if NullChunk.objects.get(pk=chunk).state == State.QUEUED])
        # user, abstract with its origin, settings, comparisons with their progress
        with django_assert_num_queries(4):
            page(researcher, abstract)
