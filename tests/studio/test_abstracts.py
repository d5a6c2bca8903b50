"""The page of a generated abstract."""

import re
import uuid
from xml.etree import ElementTree

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from generation.models import Abstract, Run
from graphs import services, tasks
from graphs.models import ScoringJob
from leases.models import State
from leases.services import cancel
from tests.factories import make_abstract, make_cell, make_corpus, make_researcher, make_retrieval, make_text, make_user
from tests.graphs.texts import sentences

pytestmark = pytest.mark.django_db

SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)


@pytest.fixture
def researcher(client: Client) -> Client:
    client.force_login(make_researcher())
    return client


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Keys of the jobs that would have been sent to a worker."""
    sent: list[int] = []
    monkeypatch.setattr(tasks.score, "delay_on_commit", sent.append)
    return sent


def make_written(*, references: int = 4, name: str = "Tailings", bodies: list[str] | None = None):  # type: ignore[no-untyped-def]
    bodies = bodies or [sentences(words=40 + 5 * seed, seed=seed) for seed in range(references)]
    retrieval = make_retrieval(corpus=make_corpus(name=name, bodies=bodies))
    return make_abstract(body=sentences(words=60, seed=77), cell=make_cell(retrieval=retrieval))


def score(abstract, *, skip: int = 0) -> None:  # type: ignore[no-untyped-def]
    texts = abstract.run.cell.retrieval.retrieved.values_list("text_id", flat=True)[skip:]
    services.score_texts(text_ids=[abstract.text_id, *texts], settings=services.ensure_default_settings())


def address(abstract) -> str:  # type: ignore[no-untyped-def]
    return reverse("studio:abstract", args=[abstract.public_id])


def page(client: Client, abstract, **headers: str) -> str:  # type: ignore[no-untyped-def]
    answer = client.get(address(abstract), headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("name", ["studio:abstract", "studio:abstract_score"])
def test_strangers_sign_in_and_reviewers_are_turned_away(client: Client, name: str) -> None:
    url = reverse(name, args=[make_written().public_id])
    ask = client.get if name == "studio:abstract" else client.post
    assert ask(url).headers["Location"].startswith(reverse("account_login"))
    client.force_login(make_user())
    assert ask(url).status_code == 403


@pytest.mark.parametrize("name", ["studio:abstract_score", "studio:corpus_score"])
def test_scoring_is_started_by_post_only(researcher: Client, name: str) -> None:
    abstract = make_written()
    key = abstract.public_id if "abstract" in name else abstract.run.cell.batch.corpus_id
    assert researcher.get(reverse(name, args=[key])).status_code == 405


def test_unknown_abstracts_and_corpora_are_not_found(researcher: Client) -> None:
    assert researcher.get(reverse("studio:abstract", args=[uuid.uuid4()])).status_code == 404
    assert researcher.post(reverse("studio:abstract_score", args=[uuid.uuid4()])).status_code == 404
    assert researcher.post(reverse("studio:corpus_score", args=[10**9])).status_code == 404


def test_shows_the_text_and_where_it_came_from(researcher: Client) -> None:
    abstract = make_written()
    html = page(researcher, abstract)
    cell = abstract.run.cell
    for part in (abstract.text.body, cell.query, cell.language_model.name, cell.prompt.name, cell.batch.name, "0.1"):
        assert str(part) in html


def test_leads_to_its_batch_its_corpus_and_the_documents_it_was_written_from(researcher: Client) -> None:
    abstract = make_written()
    html = page(researcher, abstract)
    batch = abstract.run.cell.batch
    assert reverse("studio:batch", args=[batch.public_id]) in html
    assert reverse("studio:corpus", args=[batch.corpus_id]) in html
    for document in batch.corpus.documents.all():
        assert f'href="{reverse("studio:document", args=[document.pk])}"' in html


def test_the_raw_output_is_shown_where_it_was_cleaned(researcher: Client) -> None:
    cell = make_written().run.cell
    run = Run.objects.create(cell=cell, iteration=7, seed=7, state=State.DONE)
    record = {"tokens": 57, "finish_reason": "length", "cleaning": {"version": 1, "steps": ["label"]}}
    cleaned = Abstract.objects.create(
        run=run, text=make_text("Clay holds water."), raw_output="**Abstract**: Clay holds water.", provenance=record
    )
    html = page(researcher, cleaned)
    assert "**Abstract**: Clay holds water." in html
    assert "Taken off or changed: label." in html
    assert "cut at the limit" in html
    assert "57 tokens" in html


def test_an_abstract_that_waits_asks_again_and_says_how_far_it_is(researcher: Client) -> None:
    abstract = make_written()
    assert "0 of 5 texts scored" in page(researcher, abstract)
    score(abstract, skip=1)
    html = page(researcher, abstract)
    assert "4 of 5 texts scored" in html
    assert 'hx-trigger="every 2s"' in html
    assert "kept</span>" not in html


def test_the_fragment_is_the_part_that_changes(researcher: Client) -> None:
    abstract = make_written()
    html = page(researcher, abstract, hx_request="true", hx_target="scores")
    assert html.lstrip().startswith('<div id="scores"')
    assert "<html" not in html
    score(abstract)
    assert "hx-trigger" not in page(researcher, abstract, hx_request="true", hx_target="scores")


def test_a_scored_abstract_shows_radar_verdict_metrics_and_graph(researcher: Client) -> None:
    abstract = make_written()
    score(abstract)
    html = page(researcher, abstract)
    assert "hx-trigger" not in html
    for part in ("Any order of axes", "As in the paper", "Metric by metric", "Radar of seven graph metrics"):
        assert part in html
    assert "Algebraic connectivity" in html
    assert "cut the text’s words" in html or "cut the text&#x27;s words" in html


def test_pictures_are_well_formed_and_say_what_they_show(researcher: Client) -> None:
    abstract = make_written()
    score(abstract)
    pictures = [ElementTree.fromstring(svg) for svg in SVG.findall(page(researcher, abstract))]  # noqa: S314
    named = [picture for picture in pictures if picture.get("role") == "img"]
    assert len(named) == 2
    for picture in named:
        title, description = picture.find("title"), picture.find("desc")
        assert title is not None
        assert title.text
        assert description is not None
        assert description.text
        assert picture.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert all(picture.get("aria-hidden") == "true" for picture in pictures if picture not in named)
    assert not any(element.get("style") for picture in pictures for element in picture.iter())


def test_words_of_a_text_are_escaped_in_its_picture(researcher: Client) -> None:
    retrieval = make_retrieval(corpus=make_corpus(bodies=[sentences(seed=1)]))
    abstract = make_abstract(
        body="Shear <script>alert(1)</script> & yield stress.", cell=make_cell(retrieval=retrieval)
    )
    score(abstract)
    html = page(researcher, abstract)
    assert "<script>alert" not in html
    for svg in SVG.findall(html):
        ElementTree.fromstring(svg)  # noqa: S314


def test_an_undefined_radar_says_why(researcher: Client) -> None:
    abstract = make_written(bodies=["The of and.", sentences(seed=3)])
    score(abstract)
    html = page(researcher, abstract)
    assert "There is no radar and no verdict: global efficiency is undefined in 1 of 3 graphs." in html
    assert "undefined in 1 of 2 reference graphs" in html


def test_an_abstract_without_a_retrieved_set_is_shown_alone(researcher: Client) -> None:
    abstract = make_written()
    abstract.run.cell.retrieval.retrieved.all().delete()
    score(abstract)
    assert "Nothing was retrieved for this abstract" in page(researcher, abstract)


def test_failed_scoring_says_why_and_can_be_started_again(researcher: Client, sent: list[int]) -> None:
    abstract = make_written()
    (job,) = tasks.start_scoring(text_ids=[abstract.text_id])
    cancel(rows=ScoringJob.objects.all())
    html = page(researcher, abstract)
    assert "Scoring stopped at 0 of 5 texts: the scoring job was cancelled" in html
    assert "hx-trigger" not in html
    answer = researcher.post(reverse("studio:abstract_score", args=[abstract.public_id]))
    assert answer.headers["Location"] == address(abstract)
    again = ScoringJob.objects.latest("pk")
    assert again.total == 5
    assert sent == [job.pk, again.pk]
    assert 'hx-trigger="every 2s"' in page(researcher, abstract)


def test_as_many_queries_for_many_retrieved_documents_as_for_few(researcher: Client, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    for name, references in (("Few", 2), ("Many", 12)):
        abstract = make_written(name=name, references=references)
        score(abstract)
        researcher.get(address(abstract))
        # user, abstract with its origin, settings, retrieved documents, scores, frozen ranges
        with django_assert_num_queries(6):
            researcher.get(address(abstract))


def test_a_batch_says_how_many_abstracts_are_scored_and_kept(researcher: Client) -> None:
    abstract = make_written()
    batch = abstract.run.cell.batch
    whole, part = (reverse(name, args=[batch.public_id]) for name in ("studio:batch", "studio:batch_scoring"))
    assert "<strong>0</strong><span>scored of 1 written" in researcher.get(whole).content.decode()
    assert "every 3s" in researcher.get(part, headers={"hx-request": "true"}).content.decode()
    score(abstract)
    services.profile_ready_abstracts(settings=services.ensure_default_settings())
    html = researcher.get(part, headers={"hx-request": "true"}).content.decode()
    assert "<strong>1</strong><span>scored of 1 written" in html
    assert re.search(r"<strong>[01]</strong><span>kept of 1 compared", html)
    assert "every 3s" not in html
    assert researcher.get(part).headers["Location"] == whole


def test_a_corpus_is_scored_from_its_page(researcher: Client, sent: list[int]) -> None:
    corpus = make_corpus(bodies=[sentences(seed=seed) for seed in range(3)])
    make_corpus(name="Another", bodies=[sentences(seed=8)])
    answer = researcher.post(reverse("studio:corpus_score", args=[corpus.pk]))
    job = ScoringJob.objects.get()
    assert sent == [job.pk]
    assert job.text_ids == list(corpus.documents.order_by("text_id").values_list("text_id", flat=True))
    assert [str(message) for message in get_messages(answer.wsgi_request)] == ["3 texts queued for scoring."]
    researcher.post(reverse("studio:corpus_score", args=[corpus.pk]))
    assert ScoringJob.objects.count() == 1


def test_the_page_of_a_corpus_offers_scoring_until_all_texts_are_scored(researcher: Client) -> None:
    corpus = make_corpus(bodies=[sentences(seed=seed) for seed in range(2)])
    url = reverse("studio:corpus", args=[corpus.pk])
    html = researcher.get(url).content.decode()
    assert "0 of 2 scored" in html
    assert "Score all texts" in html
    texts = corpus.documents.values_list("text_id", flat=True)
    services.score_texts(text_ids=texts, settings=services.ensure_default_settings())
    html = researcher.get(url).content.decode()
    assert "2 of 2 scored" in html
    assert "Score all texts" not in html
