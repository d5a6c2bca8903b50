"""The sample of a fresh installation: complete, made through the services, and never twice."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from corpora.models import Corpus, Embedding, EmbeddingJob
from evaluation.models import Item, Rating, Study
from evaluation.services.studies import close_study
from generation.models import Batch, Run
from graphs.models import ScoringJob
from studio import sample
from tests.factories import make_researcher

pytestmark = pytest.mark.django_db


def test_it_is_loaded_once_however_often_it_is_asked_for() -> None:
    owner = make_researcher()
    first = sample.load_sample(owner=owner)
    assert sample.load_sample(owner=owner) == first
    corpus = Corpus.objects.get()
    assert corpus.is_synthetic
    assert corpus.documents.count() == Embedding.objects.count() == 60
    assert EmbeddingJob.objects.count() == 1
    assert Batch.objects.get().state == Batch.State.LAUNCHED
    assert Run.objects.count() == 3 * 2 * 5
    assert {study.title: study.state for study in Study.objects.all()} == {
        sample.OPEN_STUDY: "open",
        sample.FINISHED_STUDY: "closed",
    }
    assert Rating.objects.count() == 40
    texts_to_score = {text for job in ScoringJob.objects.all() for text in job.text_ids}
    assert texts_to_score == set(Item.objects.values_list("text_id", flat=True))


def test_what_lost_its_vector_is_embedded_again() -> None:
    owner = make_researcher()
    sample.load_sample(owner=owner)
    Embedding.objects.filter(pk=Embedding.objects.values("pk")[:1]).delete()
    sample.load_sample(owner=owner)
    assert Embedding.objects.count() == 60


def test_its_links_let_reviewers_in(client: Client) -> None:
    for path in sample.load_sample(owner=make_researcher()).reviewers.values():
        assert client.get(path).status_code == 200


def test_a_link_that_ran_out_is_renewed() -> None:
    from evaluation.models import Invitation

    owner = make_researcher()
    first = sample.load_sample(owner=owner)
    Invitation.objects.filter(name="Reviewer One").update(expires_at="2020-01-01T00:00:00Z")
    again = sample.load_sample(owner=owner)
    assert again.reviewers["Reviewer One"] != first.reviewers["Reviewer One"]
    assert again.reviewers["Reviewer Two"] == first.reviewers["Reviewer Two"]


def test_a_closed_study_offers_no_links() -> None:
    owner = make_researcher()
    sample.load_sample(owner=owner)
    close_study(study=Study.objects.get(title=sample.OPEN_STUDY))
    assert sample.load_sample(owner=owner).reviewers == {}


def test_the_command_prints_the_links_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    make_researcher(username="admin")
    call_command("load_sample", "--json")
    printed = json.loads(capsys.readouterr().out)
    assert [person["name"] for person in printed["reviewers"]] == list(sample.REVIEWERS)


def test_an_unknown_owner_is_refused() -> None:
    with pytest.raises(CommandError, match="no user nobody"):
        call_command("load_sample", "--owner", "nobody")
