"""The researchers' pages on batches."""

import re
import uuid
from decimal import Decimal

import pytest
from django.core.cache import cache
from django.urls import reverse

from corpora.models import Corpus, Embedding
from corpora.services import register_packaged_models
from generation.models import Abstract, Batch, LanguageModel, Run
from generation.selectors.catalogue import REPORT_KEY
from generation.services import register_language_models, register_prompts
from leases.models import State
from tests.factories import (
    make_abstract,
    make_batch,
    make_cell,
    make_corpus,
    make_language_model,
    make_prompt,
    make_researcher,
    make_retrieval,
    make_text,
    make_user,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_worker_has_reported():
    cache.delete(REPORT_KEY)


@pytest.fixture
def researcher(client):
    client.force_login(make_researcher())
    return client


@pytest.fixture
def corpus(db):
    """Wholly embedded, with made-up vectors: these pages read none."""
    corpus = make_corpus(bodies=["Tailings settle.", "Dry stacks drain."])
    model = register_packaged_models()[0]
    for document in corpus.documents.all():
        Embedding.objects.create(document=document, model=model, vector=[0.1] * model.dimensions)
    return corpus


@pytest.fixture
def design(corpus):
    return {
        "name": "Settling",
        "corpus": corpus.pk,
        "language_models": [register_language_models()[0].pk],
        "prompts": [prompt.pk for prompt in register_prompts()[:2]],
        "embedding_models": [register_packaged_models()[0].pk],
        "temperatures": "0.1, 0.7",
        "queries": "How do tailings settle?\n\n  How  do tailings settle?\nWhat is lost?",
        "iterations": 3,
        "top_n": 2,
        "max_new_tokens": 60,
        "seed": 7,
    }


def pages(batch):
    return [
        reverse("studio:batches"),
        reverse("studio:batch_new"),
        reverse("studio:language_models"),
        reverse("studio:batch", args=[batch.public_id]),
    ]


def test_only_researchers_see_and_act(client):
    batch = make_batch()
    client.force_login(make_user())
    assert {client.get(page).status_code for page in pages(batch)} == {403}
    assert client.post(reverse("studio:batch_action", args=[batch.public_id, "pause"])).status_code == 403
    client.logout()
    assert {client.get(page).status_code for page in pages(batch)} == {302}
    batch.refresh_from_db()
    assert batch.state == Batch.State.LAUNCHED


def test_every_page_opens_without_any_data(researcher):
    LanguageModel.objects.all().delete()
    for name in ("batches", "batch_new", "language_models"):
        assert researcher.get(reverse(f"studio:{name}")).status_code == 200


class TestDesign:
    url = "/studio/batches/new/"

    def test_a_fresh_installation_offers_prompts_and_models(self, researcher):
        page = researcher.get(reverse("studio:batch_new")).content.decode()
        for offered in ("Zero-shot", "Take your time", "Postdoctoral researcher", "TextRank extraction (baseline)"):
            assert offered in page

    def test_saving_plans_a_draft(self, researcher, design):
        answer = researcher.post(reverse("studio:batch_new"), design)
        batch = Batch.objects.get()
        assert answer.url == reverse("studio:batch", args=[batch.public_id])
        assert (batch.state, batch.created_by.username) == (Batch.State.DRAFT, "renata")
        assert Run.objects.filter(cell__batch=batch).count() == 2 * 2 * 2 * 3

    def test_check_shows_the_size_and_stores_nothing(self, researcher, design):
        page = researcher.post(reverse("studio:batch_new"), design | {"check": "1"}).content.decode()
        assert "<html" in page
        assert "24</strong><span>texts in 8 cells" in page
        assert "1 language model × 2 prompts × 1 embedding × 2 temperatures × 2 questions × 3 iterations" in page
        assert not Batch.objects.exists()

    def test_the_size_comes_as_a_fragment_while_the_form_is_filled_in(self, researcher, design):
        given = design | {"check": "1", "name": "", "iterations": 31}
        page = researcher.post(reverse("studio:batch_new"), given, headers={"HX-Request": "true"}).content.decode()
        assert "<html" not in page
        assert "248</strong>" in page
        assert "is assumed: no run of it was measured yet" in page

    def test_the_time_is_that_of_earlier_runs(self, researcher, design):
        model = LanguageModel.objects.get(pk=design["language_models"][0])
        abstract = make_abstract(cell=make_cell(language_model=model, batch=make_batch(corpus=Corpus.objects.get())))
        type(abstract).objects.create(
            run=Run.objects.create(cell=abstract.run.cell, iteration=9, seed=9),
            text=abstract.text,
            raw_output="x",
            provenance={"seconds": 10},
        )
        page = researcher.post(reverse("studio:batch_new"), design | {"check": "1"}).content.decode()
        assert "4 min</strong>" in page
        assert "assumed" not in page

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"temperatures": "0,1; x"}, "Write numbers with a point"),
            ({"temperatures": "3"}, "Temperatures lie from 0 to 2."),
            ({"temperatures": "NaN"}, "Temperatures lie from 0 to 2."),
            ({"temperatures": "0.1234"}, "Temperatures have at most three decimals."),
            ({"temperatures": "1e9999"}, "Temperatures lie from 0 to 2."),
            ({"iterations": "0"}, "greater than or equal to 1"),
            ({"iterations": "many"}, "Enter a whole number"),
            ({"seed": str(2**63)}, "less than or equal to"),
            ({"language_models": ["999999"]}, "Select a valid choice"),
            ({"corpus": "x"}, "Select a valid choice"),
            ({"prompts": []}, "This field is required"),
            ({"queries": "\n".join(f"Question {n}?" for n in range(600)), "iterations": 1000}, "split it"),
        ],
    )
    def test_bad_input_is_answered_in_words(self, researcher, design, changes, said):
        answer = researcher.post(reverse("studio:batch_new"), design | changes)
        assert answer.status_code == 200
        assert said in answer.content.decode()
        assert not Batch.objects.exists()

    def test_a_corpus_that_is_not_embedded_is_refused(self, researcher, design):
        design["corpus"] = make_corpus(name="Bare", bodies=["Nothing here is embedded."]).pk
        page = researcher.post(reverse("studio:batch_new"), design).content.decode()
        assert "Bare is not wholly embedded under WordLlama 256 yet." in page

    def test_a_model_that_no_worker_can_run_is_disabled_with_the_remedy(self, researcher, design):
        refused = {"can_run": False, "reason": "not installed: torch", "remedy": "run make models"}
        runs = {"can_run": True, "reason": "", "remedy": ""}
        cache.set(REPORT_KEY, {"kinds": {"smollm2": refused, "extractive": runs}, "keys": []})
        model = LanguageModel.objects.get(key="smollm2-135m")
        page = researcher.get(reverse("studio:batch_new")).content.decode()
        assert re.search(rf'value="{model.pk}"\s+disabled', page)
        assert "Not installed: torch. Run make models." in page
        design["language_models"] = [model.pk]
        assert "Select a valid choice" in researcher.post(reverse("studio:batch_new"), design).content.decode()


class TestBatch:
    @pytest.fixture
    def batch(self, corpus):
        return make_batch(corpus=corpus)

    @pytest.fixture
    def cells(self, batch):
        retrieval = make_retrieval(corpus=batch.corpus)
        shared = {"batch": batch, "retrieval": retrieval}
        return [
            make_cell(**shared, temperature="0.100"),
            make_cell(**shared, temperature="0.700"),
            make_cell(**shared, prompt=make_prompt(key="other"), temperature="0.100"),
            make_cell(**shared, language_model=make_language_model(key="second"), temperature="0.100"),
        ]

    def get(self, client, batch, **query):
        return client.get(reverse("studio:batch", args=[batch.public_id]), query)

    def test_progress_is_asked_for_again_only_while_runs_are_left(self, researcher, batch, cells):
        make_abstract(cell=cells[0])
        assert 'hx-trigger="every 2s"' not in self.get(researcher, batch).content.decode()
        run = Run.objects.create(cell=cells[1], iteration=1, seed=1)
        assert 'hx-trigger="every 2s"' in self.get(researcher, batch).content.decode()
        Batch.objects.update(state=Batch.State.PAUSED)
        assert 'hx-trigger="every 2s"' not in self.get(researcher, batch).content.decode()
        Batch.objects.update(state=Batch.State.LAUNCHED)
        Run.objects.filter(pk=run.pk).update(state=State.FAILED, error="no memory")
        page = self.get(researcher, batch).content.decode()
        assert 'hx-trigger="every 2s"' not in page
        assert "1 run: no memory" in page

    def test_the_fragment_tells_when_there_are_new_abstracts(self, researcher, batch, cells):
        make_abstract(cell=cells[0])
        url = reverse("studio:batch", args=[batch.public_id])
        news = researcher.get(url, {"part": "progress", "done": 0}, headers={"HX-Request": "true"})
        assert news["HX-Trigger"] == "abstracts-changed"
        assert "<html" not in news.content.decode()
        same = researcher.get(url, {"part": "progress", "done": 1}, headers={"HX-Request": "true"})
        assert "HX-Trigger" not in same
        assert "<html" in researcher.get(url, {"part": "progress"}).content.decode()

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            (lambda cells: {}, {0, 1, 2, 3}),
            (lambda cells: {"cell": cells[1].pk}, {1}),
            (lambda cells: {"prompt": cells[2].prompt_id}, {2}),
            (lambda cells: {"model": cells[3].language_model_id}, {3}),
            (lambda cells: {"temperature": "0.700"}, {1}),
            (lambda cells: {"temperature": "0.100", "prompt": cells[0].prompt_id}, {0, 3}),
            (lambda cells: {"temperature": "hot", "cell": "x", "model": "-1"}, {0, 1, 2, 3}),
            (lambda cells: {"cell": 2**63 - 1}, set()),
        ],
    )
    def test_abstracts_are_filtered(self, researcher, batch, cells, query, expected):
        for number, cell in enumerate(cells):
            make_abstract(cell=cell, body=f"Body of cell number {number}.")
        page = self.get(researcher, batch, **query(cells)).content.decode()
        assert {int(n) for n in re.findall(r"Body of cell number (\d)", page)} == expected

    def test_abstracts_of_other_batches_are_not_listed(self, researcher, batch, cells):
        make_abstract(cell=cells[0], body="Ours.")
        make_abstract(cell=make_cell(batch=make_batch(name="Other", corpus=batch.corpus)), body="Theirs.")
        page = self.get(researcher, batch).content.decode()
        assert "Ours." in page
        assert "Theirs." not in page

    def test_pages_of_abstracts_follow_each_other_without_gap_or_repeat(self, researcher, batch, cells):
        for number in range(45):
            make_abstract(cell=cells[number % 2], body=f"Body {number:02}.")
        seen, query = [], {}
        for _ in range(3):
            page = self.get(researcher, batch, **query).content.decode()
            seen += re.findall(r"Body (\d\d)", page)
            following = re.search(r"after=(\d+)#abstracts", page)
            query = {"after": following[1]} if following else {}
        assert len(seen) == 45
        assert len(set(seen)) == 45
        assert not query

    @pytest.mark.parametrize(("honoured", "is_warned"), [(False, True), (True, False), (None, False)])
    def test_a_server_that_ignores_the_temperature_is_named(self, researcher, batch, cells, honoured, is_warned):
        model = make_language_model(key="server", backend="openai")
        cell = make_cell(batch=batch, retrieval=cells[0].retrieval, language_model=model)
        Abstract.objects.create(
            run=Run.objects.create(cell=cell, iteration=1, seed=1, state=State.DONE),
            text=make_text("A text."),
            raw_output="A text.",
            provenance={"details": {"temperature_honoured": honoured}},
        )
        page = self.get(researcher, batch).content.decode()
        assert ("The server of server gave one text" in page) is is_warned

    def test_links_lead_to_the_abstract(self, researcher, batch, cells):
        abstract = make_abstract(cell=cells[0])
        assert reverse("studio:abstract", args=[abstract.public_id]) in self.get(researcher, batch).content.decode()

    def test_unknown_batches_and_actions_are_not_found(self, researcher, batch):
        assert researcher.get(reverse("studio:batch", args=[uuid.uuid4()])).status_code == 404
        assert researcher.post(reverse("studio:batch_action", args=[uuid.uuid4(), "pause"])).status_code == 404
        assert researcher.post(reverse("studio:batch_action", args=[batch.public_id, "explode"])).status_code == 404
        assert researcher.get(reverse("studio:batch_action", args=[batch.public_id, "pause"])).status_code == 405

    def test_from_launch_to_cancel(self, researcher, design, django_capture_on_commit_callbacks):
        researcher.post(reverse("studio:batch_new"), design)
        batch = Batch.objects.get()

        def press(action):
            url = reverse("studio:batch_action", args=[batch.public_id, action])
            page = researcher.post(url, follow=True).content.decode()
            batch.refresh_from_db()
            return page, batch.state

        assert press("launch")[1] == Batch.State.LAUNCHED
        assert "Nothing changed" in press("launch")[0]
        assert press("pause")[1] == Batch.State.PAUSED
        assert press("resume")[1] == Batch.State.LAUNCHED
        Run.objects.filter(cell__batch=batch, iteration=1).update(state=State.FAILED, error="x")
        assert "The failed runs are in the queue again." in press("retry")[0]
        assert not Run.objects.filter(state=State.FAILED).exists()
        assert press("cancel")[1] == Batch.State.CANCELLED

    def test_a_launch_without_vectors_says_what_to_do(self, researcher, design):
        researcher.post(reverse("studio:batch_new"), design)
        Embedding.objects.first().delete()
        url = reverse("studio:batch_action", args=[Batch.objects.get().public_id, "launch"])
        assert "Embed the corpus first." in researcher.post(url, follow=True).content.decode()

    def test_texts_that_repeat_another_of_the_batch_are_counted(self, researcher, batch, cells):
        url = reverse("studio:batch", args=[batch.public_id])
        make_abstract(cell=cells[0], body="The same words.")
        make_abstract(cell=make_cell(batch=make_batch(name="Other", corpus=batch.corpus)), body="The same words.")
        assert "word for word" not in researcher.get(url).content.decode()
        for number in (1, 2):
            make_abstract(cell=cells[1], body="The same words.")
            page = " ".join(researcher.get(url).content.decode().split())
            noun = "1 text repeats" if number == 1 else "2 texts repeat"
            assert f"{noun} another one of this batch word for word" in page

    def test_queries_do_not_grow_with_runs_or_abstracts(self, researcher, batch, cells, django_assert_num_queries):
        url = reverse("studio:batch", args=[batch.public_id])
        make_abstract(cell=cells[0])
        researcher.get(url)
        # user; batch; cells; counts; abstracts; options of two filters; repeated; written; settings of their scores
        with django_assert_num_queries(10):
            researcher.get(url)
        for number in range(40):
            make_abstract(cell=cells[number % 4], body=f"Body {number}.")
        with django_assert_num_queries(10):
            researcher.get(url)
        # user; batch; cells; counts
        with django_assert_num_queries(4):
            researcher.get(url, {"part": "progress", "done": 41}, headers={"HX-Request": "true"})


class TestList:
    def test_batches_are_listed_newest_first_over_pages(self, researcher):
        corpus = make_corpus()
        for number in range(25):
            make_batch(name=f"Batch {number:02}", corpus=corpus)
        page = researcher.get(reverse("studio:batches")).content.decode()
        names = re.findall(r"Batch (\d\d)", page)
        assert names == [f"{number:02}" for number in range(24, 4, -1)]
        older = re.search(r"before=(\d+)", page)[1]
        page = researcher.get(reverse("studio:batches"), {"before": older}).content.decode()
        assert re.findall(r"Batch (\d\d)", page) == ["04", "03", "02", "01", "00"]

    def test_counts_belong_to_their_batch(self, researcher):
        make_abstract(cell=make_cell(batch=make_batch(name="One")))
        Run.objects.create(
            cell=make_cell(batch=make_batch(name="Two", corpus=make_corpus(name="B"))), iteration=1, seed=1
        )
        page = " ".join(researcher.get(reverse("studio:batches")).content.decode().split())
        assert "1 of 1" in page
        assert "0 of 1" in page

    @pytest.mark.parametrize("before", ["", "x", "-1", "9" * 40, "1"])
    def test_any_place_in_the_list_is_answered(self, researcher, before):
        assert researcher.get(reverse("studio:batches"), {"before": before}).status_code == 200

    def test_queries_do_not_grow_with_batches(self, researcher, django_assert_num_queries):
        corpus = make_corpus()
        cell = make_cell(batch=make_batch(corpus=corpus))
        researcher.get(reverse("studio:batches"))
        # user; batches; counts
        with django_assert_num_queries(3):
            researcher.get(reverse("studio:batches"))
        for number in range(15):
            make_batch(name=f"Batch {number}", corpus=corpus)
            Run.objects.create(cell=cell, iteration=number + 1, seed=number)
        with django_assert_num_queries(3):
            researcher.get(reverse("studio:batches"))


class TestLanguageModels:
    given = {"backend": "openai", "name": "Big model", "model": "big", "base_url": "http://gpu:8000/v1"}

    def test_a_server_can_be_added(self, researcher):
        researcher.post(reverse("studio:language_models"), self.given | {"api_key_env": "BIG_API_KEY"})
        model = LanguageModel.objects.get(key="big-model")
        assert model.options == {"base_url": "http://gpu:8000/v1", "model": "big", "api_key_env": "BIG_API_KEY"}
        page = researcher.get(reverse("studio:language_models")).content.decode()
        assert "The environment variable BIG_API_KEY is not set." in page

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"base_url": ""}, "base_url must be given"),
            ({"base_url": "ftp://x/v1"}, "must begin with http"),
            ({"base_url": "http://u:p@x/v1"}, "hold no password"),
            ({"api_key_env": "sk-1234"}, "ends in _API_KEY, not a key"),
            ({"api_key_env": "SECRET_KEY"}, "ends in _API_KEY"),
            ({"name": "…"}, "Use letters or digits."),
            ({"backend": "pickle"}, "Select a valid choice"),
        ],
    )
    def test_what_cannot_be_used_is_refused(self, researcher, changes, said):
        before = LanguageModel.objects.count()
        answer = researcher.post(reverse("studio:language_models"), self.given | changes)
        assert said in answer.content.decode()
        assert LanguageModel.objects.count() == before

    def test_a_second_one_of_the_same_name_and_revision_is_refused(self, researcher):
        for _ in range(2):
            answer = researcher.post(reverse("studio:language_models"), self.given)
        assert "There is a model of that name and revision already." in answer.content.decode()


def test_temperatures_are_kept_exactly(researcher, design):
    researcher.post(reverse("studio:batch_new"), design | {"temperatures": "0.1 0.70,0.7;2"})
    cells = Batch.objects.get().cells.values_list("temperature", flat=True)
    assert sorted(set(cells)) == [Decimal("0.100"), Decimal("0.700"), Decimal("2.000")]
