import pytest

from corpora.models import Retrieval
from generation.models import Abstract, LanguageModel, Run
from generation.science.backends import registry
from generation.science.backends.protocol import Failure, Output
from generation.services import generate_group, launch_batch, plan_batch, register_language_model
from leases.models import State
from leases.services import cancel
from tests.factories import expire

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch(spec):
    batch = plan_batch(spec=spec())
    launch_batch(batch=batch)
    return batch


class Scripted:
    """A back end that answers as a test wants."""

    group_size = 8

    def __init__(self, answer):
        self.answer = answer
        self.groups = []

    def describe(self):
        return {"model": "scripted"}

    def generate(self, request, seeds):
        self.groups.append(list(seeds))
        return [self.answer(seed, place) for place, seed in enumerate(seeds)]


@pytest.fixture
def scripted(monkeypatch):
    def script(answer):
        backend = Scripted(answer)
        monkeypatch.setattr("generation.services.runs.load", lambda *_, **__: backend)
        return backend

    return script


def written(text, **fields):
    return Output(text, "stop", 10, 20, 0.5, **fields)


def test_the_runs_of_a_cell_are_written_together_and_stored_each_on_its_own(batch, scripted):
    backend = scripted(lambda seed, place: written(f"Abstract: text of seed {seed}"))
    cell = batch.cells.first()
    assert generate_group(cell_id=cell.pk) is False
    seeds = list(cell.runs.order_by("iteration").values_list("seed", flat=True))
    assert backend.groups == [seeds]
    stored = Abstract.objects.filter(run__cell=cell).order_by("run__iteration")
    assert [abstract.text.body for abstract in stored] == [f"text of seed {seed}" for seed in seeds]
    assert stored[0].raw_output == f"Abstract: text of seed {seeds[0]}"
    assert Run.objects.filter(state=State.DONE).count() == 3


def test_a_group_is_no_larger_than_the_back_end_wants(batch, scripted):
    backend = scripted(lambda seed, place: written(f"Text {seed}"))
    backend.group_size = 2
    cell = batch.cells.first()
    assert generate_group(cell_id=cell.pk) is True
    assert generate_group(cell_id=cell.pk) is False
    assert [len(group) for group in backend.groups] == [2, 1]
    assert generate_group(cell_id=cell.pk) is False
    assert len(backend.groups) == 2


def test_the_retrieval_is_made_once_and_shared_by_the_cells_that_ask_the_same(spec):
    batch = plan_batch(spec=spec(queries=["How do tailings settle?", "What is lost?"]))
    launch_batch(batch=batch)
    for cell in batch.cells.all():
        generate_group(cell_id=cell.pk)
    assert Retrieval.objects.count() == 2
    by_query = {(cell.query, cell.retrieval_id) for cell in batch.cells.all()}
    assert len(by_query) == 2
    assert all(cell.retrieval.query == cell.query for cell in batch.cells.select_related("retrieval"))
    assert all(cell.retrieval.retrieved.count() == 2 for cell in batch.cells.select_related("retrieval"))


def test_two_batches_make_lists_of_their_own(spec):
    for name in ("first", "second"):
        batch = plan_batch(spec=spec(name=name))
        launch_batch(batch=batch)
        generate_group(cell_id=batch.cells.first().pk)
    assert Retrieval.objects.count() == 2


def test_provenance_says_where_a_text_came_from(batch):
    cell = batch.cells.select_related("prompt").order_by("pk")[3]
    generate_group(cell_id=cell.pk)
    abstract = Abstract.objects.filter(run__cell=cell).order_by("run__iteration").last()
    found = abstract.provenance
    cell.refresh_from_db()
    expected = {
        "backend": "extractive",
        "prompt": {"key": "B", "version": 1, "sha256": cell.prompt.sha256},
        "temperature": 0.7,
        "seed": abstract.run.seed,
        "iteration": 3,
        "max_new_tokens": 60,
        "query": "How do tailings settle?",
        "embedding_model": {"key": "wordllama-256", "revision": "l2-supercat-256"},
        "batch": str(batch.public_id),
    }
    assert {name: found[name] for name in expected} == expected
    assert found["language_model"]["key"] == "textrank"
    assert found["language_model"]["baseline"] is True
    assert found["language_model"]["versions"].keys() >= {"python", "sumy"}
    retrieved = list(cell.retrieval.retrieved.select_related("document", "text"))
    assert found["retrieval"]["id"] == cell.retrieval_id
    assert [row["doi"] for row in found["retrieval"]["documents"]] == [row.document.doi for row in retrieved]
    assert [row["similarity"] for row in found["retrieval"]["documents"]] == [row.similarity for row in retrieved]
    assert [message["role"] for message in found["messages"]] == ["system", "user"]
    assert retrieved[0].text.body in found["messages"][1]["content"]
    assert len(found["messages_sha256"]) == 64
    assert found["seconds"] > 0
    assert found["tokens"] > 0
    assert found["code_version"]
    assert found["written_at"]


def test_a_failure_is_its_own_runs_alone(batch, scripted):
    answers = [written("One text."), Failure("too long", is_transient=False), Failure("busy", is_transient=True)]
    scripted(lambda seed, place: answers[place])
    cell = batch.cells.first()
    assert generate_group(cell_id=cell.pk) is True
    states = list(cell.runs.order_by("iteration").values_list("state", "error"))
    assert states == [(State.DONE, ""), (State.FAILED, "too long"), (State.QUEUED, "busy")]


def test_an_output_without_an_abstract_fails_with_what_it_was(batch, scripted):
    scripted(lambda seed, place: written("Abstract:\n\n" if place else "A text."))
    cell = batch.cells.first()
    generate_group(cell_id=cell.pk)
    assert cell.runs.filter(state=State.DONE).count() == 1
    assert "its output was 'Abstract:" in cell.runs.filter(state=State.FAILED).first().error


def test_an_unknown_error_is_tried_again_until_the_attempts_are_used_up(batch, scripted, caplog):
    def explode(seed, place):
        raise RuntimeError("device lost")

    scripted(explode)
    cell = batch.cells.first()
    for _ in range(Run.MAX_ATTEMPTS):
        assert generate_group(cell_id=cell.pk) is True
        assert set(cell.runs.values_list("state", "error")) == {(State.QUEUED, "RuntimeError: device lost")}
    assert generate_group(cell_id=cell.pk) is False
    assert set(cell.runs.values_list("state", "error")) == {(State.FAILED, "RuntimeError: device lost")}


def test_a_back_end_that_cannot_run_here_fails_with_the_remedy(batch, monkeypatch):
    monkeypatch.setattr(
        "generation.services.runs.available",
        lambda *_: registry.Availability(False, "not installed: torch", "pip install torch"),
    )
    cell = batch.cells.first()
    generate_group(cell_id=cell.pk)
    assert set(cell.runs.values_list("state", flat=True)) == {State.FAILED}
    assert "not installed: torch. pip install torch" in cell.runs.first().error


def test_a_run_cancelled_while_it_is_written_stores_nothing(batch, scripted):
    cell = batch.cells.first()
    second = cell.runs.get(iteration=2)

    def answer(seed, place):
        cancel(rows=Run.objects.filter(pk=second.pk))
        return written(f"Text {seed}")

    scripted(answer)
    generate_group(cell_id=cell.pk)
    assert list(Abstract.objects.values_list("run__iteration", flat=True)) == [1, 3]
    second.refresh_from_db()
    assert second.state == State.CANCELLED


def test_a_late_worker_writes_nothing_where_another_took_over(batch, scripted):
    cell = batch.cells.first()
    inner = Scripted(lambda seed, place: written(f"Second worker {seed}"))
    late = scripted(lambda seed, place: written(f"Late worker {seed}"))

    def overtaken(request, seeds):
        for run in Run.objects.filter(cell=cell):
            expire(run)
        late.generate = inner.generate
        generate_group(cell_id=cell.pk)
        return [written(f"Late worker {seed}") for seed in seeds]

    late.generate = overtaken
    generate_group(cell_id=cell.pk)
    bodies = list(Abstract.objects.values_list("text__body", flat=True))
    assert len(bodies) == 3
    assert all(body.startswith("Second worker") for body in bodies)


def test_nul_characters_are_no_obstacle(batch, scripted):
    scripted(lambda seed, place: written(f"Text\x00 {seed}"))
    generate_group(cell_id=batch.cells.first().pk)
    assert Abstract.objects.first().text.body.startswith("Text ")


def test_equal_texts_are_stored_once(batch, scripted):
    scripted(lambda seed, place: written("Always the same."))
    for cell in batch.cells.all():
        generate_group(cell_id=cell.pk)
    assert Abstract.objects.count() == 12
    assert Abstract.objects.values("text").distinct().count() == 1


def test_options_that_fit_no_back_end_are_refused_on_registration():
    with pytest.raises(registry.OptionsError, match="base_url"):
        register_language_model(key="x", revision="1", backend="openai", name="X", options={"model": "m"})
    assert not LanguageModel.objects.filter(key="x").exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_retrieve_at_once_keep_one_list(spec, monkeypatch):
    from concurrent.futures import ThreadPoolExecutor
    from threading import Barrier

    from django.db import connection

    from corpora.services import retrieve
    from generation.models import Cell
    from generation.services import retrievals

    batch = plan_batch(spec=spec())
    both_made = Barrier(2)

    def made_by_both(**arguments):
        made = retrieve(**arguments)
        both_made.wait(20)
        return made

    monkeypatch.setattr(retrievals, "retrieve", made_by_both)

    def work(pk):
        try:
            cell = Cell.objects.select_related("batch__corpus", "embedding_model", "retrieval").get(pk=pk)
            return retrievals.ensure_retrieval(cell=cell).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        used = set(pool.map(work, list(batch.cells.values_list("pk", flat=True)[:2])))
    assert used == set(batch.cells.values_list("retrieval", flat=True))
    assert Retrieval.objects.count() == 1
