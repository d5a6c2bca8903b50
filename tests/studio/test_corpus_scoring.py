"""Scoring a whole corpus from its page: how far it is, stopping it, going on."""

import pytest
from django.test import Client
from django.urls import reverse

from graphs import services, tasks
from graphs.models import ScoringJob
from leases.models import State
from leases.services import claim, fail
from tests.factories import make_corpus, make_researcher, make_user
from tests.graphs.texts import sentences

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    sent: list[int] = []
    monkeypatch.setattr(tasks.score, "delay_on_commit", sent.append)
    monkeypatch.setattr("graphs.services.planning.TEXTS_PER_JOB", 2)
    return sent


@pytest.fixture
def researcher(client: Client) -> Client:
    client.force_login(make_researcher())
    return client


def part(client: Client, corpus) -> str:  # type: ignore[no-untyped-def]
    answer = client.get(reverse("studio:corpus_scoring", args=[corpus.pk]), headers={"hx-request": "true"})
    assert answer.status_code == 200
    return answer.content.decode()


def run(job: int) -> None:
    lease = claim(model=ScoringJob, pk=job)
    assert lease
    services.run_scoring(lease=lease)


def test_progress_shows_until_every_text_is_scored(researcher: Client, sent: list[int]) -> None:
    corpus = make_corpus(bodies=[sentences(seed=seed) for seed in range(5)])
    assert "every 2s" not in part(researcher, corpus)
    researcher.post(reverse("studio:corpus_score", args=[corpus.pk]))
    assert len(sent) == 3
    run(sent[0])
    html = part(researcher, corpus)
    assert "2 of 5 scored" in html
    assert '<progress max="5" value="2"' in html
    assert "every 2s" in html
    for job in sent[1:]:
        run(job)
    html = part(researcher, corpus)
    assert "5 of 5 scored" in html
    assert "every 2s" not in html
    assert "<button" not in html


def test_stopping_keeps_what_is_scored_and_leaves_other_corpora_alone(researcher: Client, sent: list[int]) -> None:
    corpus = make_corpus(bodies=[sentences(seed=seed) for seed in range(5)])
    other = make_corpus(name="Another", bodies=[sentences(seed=9)])
    for each in (corpus, other):
        researcher.post(reverse("studio:corpus_score", args=[each.pk]))
    run(sent[0])
    stop = reverse("studio:corpus_score_cancel", args=[corpus.pk])
    assert researcher.post(stop).headers["Location"] == reverse("studio:corpus", args=[corpus.pk])
    assert ScoringJob.objects.filter(state=State.CANCELLED).count() == 2
    assert ScoringJob.objects.get(corpus=other).state == State.QUEUED
    html = part(researcher, corpus)
    assert "2 of 5 scored" in html
    assert "Score all texts" in html
    researcher.post(reverse("studio:corpus_score", args=[corpus.pk]))
    for job in sent[4:]:
        run(job)
    assert "5 of 5 scored" in part(researcher, corpus)


def test_a_failed_job_says_why(researcher: Client, sent: list[int]) -> None:
    corpus = make_corpus(bodies=[sentences(seed=1)])
    researcher.post(reverse("studio:corpus_score", args=[corpus.pk]))
    lease = claim(model=ScoringJob, pk=sent[0])
    assert lease
    fail(lease=lease, error="no memory left")
    html = part(researcher, corpus)
    assert 'title="no memory left"' in html
    assert "Score all texts" in html


def test_the_part_leads_to_the_page_where_it_stands_alone(researcher: Client) -> None:
    corpus = make_corpus()
    answer = researcher.get(reverse("studio:corpus_scoring", args=[corpus.pk]))
    assert answer.headers["Location"] == reverse("studio:corpus", args=[corpus.pk])


def test_researchers_only_by_post_only_and_known_corpora_only(client: Client) -> None:
    corpus = make_corpus()
    stop = reverse("studio:corpus_score_cancel", args=[corpus.pk])
    assert client.post(stop).headers["Location"].startswith(reverse("account_login"))
    client.force_login(make_user())
    assert client.post(stop).status_code == 403
    client.force_login(make_researcher())
    assert client.get(stop).status_code == 405
    for name in ("corpus_score_cancel", "corpus_score"):
        assert client.post(reverse(f"studio:{name}", args=[10**9])).status_code == 404
    assert client.get(reverse("studio:corpus_scoring", args=[10**9])).status_code == 404


def test_progress_takes_as_many_queries_for_many_jobs_as_for_few(researcher: Client, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    for name, texts in (("Few", 2), ("Many", 12)):
        corpus = make_corpus(name=name, bodies=[sentences(words=20 + texts, seed=seed) for seed in range(texts)])
        researcher.post(reverse("studio:corpus_score", args=[corpus.pk]))
        # user, corpus, settings, documents, scores, jobs
        with django_assert_num_queries(6):
            part(researcher, corpus)
