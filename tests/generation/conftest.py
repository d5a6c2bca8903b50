from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from corpora.models import Corpus
from corpora.services import queue_embedding, register_packaged_models, run_embedding_job
from generation.services import BatchSpec, register_language_models, register_prompts
from leases.services import claim
from tests.factories import make_corpus

BODIES = [
    "Thickened tailings settle slowly in deep cones. Flocculants bridge the fine particles into open aggregates. "
    "We measured the yield stress of the underflow for four doses. It rose with the dose up to 40 g/t.",
    "Paste backfill gains strength when cement hydrates around the fine particles. Curing at 25 °C for 28 days gave "
    "1.2 MPa. Sulphide minerals lowered the strength of the older samples.",
    "Filtered tailings can be stacked without a dam. Filter presses reached 15 % moisture in our pilot campaign. "
    "The water that they release can be used again in the mill.",
    "Copper is lost to tailings when coarse middlings stay locked. Regrinding to 80 µm freed most of the "
    "chalcopyrite. Recovery rose by four points at equal grade.",
]


@pytest.fixture
def embedded_corpus(db: None) -> Corpus:
    """Four documents with real vectors."""
    corpus = make_corpus(bodies=BODIES)
    model = register_packaged_models()[0]
    lease = claim(model=type(job := queue_embedding(corpus=corpus, model=model)), pk=job.pk)
    assert lease is not None
    run_embedding_job(lease=lease)
    return corpus


@pytest.fixture
def spec(embedded_corpus: Corpus) -> Callable[..., BatchSpec]:
    """The specification of a small batch for the baseline, with whatever is given instead."""
    defaults: dict[str, Any] = {
        "name": "Settling",
        "corpus": embedded_corpus,
        "language_models": register_language_models()[:1],
        "prompts": register_prompts()[:2],
        "embedding_models": register_packaged_models()[:1],
        "temperatures": [Decimal("0.1"), Decimal("0.7")],
        "queries": ["How do tailings settle?"],
        "iterations": 3,
        "top_n": 2,
        "max_new_tokens": 60,
        "seed": 7,
    }
    return lambda **changes: BatchSpec(**(defaults | changes))
