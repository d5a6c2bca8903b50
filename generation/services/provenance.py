"""Everything needed to say where a generated text came from, as it is stored beside it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from corpora.models import Retrieved
from generation.models import Cell, Run
from generation.science.backends.protocol import Output, Request
from generation.science.cleaning import CLEANING_VERSION, Cleaned
from generation.science.messages import messages_sha256


def cell_provenance(
    *, cell: Cell, request: Request, retrieved: Sequence[Retrieved], model: Mapping[str, Any]
) -> dict[str, Any]:
    """What all runs of a group have in common. `model` is the back end's own description of itself."""
    language_model, prompt, embedding = cell.language_model, cell.prompt, cell.embedding_model
    return {
        "backend": language_model.backend,
        "language_model": {
            "key": language_model.key,
            "registered_revision": language_model.revision,
            "options": language_model.options,
            **model,
        },
        "prompt": {"key": prompt.key, "version": prompt.version, "sha256": prompt.sha256},
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        "messages_sha256": messages_sha256(request.messages),
        "query": cell.query,
        "temperature": request.temperature,
        "max_new_tokens": request.max_new_tokens,
        "embedding_model": {"key": embedding.key, "revision": embedding.revision},
        "retrieval": {
            "id": cell.retrieval_id,
            "top_n": cell.batch.top_n,
            "documents": [
                {
                    "rank": row.rank,
                    "doi": row.document.doi or None,
                    "title": row.document.title,
                    "text_sha256": row.text.sha256,
                    "similarity": row.similarity,
                }
                for row in retrieved
            ],
        },
        "batch": str(cell.batch.public_id),
        "code_version": code_version(),
    }


def run_provenance(*, common: Mapping[str, Any], run: Run, output: Output, cleaned: Cleaned) -> dict[str, Any]:
    return {
        **common,
        "seed": run.seed,
        "iteration": run.iteration,
        "finish_reason": output.finish_reason,
        "prompt_tokens": output.prompt_tokens,
        "tokens": output.tokens,
        "seconds": round(output.seconds, 4),
        "details": dict(output.details),
        "cleaning": {"version": CLEANING_VERSION, "steps": list(cleaned.steps)},
        "written_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def code_version() -> str:
    try:
        return version("kappagraph")
    except PackageNotFoundError:
        return "not installed"
