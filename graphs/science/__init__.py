"""Co-occurrence graphs of texts, their robustness metrics, profiles and null models: a library without Django.

>>> from graphs.science import GraphSettings, score_text
>>> score_text("Slow rivers carry sand.", GraphSettings(window=2)).metrics.edges
3
"""

from graphs.science.communities import Communities, detect_communities
from graphs.science.construction import build_graph, content_words
from graphs.science.graph import Graph, WordGraph
from graphs.science.metric_registry import METRICS, RADAR_AXES, Metric
from graphs.science.metrics import GraphMetrics, compute_metrics
from graphs.science.neighbourhood import DocumentPlace, place_among
from graphs.science.normalisation import NormalisationRange
from graphs.science.null_comparison import NullComparison, compare_score_with_null
from graphs.science.null_models import NULL_MODELS
from graphs.science.profile import Profile, compute_profile
from graphs.science.scoring import TextScore, score_text
from graphs.science.settings import GraphSettings
from graphs.science.stopwords import StopwordList, stopword_list
from graphs.science.tokenisation import tokenise
from graphs.science.windows import score_windows

__all__ = [
    "METRICS",
    "NULL_MODELS",
    "RADAR_AXES",
    "Communities",
    "DocumentPlace",
    "Graph",
    "GraphMetrics",
    "GraphSettings",
    "Metric",
    "NormalisationRange",
    "NullComparison",
    "Profile",
    "StopwordList",
    "TextScore",
    "WordGraph",
    "build_graph",
    "compare_score_with_null",
    "compute_metrics",
    "compute_profile",
    "content_words",
    "detect_communities",
    "place_among",
    "score_text",
    "score_windows",
    "stopword_list",
    "tokenise",
]
