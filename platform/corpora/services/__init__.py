"""What pages, commands, tasks and other apps may do with corpora."""

from corpora.services.corpora import create_corpus
from corpora.services.embedding import (
    load_for,
    queue_embedding,
    register_embedding_model,
    register_packaged_models,
    run_embedding_job,
)
from corpora.services.imports import confirm_import, import_file, run_import, stage_import
from corpora.services.retrieval import request_retrieval, retrieve, run_retrieval
from corpora.services.vector_index import ensure_index

__all__ = [
    "confirm_import",
    "create_corpus",
    "ensure_index",
    "import_file",
    "load_for",
    "queue_embedding",
    "register_embedding_model",
    "register_packaged_models",
    "request_retrieval",
    "retrieve",
    "run_embedding_job",
    "run_import",
    "run_retrieval",
    "stage_import",
]
