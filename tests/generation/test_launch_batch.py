"""The command that launches a batch from a file."""

import io
from dataclasses import asdict

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command

from corpora.models import Corpus, Embedding
from generation.models import Batch, Run
from generation.science.backends.registry import Availability
from generation.selectors.catalogue import REPORT_KEY
from generation.services import SpecError, read_spec, register_language_models, register_prompts

SPEC = """
name = "Settling"
corpus = "Tailings"
language_models = ["textrank"]
prompts = ["A", "B.1"]
embedding_models = ["wordllama-256"]
temperatures = [0, 0.7]
queries = ["How do tailings settle?"]
iterations = 2
top_n = 2
seed = 7
"""


@pytest.fixture
def launch(tmp_path, embedded_corpus):
    register_prompts()
    register_language_models()

    def run(text=SPEC, *options):
        file = tmp_path / "spec.toml"
        file.write_text(text)
        out = io.StringIO()
        call_command("launch_batch", str(file), *options, stdout=out)
        return out.getvalue()

    return run


def test_a_file_becomes_a_launched_batch(launch):
    said = launch()
    batch = Batch.objects.get()
    assert (batch.state, batch.seed, batch.top_n, batch.max_new_tokens) == (Batch.State.LAUNCHED, 7, 2, 300)
    assert Run.objects.count() == 8
    assert "4 cells, 8 runs" in said
    assert f"launched: {batch.public_id}" in said


def test_a_dry_run_stores_nothing(launch):
    assert "8 runs" in launch(SPEC, "--dry-run")
    assert not Batch.objects.exists()


def test_a_draft_waits(launch):
    launch(SPEC, "--draft")
    assert Batch.objects.get().state == Batch.State.DRAFT


def test_the_same_file_gives_the_same_seeds(launch):
    launch()
    launch()
    first, second = (
        list(Run.objects.filter(cell__batch=batch).order_by("pk").values_list("seed", flat=True))
        for batch in Batch.objects.all()
    )
    assert first == second


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('name = "Settling"', "name =", "This is no TOML"),
        ('corpus = "Tailings"', 'corpus = "Gold"', "There is no corpus 'Gold'; there are: 'Tailings'."),
        ('["textrank"]', '["gpt"]', "There is no language model 'gpt'."),
        ('["textrank"]', '["textrank@9"]', "There is no language model 'textrank@9'."),
        ('"B.1"', '"B.x"', "There is no prompt 'B.x'."),
        ("wordllama-256", "word2vec", "There is no embedding model 'word2vec'."),
        ("[0, 0.7]", "[nan]", "temperatures must be a list of numbers from 0 to 2."),
        ("[0, 0.7]", "[0.1234]", "Temperatures have at most three decimals."),
        ("[0, 0.7]", '["hot"]', "temperatures must be a list of numbers"),
        ("iterations = 2", "iterations = 2.5", "iterations must be a whole number."),
        ("iterations = 2", "iterations = true", "iterations must be a whole number."),
        ("iterations = 2", "rounds = 2", "rounds is unknown."),
        ("seed = 7", "seed = -7", "Seed must be from 0"),
        ('queries = ["How do tailings settle?"]', "", "queries is missing."),
        ('queries = ["How do tailings settle?"]', "queries = [1]", "queries must be a list of texts."),
    ],
)
def test_what_is_wrong_is_said_with_exit_code_two(launch, before, after, said):
    assert before in SPEC
    with pytest.raises(CommandError, match=r".*") as refused:
        launch(SPEC.replace(before, after))
    assert said in str(refused.value)
    assert refused.value.returncode == 2
    assert not Batch.objects.exists()


def test_a_long_list_of_corpora_is_cut(launch):
    Corpus.objects.bulk_create(Corpus(name=f"Corpus {number:02}") for number in range(10))
    with pytest.raises(CommandError, match=r"there are: 'Corpus 00', .*'Corpus 09', …\.$"):
        launch(SPEC.replace('corpus = "Tailings"', 'corpus = "Gold"'))


def test_without_a_corpus_the_way_to_one_is_named(db):
    with pytest.raises(SpecError, match="There is no corpus 'Tailings'; import one first, with import_corpus"):
        read_spec(source=SPEC)


def test_a_dry_run_names_models_that_nothing_can_run(launch, capsys):
    said = Availability(False, "torch is not installed", "run make models")
    kinds = {"extractive": asdict(Availability(True)), "smollm2": asdict(said)}
    cache.set(REPORT_KEY, {"kinds": kinds, "keys": []})
    try:
        launch(SPEC.replace('["textrank"]', '["textrank", "smollm2-135m"]'), "--dry-run")
    finally:
        cache.delete(REPORT_KEY)
    warnings = capsys.readouterr().err
    assert warnings == "Nothing here can run smollm2-135m yet: torch is not installed; run make models.\n"


def test_a_missing_file_is_named(db):
    with pytest.raises(CommandError, match=r"nowhere\.toml"):
        call_command("launch_batch", "nowhere.toml")


def test_a_corpus_without_vectors_leaves_a_draft(launch):
    Embedding.objects.first().delete()
    with pytest.raises(CommandError, match="The batch stays a draft"):
        launch()
    assert Batch.objects.get().state == Batch.State.DRAFT
