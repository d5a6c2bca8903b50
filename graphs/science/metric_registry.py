"""The metrics: their names, how they read, and what they mean in plain words."""

from dataclasses import dataclass

__all__ = ["METRICS", "METRIC_KEYS", "RADAR_AXES", "Metric", "metric"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A figure computed from a co-occurrence graph.

    Attributes
    ----------
    key : str
        Stable name in JSON, exports and the database.
    label : str
        Name for people.
    symbol : str
        Short form for table heads and axes, as in the paper.
    explanation : str
        One or two sentences for somebody who is no network scientist, shown wherever the figure is.
    higher_is_more_robust : bool
        Which way is better in the paper's reading.
    """

    key: str
    label: str
    symbol: str
    explanation: str
    higher_is_more_robust: bool


METRICS = (
    Metric(
        key="global_efficiency",
        label="Global efficiency",
        symbol="GE",
        explanation="How few steps it takes, on average, to get from any word to any other. 1 means that every word "
        "is joined to every other; long chains of ideas bring it down.",
        higher_is_more_robust=True,
    ),
    Metric(
        key="average_edge_betweenness",
        label="Average edge betweenness",
        symbol="AEB",
        explanation="How much of the traffic between words the typical link has to carry. A high value means that a "
        "few links hold the text together and that losing one would be felt.",
        higher_is_more_robust=False,
    ),
    Metric(
        key="inverse_average_edge_betweenness",
        label="Inverse average edge betweenness",
        symbol="1/AEB",
        explanation="One over the average edge betweenness, so that higher means that the load is spread over more "
        "links. It can rise when a graph falls apart: look at the number of components too.",
        higher_is_more_robust=True,
    ),
    Metric(
        key="spectral_radius",
        label="Spectral radius",
        symbol="SR",
        explanation="How strongly the best-connected words reinforce one another. It grows with hubs: words that the "
        "text keeps coming back to in new company.",
        higher_is_more_robust=True,
    ),
    Metric(
        key="spectral_gap",
        label="Spectral gap",
        symbol="SG",
        explanation="How far the text is built around one core of words. Near 0 there are two or more cores that have "
        "little to do with each other.",
        higher_is_more_robust=True,
    ),
    Metric(
        key="natural_connectivity",
        label="Natural connectivity",
        symbol="NC",
        explanation="How many alternative routes there are between words, counted by closed walks. More redundancy "
        "means that links can be lost without harm.",
        higher_is_more_robust=True,
    ),
    Metric(
        key="algebraic_connectivity",
        label="Algebraic connectivity",
        symbol="AC",
        explanation="How hard it is to cut the text's words into two separate groups. 0 means that they are separate "
        "already.",
        higher_is_more_robust=True,
    ),
    Metric(
        key="effective_conductance",
        label="Effective conductance",
        symbol="EC",
        explanation="How easily a current would flow between any two words if every link were a wire: many short, "
        "parallel routes make it high. 0 means that some words cannot be reached.",
        higher_is_more_robust=True,
    ),
)

METRIC_KEYS = tuple(each.key for each in METRICS)

#: The seven axes of the radar in the paper's order; betweenness enters inverted, so that outward is always better.
RADAR_AXES = tuple(each.key for each in METRICS if each.higher_is_more_robust)

_BY_KEY = {each.key: each for each in METRICS}


def metric(key: str) -> Metric:
    """Return the metric with this key.

    Raises
    ------
    KeyError
        If there is none.
    """
    return _BY_KEY[key]
