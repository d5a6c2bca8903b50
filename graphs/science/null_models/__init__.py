"""Null models: random graphs to hold an observed text against. A new one is a file here and a line below."""

from graphs.science.null_models.configuration import CONFIGURATION
from graphs.science.null_models.edge_swap import EDGE_SWAP
from graphs.science.null_models.erdos_renyi import ERDOS_RENYI
from graphs.science.null_models.source import NullModel, NullSource
from graphs.science.null_models.word_shuffle import WORD_SHUFFLE

__all__ = ["NULL_MODELS", "NullModel", "NullSource"]

NULL_MODELS = {model.key: model for model in (WORD_SHUFFLE, EDGE_SWAP, ERDOS_RENYI, CONFIGURATION)}
