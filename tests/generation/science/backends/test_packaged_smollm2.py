"""The real weights from their package."""

from pathlib import Path

import pytest

from generation.science.backends import packaged_smollm2
from generation.science.backends.packaged_smollm2 import SmolLM2Backend, packaged_file, unpacked_copy
from generation.science.backends.protocol import Output
from generation.science.backends.registry import available

state = available("smollm2")
pytestmark = [
    pytest.mark.skipif(not state.can_run, reason=f"{state.reason}: {state.remedy}"),
    pytest.mark.xdist_group("language models"),
]


# Kept from run to run: unpacking takes half a minute.
CACHE = Path(__file__).resolve().parents[4] / ".state" / "models"


@pytest.fixture(scope="module")
def backend():
    return SmolLM2Backend.from_options({"device": "cpu"}, cache=CACHE)


def test_it_writes_sentences_that_repeat_from_their_seed(backend, request_at):
    request = request_at(0.1, max_new_tokens=16)
    first, second = backend.generate(request, [1, 2])
    assert isinstance(first, Output)
    assert first.details["chat_template"] == "template"
    assert len(first.text.split()) > 5
    assert backend.generate(request, [2])[0].text == second.text


def test_the_description_names_the_packaged_file(backend):
    found = backend.describe()
    assert found["model"] == "SmolLM2-135M-Instruct"
    assert found["revision"].endswith(".gguf")
    assert len(found["file_sha256"]) == 64
    assert found["parameters"] == 134_515_008
    assert str(backend.cache) not in str(found)


def test_the_copy_is_made_once(backend, monkeypatch):
    assert backend.tokenizer
    folder = Path(backend.model_name)
    assert (folder / "config.json").exists()
    monkeypatch.setattr(packaged_smollm2.tempfile, "mkdtemp", lambda **_: pytest.fail("unpacked again"))
    assert unpacked_copy(packaged_file(), folder) == folder
    assert [path.name for path in folder.parent.glob(f"{folder.name}*")] == [folder.name]
