"""All abstracts of a batch against null models, from its page."""

import pytest
from django.test import Client
from django.urls import reverse

from generation.models import Batch
from graphs import services, tasks
from graphs.models import NullChunk, NullComparison
from graphs.science.null_models import NULL_MODELS
from graphs.selectors import batch_nulls, default_score_settings
from leases.models import State
from leases.services import claim
from tests.factories import make_abstract, make_batch, make_cell, make_corpus, make_researcher, make_retrieval
from tests.graphs.texts import sentences

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Keys of the chunks that would have been sent to a worker; there are few draws."""
    sent: list[int] = []
    monkeypatch.setattr(tasks.draw_null, "delay_on_commit", sent.append)
    monkeypatch.setattr("studio.batches.nulls.DRAWS", 60)
    return sent


@pytest.fixture
def batch() -> Batch:
    """Two different texts of three abstracts; another batch has a text of its own."""
    cell = make_cell()
    for body in (sentences(words=60, seed=1), sentences(words=60, seed=2), sentences(words=60, seed=2)):
        make_abstract(body=body, cell=cell)
    other = make_cell(retrieval=make_retrieval(corpus=make_corpus(name="Other")))
    make_abstract(body=sentences(words=60, seed=3), cell=other)
    return cell.batch


@pytest.fixture
def researcher(client: Client) -> Client:
    client.force_login(make_researcher())
    return client


def address(batch: Batch, name: str = "batch_nulls") -> str:
    return reverse(f"studio:{name}", args=[batch.public_id])


def draw(chunks: list[int]) -> None:
    for chunk in chunks:
        lease = claim(model=NullChunk, pk=chunk)
        assert lease
        services.run_null_chunk(lease=lease)


def test_each_different_text_is_drawn_for_once(researcher: Client, batch: Batch, sent: list[int]) -> None:
    assert "Draw 60 graphs from each null model" in researcher.get(address(batch)).content.decode()
    assert researcher.post(address(batch, "batch_nulls_start")).headers["Location"] == address(batch)
    assert len(sent) == 2 * len(NULL_MODELS)
    html = researcher.get(address(batch)).content.decode()
    assert "0 of 8 comparisons finished" in html
    assert "every 3s" in html
    researcher.post(address(batch, "batch_nulls_start"))
    assert len(sent) == 2 * len(NULL_MODELS)


def test_what_stands_out_is_counted(researcher: Client, batch: Batch, sent: list[int]) -> None:
    researcher.post(address(batch, "batch_nulls_start"))
    draw(sent)
    tallied = batch_nulls(batch=batch, settings=default_score_settings())
    assert tallied.is_whole
    assert [model.finished for model in tallied.models] == [2] * len(NULL_MODELS)
    model = tallied.models[2].null_model.key
    readings = list(NullComparison.objects.filter(null_model=model).values_list("metrics", flat=True))
    for row in tallied.models[2].metrics:
        figures = [reading[row.metric.key] for reading in readings]
        out = [one for one in figures if one["p_holm"] is not None and one["p_holm"] <= 0.05]
        assert row.compared == sum(one["z"] is not None for one in figures)
        assert (row.above, row.below) == (sum(one["z"] > 0 for one in out), sum(one["z"] < 0 for one in out))
    html = researcher.get(address(batch), headers={"hx-request": "true", "hx-target": "batch-nulls"}).content.decode()
    assert html.lstrip().startswith('<div id="batch-nulls"')
    assert "every 3s" not in html
    assert "2 texts; above and below" in html


def test_cancelled_draws_are_taken_up_again(researcher: Client, batch: Batch, sent: list[int]) -> None:
    researcher.post(address(batch, "batch_nulls_start"))
    draw(sent[:3])
    researcher.post(address(batch, "batch_nulls_cancel"))
    assert NullChunk.objects.filter(state=State.CANCELLED).count() == 5
    html = researcher.get(address(batch)).content.decode()
    assert "Drawing stopped: it was cancelled" in html
    researcher.post(address(batch, "batch_nulls_start"))
    assert sorted(sent[8:]) == sorted(sent[3:8])


def test_a_batch_without_texts_and_one_with_too_many(
    researcher: Client, batch: Batch, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (
        "written nothing yet" in researcher.get(address(make_batch(name="Empty", corpus=batch.corpus))).content.decode()
    )
    monkeypatch.setattr("studio.batches.nulls.MOST_TEXTS", 1)
    answer = researcher.post(address(batch, "batch_nulls_start"), follow=True)
    assert "1 are the most" in answer.content.decode()
    assert sent == []


def test_as_many_queries_whatever_the_size(
    researcher: Client, batch: Batch, sent: list[int], django_assert_num_queries
) -> None:  # type: ignore[no-untyped-def]
    services.ensure_default_settings()
    # user, batch, settings; texts, progress, finished, tallies
    with django_assert_num_queries(7):
        researcher.get(address(batch))
    researcher.post(address(batch, "batch_nulls_start"))
    draw(sent)
    with django_assert_num_queries(7):
        researcher.get(address(batch))
