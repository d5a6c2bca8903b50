"""Texts, tokens, edges and metrics to seventeen certified digits, where they lie beside the check-out."""

import json
from pathlib import Path
from typing import Any

import pytest

from graphs.science.scoring import TextScore, score_text
from graphs.science.settings import GraphSettings

pytestmark = pytest.mark.usefixtures("either_engine")

CONVENTIONS = {
    "binary": GraphSettings(),
    "weighted": GraphSettings(weighting="count"),
    "binary_loops": GraphSettings(self_loops=True),
    "weighted_loops": GraphSettings(weighting="count", self_loops=True),
}
NAMES = {
    "avg_edge_betweenness": "average_edge_betweenness",
    "inv_avg_edge_betweenness": "inverse_average_edge_betweenness",
}

#: A text of our own; figures by networkx 3.6 and numpy.linalg (paths, to_numpy_array, laplacian_spectrum).
TEXT = (
    "Tailings dams settle slowly. We measured how fine α-Fe₂O₃ particles settle in tailings ponds, step by step, and "
    "found that fine particles—unlike coarse particles—keep tailings soft; dams on soft tailings move."
)
FIGURES: dict[str, dict[str, float]] = {
    "binary": {
        "global_efficiency": 0.619444444444445,
        "average_edge_betweenness": 0.0523148148148148,
        "inverse_average_edge_betweenness": 19.1150442477876,
        "spectral_radius": 5.11914420796282,
        "spectral_gap": 2.20982096553011,
        "natural_connectivity": 2.57785359621806,
        "algebraic_connectivity": 1.18844012960394,
        "effective_conductance": 0.205210525767718,
    },
    "weighted": {
        "global_efficiency": 0.619444444444445,
        "average_edge_betweenness": 0.0523148148148148,
        "inverse_average_edge_betweenness": 19.1150442477876,
        "spectral_radius": 7.26743001559961,
        "spectral_gap": 2.90010978539696,
        "natural_connectivity": 4.57371033806297,
        "algebraic_connectivity": 1.41345880360465,
        "effective_conductance": 0.248287905923539,
    },
    "binary_loops": {
        "global_efficiency": 0.619444444444445,
        "average_edge_betweenness": 0.0495614035087719,
        "inverse_average_edge_betweenness": 20.1769911504425,
        "spectral_radius": 5.21033363129709,
        "spectral_gap": 2.07661738719961,
        "natural_connectivity": 2.68949275586363,
        "algebraic_connectivity": 1.18844012960394,
        "effective_conductance": 0.205210525767718,
    },
    "weighted_loops": {
        "global_efficiency": 0.619444444444445,
        "average_edge_betweenness": 0.0495614035087719,
        "inverse_average_edge_betweenness": 20.1769911504425,
        "spectral_radius": 7.39240797334959,
        "spectral_gap": 2.85641378156544,
        "natural_connectivity": 4.70414374043494,
        "algebraic_connectivity": 1.41345880360465,
        "effective_conductance": 0.248287905923539,
    },
}


@pytest.fixture(scope="module")
def cases(shared: Path) -> dict[str, Any]:
    texts: dict[str, Any] = json.loads((shared / "cases" / "graphs.json").read_text("utf-8"))["texts"]
    return texts


@pytest.mark.parametrize("name", ["t050", "t120"])
def test_tokens_and_edges(cases: dict[str, Any], name: str) -> None:
    case = cases[name]
    score = score_text(case["text"], CONVENTIONS["weighted"])
    assert list(score.words) == case["tokens"]
    assert list(score.graph.words) == case["vocab"]
    assert edges(score) == {(first, second): weight for first, second, weight in case["edge_ids"]}


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("name", ["t050", "t120"])
def test_metrics(cases: dict[str, Any], name: str, convention: str) -> None:
    case = cases[name]
    expected = {NAMES.get(key, key): float(value) for key, value in case["metrics"][convention].items()}
    resistance = expected.pop("effective_graph_resistance")
    score = score_text(case["text"], CONVENTIONS[convention])
    assert score.metrics.values() == pytest.approx(expected, rel=1e-10)
    assert score.metrics.effective_conductance == pytest.approx((case["n"] - 1) / resistance, rel=1e-10)


@pytest.mark.parametrize("name", ["t050", "t120"])
def test_self_loops_count_as_edges(cases: dict[str, Any], name: str) -> None:
    case = cases[name]
    assert score_text(case["text"], CONVENTIONS["binary"]).graph.size == case["m"]
    assert score_text(case["text"], CONVENTIONS["binary_loops"]).graph.size == case["m"] + len(case["self_loops"])


@pytest.mark.parametrize("convention", FIGURES)
def test_figures_of_a_text_of_our_own(convention: str) -> None:
    score = score_text(TEXT, CONVENTIONS[convention])
    assert score.metrics.values() == pytest.approx(FIGURES[convention], rel=1e-10)


def edges(score: TextScore) -> dict[tuple[int, int], int]:
    pairs = zip(score.graph.edges.tolist(), score.graph.counts.tolist(), strict=True)
    return {(first, second): count for (first, second), count in pairs}
