"""A tiny random model: two layers, a vocabulary learned from the sample corpus, a chat template."""

import csv
from pathlib import Path

import pytest

from generation.science.backends.protocol import Request
from generation.science.messages import Message, Source

SAMPLE = Path(__file__).resolve().parents[4] / "platform" / "corpora" / "sample" / "mineral_processing.csv"
TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to load from. Its weights are wide (`initializer_range`), so that it has opinions to sample from."""
    torch = pytest.importorskip("torch", reason="torch is not installed: `make models`")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: `make models`")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    with SAMPLE.open(encoding="utf-8") as stream:
        texts = [row["Abstract"] for row in csv.DictReader(stream)]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        texts,
        trainers.BpeTrainer(vocab_size=600, special_tokens=special, initial_alphabet=alphabet, show_progress=False),
    )
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|end|>")
    fast.chat_template = TEMPLATE
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(fast),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=512,
        initializer_range=0.5,
        tie_word_embeddings=False,
        eos_token_id=fast.eos_token_id,
        pad_token_id=fast.pad_token_id,
        bos_token_id=None,
    )
    folder = tmp_path_factory.mktemp("tiny-model")
    model = transformers.LlamaForCausalLM(config)
    # What `transformers serve` needs to heed temperature and seed; our own back end must not care.
    model.generation_config.do_sample = True
    model.generation_config.top_k = 3
    model.save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


@pytest.fixture
def request_at():
    """A small request at a temperature."""

    def build(temperature: float, *, max_new_tokens: int = 24) -> Request:
        sources = (
            Source("Cones", "Tailings settle slowly in deep cones. Flocculants bridge the fine particles in the feed."),
            Source("Stacks", "Filtered tailings can be stacked without a dam. The water is used again in the mill."),
            Source("Paste", "Paste gains strength when cement hydrates. Strength fell where sulphides were present."),
        )
        messages = (Message("system", "You write."), Message("user", "How do tailings settle?"))
        return Request(messages, "How do tailings settle?", sources, temperature, max_new_tokens)

    return build
