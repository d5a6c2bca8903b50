"""A model in this process: seeds, temperature, groups."""

from collections import Counter
from pathlib import Path

import pytest

from generation.science.backends.protocol import Failure, OptionsError
from generation.science.backends.transformers_local import TransformersBackend
from generation.science.messages import Message

torch = pytest.importorskip("torch", reason="torch is not installed: `make models`")

pytestmark = pytest.mark.xdist_group("language models")
CACHE = Path("unused")


@pytest.fixture(scope="module")
def backend(tiny_model):
    return TransformersBackend.from_options({"model": str(tiny_model), "device": "cpu"}, cache=CACHE)


def texts(outcomes):
    return [outcome.text for outcome in outcomes]


def test_seeds_give_different_texts(backend, request_at):
    found = texts(backend.generate(request_at(1.0), [1, 2, 3, 4]))
    assert len(set(found)) == 4
    assert all(found)


def test_a_seed_gives_the_same_text_alone_and_in_any_group(backend, request_at):
    alone = {seed: backend.generate(request_at(0.8), [seed])[0].text for seed in (11, 12, 13, 14, 15)}
    assert texts(backend.generate(request_at(0.8), [11, 12, 13, 14, 15])) == list(alone.values())
    assert texts(backend.generate(request_at(0.8), [15, 12])) == [alone[15], alone[12]]


def test_temperature_zero_is_greedy_and_takes_no_notice_of_the_seed(backend, request_at):
    found = texts(backend.generate(request_at(0.0), [1, 2, 3]))
    assert len(set(found)) == 1
    ids = backend.tokenizer.apply_chat_template(
        [{"role": "system", "content": "You write."}, {"role": "user", "content": "How do tailings settle?"}],
        tokenize=True,
        add_generation_prompt=True,
        return_tensors="pt",
        return_dict=True,
    )["input_ids"]
    for _ in range(24):
        logits = backend.model(ids).logits[0, -1]
        ids = torch.cat([ids, logits.argmax().view(1, 1)], dim=1)
        if ids[0, -1] == backend.tokenizer.eos_token_id:
            break
    prompt = backend.generate(request_at(0.0), [1])[0].prompt_tokens
    assert backend.tokenizer.decode(ids[0, prompt:], skip_special_tokens=True) == found[0]


def test_texts_are_drawn_from_the_softmax_at_the_temperature(backend, request_at):
    """χ² of first tokens over many seeds against the model's own distribution, top-k of its defaults ignored."""
    request = request_at(0.7, max_new_tokens=1)
    draws = 1500
    found = Counter()
    for start in range(0, draws, 250):
        found.update(texts(backend.generate(request, list(range(start, start + 250)))))
    from generation.science.backends.chat import encode_messages

    prompt, _ = encode_messages(backend.tokenizer, request.messages)
    with torch.inference_mode():
        logits = backend.model(torch.tensor([prompt])).logits[0, -1].double()
    expected = Counter()
    for token, p in enumerate((logits / 0.7).softmax(0).tolist()):
        expected[backend.tokenizer.decode([token], skip_special_tokens=True)] += p * draws
    common = [text for text, n in expected.items() if n >= 5]
    rest = draws - sum(expected[text] for text in common)
    seen_rest = draws - sum(found[text] for text in common)
    chi2 = sum((found[text] - expected[text]) ** 2 / expected[text] for text in common) + (seen_rest - rest) ** 2 / rest
    assert len(common) > 3
    # Seeds are fixed, so this is one number; far below its bound at p = 0.001.
    assert chi2 < len(common) + 4 * (2 * len(common)) ** 0.5


def test_the_first_end_of_text_ends_a_row(backend, request_at, monkeypatch):
    stop = backend.tokenizer.eos_token_id
    monkeypatch.setattr(backend, "_decode", lambda *_: [[5, 6, stop, stop], [5, 6, 7, 8]])
    ended, cut = backend.generate(request_at(0.5), [1, 2])
    assert (ended.finish_reason, ended.tokens) == ("stop", 2)
    assert (cut.finish_reason, cut.tokens) == ("length", 4)
    assert cut.text.startswith(ended.text)


def test_a_prompt_that_does_not_fit_fails_in_plain_words(backend, request_at):
    request = request_at(0.5, max_new_tokens=500)
    outcome, _ = backend.generate(request, [1, 2])
    assert isinstance(outcome, Failure)
    assert not outcome.is_transient
    assert "more than the 512 the model can hold: retrieve fewer" in outcome.error


def test_a_group_too_large_for_the_memory_is_halved(backend, request_at, monkeypatch):
    decode, sizes = backend._decode, []

    def small(prompt, request, seeds):
        sizes.append(len(seeds))
        if len(seeds) > 2:
            raise torch.OutOfMemoryError("no memory")
        return decode(prompt, request, seeds)

    monkeypatch.setattr(backend, "_decode", small)
    halved = texts(backend.generate(request_at(0.8), [1, 2, 3, 4, 5]))
    assert sizes == [5, 2, 3, 1, 2]
    monkeypatch.undo()
    assert halved == texts(backend.generate(request_at(0.8), [1, 2, 3, 4, 5]))


def test_no_memory_for_a_single_run_is_a_failure(backend, request_at, monkeypatch):
    def none(*_):
        raise torch.OutOfMemoryError("no memory")

    monkeypatch.setattr(backend, "_decode", none)
    (outcome,) = backend.generate(request_at(0.8), [1])
    assert isinstance(outcome, Failure)
    assert "too little memory" in outcome.error


def test_description_names_model_and_libraries(backend, tiny_model):
    found = backend.describe()
    assert found["model"] == str(tiny_model)
    assert found["dtype"] == "float32"
    assert found["versions"].keys() >= {"python", "torch", "transformers"}


def test_a_tokenizer_without_a_template_is_given_paragraphs(backend, request_at, monkeypatch):
    monkeypatch.setattr(backend.tokenizer, "chat_template", None)
    (outcome,) = backend.generate(request_at(0.5), [1])
    assert outcome.details["chat_template"] == "plain"


def test_a_template_without_a_system_role_gets_it_merged(backend, monkeypatch):
    from generation.science.backends.chat import encode_messages

    refusing = (
        "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
        "{% for message in messages %}<|user|>{{ message['content'] }}{% endfor %}"
    )
    monkeypatch.setattr(backend.tokenizer, "chat_template", refusing)
    ids, how = encode_messages(backend.tokenizer, [Message("system", "Be brief."), Message("user", "Write.")])
    assert how == "template, system merged"
    assert backend.tokenizer.decode(ids) == "<|user|>Be brief.\n\nWrite."


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "option model must be given"),
        ({"model": "x", "dtype": "int3"}, "option dtype must be one of"),
        ({"model": "x", "group_size": 0}, "from 1 to 256"),
        ({"model": "x", "trust_remote_code": True}, "unknown option trust_remote_code"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, said):
    with pytest.raises(OptionsError, match=said):
        TransformersBackend.from_options(options, cache=CACHE)
