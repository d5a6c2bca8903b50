"""Item-level correlations: does an item's mean rating go with a metric of its text?"""

from evaluation.science.correlations.items import CorrelationOptions, ItemCorrelation, correlate_items
from evaluation.science.correlations.reliability import Reliability, reliability_of_mean

__all__ = ["CorrelationOptions", "ItemCorrelation", "Reliability", "correlate_items", "reliability_of_mean"]
