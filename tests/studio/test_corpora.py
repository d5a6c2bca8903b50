"""The researchers' pages on corpora: the list, a corpus with its vectors and documents, a document."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from corpora.models import Corpus, Document, Embedding, EmbeddingJob, EmbeddingModel
from corpora.services import queue_embedding, register_packaged_models
from leases.models import State
from leases.services import claim
from tests.factories import make_corpus, make_embedding_model, make_researcher, make_text, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def researcher(client):
    client.force_login(make_researcher())
    return client


@pytest.fixture
def corpus():
    return make_corpus(bodies=["Thickened tailings settle slowly.", "Froth depth governs selectivity."])


def page(corpus, **query):
    return reverse("studio:corpus", args=[corpus.pk], query=query)


def fragment(client, url, target):
    return client.get(url, headers={"HX-Request": "true", "HX-Target": target})


def queries(client, url):
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(url).status_code == 200
    return len(captured)


class TestAccess:
    @pytest.fixture
    def addresses(self, corpus):
        document = corpus.documents.first()
        return [
            reverse("studio:home"),
            reverse("studio:corpora"),
            reverse("studio:corpus_new"),
            page(corpus),
            reverse("studio:corpus_import", args=[corpus.pk]),
            reverse("studio:document", args=[document.pk]),
        ]

    def test_strangers_are_sent_to_sign_in(self, client, addresses):
        for address in addresses:
            response = client.get(address)
            assert response.status_code == 302
            assert response.url.startswith("/accounts/login/")

    def test_reviewers_are_refused(self, client, addresses):
        client.force_login(make_user())
        assert {client.get(address).status_code for address in addresses} == {403}

    def test_reviewers_can_start_nothing(self, client, corpus):
        client.force_login(make_user())
        for name in ("corpus_embed", "corpus_ask"):
            assert client.post(reverse(f"studio:{name}", args=[corpus.pk])).status_code == 403
        assert not EmbeddingJob.objects.exists()

    def test_reading_addresses_change_nothing(self, researcher, corpus):
        assert researcher.get(reverse("studio:corpus_embed", args=[corpus.pk])).status_code == 405

    @pytest.mark.parametrize("name", ["corpus", "corpus_import", "document", "import", "import_problems", "retrieval"])
    def test_unknown_rows_are_not_found(self, researcher, name):
        assert researcher.get(reverse(f"studio:{name}", args=[999_999])).status_code == 404


class TestList:
    def test_names_counts_and_models(self, researcher, corpus):
        model = make_embedding_model()
        EmbeddingJob.objects.create(corpus=corpus, model=model, state=State.DONE)
        make_corpus(name="Empty of vectors")
        response = researcher.get(reverse("studio:corpora"))
        rows = {row.name: (row.document_count, row.embedded_models) for row in response.context["page"].rows}
        assert rows == {"Tailings": (2, 1), "Empty of vectors": (1, 0)}
        assert "1 model" in response.content.decode()

    def test_an_empty_list_says_what_to_do(self, researcher):
        assert "Export a search from Scopus" in researcher.get(reverse("studio:corpora")).content.decode()

    def test_queries_do_not_grow(self, researcher):
        """The user (the session is cached), and one for the corpora with their counts."""
        make_corpus(name="First")
        few = queries(researcher, reverse("studio:corpora"))
        for number in range(20):
            make_corpus(name=f"Corpus {number}")
        assert queries(researcher, reverse("studio:corpora")) == few == 2

    def test_long_lists_have_pages(self, researcher):
        Corpus.objects.bulk_create(Corpus(name=f"Corpus {number:03}") for number in range(120))
        url, seen = reverse("studio:corpora"), []
        address = url
        for _ in range(3):
            shown = researcher.get(address).context["page"]
            seen += [row.name for row in shown.rows]
            address = url + shown.next
        assert shown.next == ""
        assert seen == [f"Corpus {number:03}" for number in range(120)]
        back = researcher.get(url + shown.previous).context["page"]
        assert [row.name for row in back.rows] == seen[50:100]


class TestDocuments:
    def test_search_leaves_out_what_does_not_hold_every_word(self, researcher, corpus):
        def titles(text):
            return [row.text.body[:5] for row in researcher.get(page(corpus, text=text)).context["page"].rows]

        assert titles("") == ["Thick", "Froth"]
        assert titles("TAILINGS slowly") == ["Thick"]
        assert titles("tailings froth") == []
        assert titles("10.5555/test.2") == ["Froth"]
        assert titles("100%") == []
        assert titles("_") == []

    def test_search_stays_in_its_corpus(self, researcher, corpus):
        other = make_corpus(name="Other", bodies=["Tailings elsewhere."])
        assert researcher.get(page(other, text="tailings")).context["document_count"] == 1

    def test_no_hit_is_said(self, researcher, corpus):
        assert "No document holds all of “granite”" in researcher.get(page(corpus, text="granite")).content.decode()

    def test_pages_keep_the_search(self, researcher, corpus):
        Document.objects.bulk_create(
            Document(corpus=corpus, text=make_text("Same."), title=f"Paper {number:02}") for number in range(30)
        )
        first = researcher.get(page(corpus, text="Same")).context["page"]
        assert len(first.rows) == 25
        assert first.next.startswith("?text=Same&after=")
        second = researcher.get(page(corpus) + first.next).context["page"]
        assert [row.title for row in second.rows] == [f"Paper {number}" for number in range(25, 30)]

    @pytest.mark.parametrize("query", [{"after": "x"}, {"after": "9" * 40}, {"before": "-1"}, {"text": "a\0b"}])
    def test_odd_addresses_show_a_page(self, researcher, corpus, query):
        assert researcher.get(page(corpus, **query)).status_code == 200

    def test_the_fragment_is_the_list_and_its_count(self, researcher, corpus):
        text = fragment(researcher, page(corpus, text="froth"), "documents").content.decode()
        assert text.lstrip().startswith('<div id="documents">')
        assert "1 document found" in text
        assert "<html" not in text

    def test_queries_do_not_grow(self, researcher, corpus):
        few = queries(researcher, page(corpus))
        Document.objects.bulk_create(
            Document(corpus=corpus, text=make_text(f"Text {number}"), title=f"Paper {number}") for number in range(40)
        )
        assert queries(researcher, page(corpus)) == few

    def test_a_document_shows_its_text_and_source(self, researcher, corpus):
        document = corpus.documents.order_by("pk").first()
        text = researcher.get(reverse("studio:document", args=[document.pk])).content.decode()
        assert "Thickened tailings settle slowly." in text
        assert 'href="https://doi.org/10.5555/test.1"' in text
        assert "The text as a graph" in text

    def test_markup_in_documents_is_shown_as_text(self, researcher):
        corpus = make_corpus(bodies=["<script>alert(1)</script> settles."])
        document = corpus.documents.get()
        for address in (page(corpus), reverse("studio:document", args=[document.pk])):
            assert "<script>alert" not in researcher.get(address).content.decode()


class TestEmbedding:
    def start(self, client, corpus, model="wordllama-256@l2-supercat-256"):
        return client.post(reverse("studio:corpus_embed", args=[corpus.pk]), {"model": model})

    def test_starting_queues_a_job(self, researcher, corpus):
        assert self.start(researcher, corpus).url == page(corpus)
        job = EmbeddingJob.objects.get()
        assert (job.corpus, job.state, job.total) == (corpus, State.QUEUED, 2)
        self.start(researcher, corpus)
        assert EmbeddingJob.objects.count() == 1

    def test_an_unknown_model_is_not_found(self, researcher, corpus):
        assert self.start(researcher, corpus, "magic").status_code == 404

    def test_a_corpus_without_documents_is_not_embedded(self, researcher):
        self.start(researcher, Corpus.objects.create(name="Bare"))
        assert not EmbeddingJob.objects.exists()

    def test_progress_is_shown_and_asked_for_again_until_it_is_done(self, researcher, corpus):
        self.start(researcher, corpus)
        job = EmbeddingJob.objects.get()
        Embedding.objects.create(document=corpus.documents.first(), model=job.model, vector=[0.1] * 256)
        text = fragment(researcher, page(corpus), "embedding").content.decode()
        assert 'hx-trigger="load delay:1s"' in text
        assert re.search(r'<progress max="2" value="1"', text)
        assert "1 of 2 documents" in text
        Embedding.objects.create(document=corpus.documents.last(), model=job.model, vector=[0.1] * 256)
        EmbeddingJob.objects.update(state=State.DONE)
        text = fragment(researcher, page(corpus), "embedding").content.decode()
        assert "hx-trigger" not in text
        assert "embedded</span>" in text
        assert 'hx-swap-oob="true"' in text
        assert "WordLlama 256</option>" in text

    def test_documents_that_came_later_can_be_embedded(self, researcher, corpus):
        model = register_packaged_models()[0]
        EmbeddingJob.objects.create(corpus=corpus, model=model, state=State.DONE)
        Embedding.objects.create(document=corpus.documents.first(), model=model, vector=[0.1] * 256)
        assert "Embed the new documents" in researcher.get(page(corpus)).content.decode()

    def test_a_job_can_be_cancelled_and_taken_up_again(self, researcher, corpus):
        self.start(researcher, corpus)
        job = EmbeddingJob.objects.get()
        lease = claim(model=EmbeddingJob, pk=job.pk)
        researcher.post(reverse("studio:embedding_action", args=[job.pk, "cancel"]))
        job.refresh_from_db()
        assert job.state == State.CANCELLED
        assert not lease.rows().exists()
        assert "Go on embedding" in researcher.get(page(corpus)).content.decode()
        researcher.post(reverse("studio:embedding_action", args=[job.pk, "retry"]))
        job.refresh_from_db()
        assert job.state == State.QUEUED

    def test_an_old_job_does_not_wake_up_beside_a_newer_one(self, researcher, corpus):
        model = register_packaged_models()[0]
        old = EmbeddingJob.objects.create(corpus=corpus, model=model, state=State.FAILED)
        new = queue_embedding(corpus=corpus, model=model)
        researcher.post(reverse("studio:embedding_action", args=[old.pk, "retry"]))
        states = dict(EmbeddingJob.objects.values_list("pk", "state"))
        assert states == {old.pk: State.FAILED, new.pk: State.QUEUED}

    def test_an_unknown_action_is_not_found(self, researcher, corpus):
        job = queue_embedding(corpus=corpus, model=make_embedding_model())
        assert researcher.post(reverse("studio:embedding_action", args=[job.pk, "explode"])).status_code == 404

    def test_why_a_job_failed_is_shown(self, researcher, corpus):
        job = queue_embedding(corpus=corpus, model=register_packaged_models()[0])
        EmbeddingJob.objects.filter(pk=job.pk).update(state=State.FAILED, error="torch is not installed")
        assert "torch is not installed" in researcher.get(page(corpus)).content.decode()

    def test_a_model_that_is_not_installed_here_says_what_to_do(self, researcher, corpus, monkeypatch):
        monkeypatch.setattr("corpora.selectors.embeddings.missing_modules", lambda *names: ["torch"])
        text = researcher.get(page(corpus)).content.decode()
        assert "torch is not installed beside this page" in text
        assert "make models" in text

    def test_models_of_ones_own_are_offered(self, researcher, corpus):
        EmbeddingModel.objects.create(
            key="mine", revision="7", backend="sentence-transformers", name="My model", dimensions=8, location="/m"
        )
        text = researcher.get(page(corpus)).content.decode()
        assert "Embed with My model" in text
        assert "Loaded from /m." in text
