"""What pages, commands and other apps may ask of corpora."""

from corpora.selectors.documents import document_with_source, documents_matching
from corpora.selectors.embeddings import (
    EmbeddingState,
    OfferedModel,
    embedding_states,
    offered_models,
    pending_documents,
    ready_models,
)
from corpora.selectors.nearest import NotEmbedded, nearest_documents
from corpora.selectors.overview import corpora_with_counts, corpus_named, imports_of
from corpora.selectors.retrievals import retrieval_with_results, retrievals_of, reusable_retrieval

__all__ = [
    "EmbeddingState",
    "NotEmbedded",
    "OfferedModel",
    "corpora_with_counts",
    "corpus_named",
    "document_with_source",
    "documents_matching",
    "embedding_states",
    "imports_of",
    "nearest_documents",
    "offered_models",
    "pending_documents",
    "ready_models",
    "retrieval_with_results",
    "retrievals_of",
    "reusable_retrieval",
]
