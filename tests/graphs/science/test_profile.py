from dataclasses import replace

import numpy as np
import pytest

from graphs.science.metric_registry import METRIC_KEYS, RADAR_AXES
from graphs.science.metrics import GraphMetrics
from graphs.science.normalisation import NormalisationRange
from graphs.science.profile import compute_profile, mean_metrics
from graphs.science.radar import order_free_area, radar_area
from graphs.science.scoring import score_text

REFERENCES = [
    "Fine particles settle slowly in tailings ponds, and fine particles keep tailings soft.",
    "Dams on soft tailings move when ponds rise, and ponds rise after heavy rain over the dams.",
    "Flocculants bind fine particles; bound particles settle quickly, so that less water stays in the pond.",
]
NEW = "Bound particles settle quickly in ponds, keep tailings firm and keep dams from moving after heavy rain."


@pytest.fixture(scope="module")
def references() -> list[GraphMetrics]:
    return [score_text(text).metrics for text in REFERENCES]


@pytest.fixture(scope="module")
def new() -> GraphMetrics:
    return score_text(NEW).metrics


def column(metrics: list[GraphMetrics], key: str) -> np.ndarray:
    return np.array([each.values()[key] for each in metrics], dtype=float)


def test_differences_are_from_the_mean(new: GraphMetrics, references: list[GraphMetrics]) -> None:
    profile = compute_profile(new, references)
    for key in METRIC_KEYS:
        mean = column(references, key).mean()
        assert profile.reference_mean[key] == pytest.approx(mean)
        assert profile.differences[key] == pytest.approx(new.values()[key] - mean)
    assert profile.reference_size == 3
    assert profile.undefined == {}


def test_the_radar_is_normalised_over_the_run(new: GraphMetrics, references: list[GraphMetrics]) -> None:
    profile = compute_profile(new, references)
    expected_new, expected_average = [], []
    for axis in RADAR_AXES:
        values = column([new, *references], axis)
        normalised = (values - values.min()) / np.ptp(values)
        expected_new.append(normalised[0])
        expected_average.append(normalised[1:].mean())
    assert profile.radar_new == pytest.approx(expected_new)
    assert profile.radar_average == pytest.approx(expected_average)
    assert profile.paper_order is not None
    assert profile.paper_order.new == pytest.approx(radar_area(expected_new))
    assert profile.paper_order.average == pytest.approx(radar_area(expected_average))
    assert profile.order_free is not None
    assert profile.order_free.difference == pytest.approx(
        order_free_area(expected_new) - order_free_area(expected_average)
    )
    assert profile.order_sensitivity is not None
    assert profile.order_sensitivity.orders == 360


def test_a_frozen_range_does_not_depend_on_the_run(new: GraphMetrics, references: list[GraphMetrics]) -> None:
    frozen = NormalisationRange.over("corpus", [*references, score_text(" ".join(REFERENCES)).metrics])
    alone = compute_profile(new, references[:1], frozen)
    among = compute_profile(new, references, frozen)
    assert alone.radar_new == among.radar_new
    assert compute_profile(new, references[:1]).radar_new != compute_profile(new, references).radar_new


def test_a_frozen_range_clips(new: GraphMetrics, references: list[GraphMetrics]) -> None:
    frozen = NormalisationRange.over("corpus", references)
    extreme = replace(new, spectral_radius=1e6, algebraic_connectivity=-1e6)
    radar = compute_profile(extreme, references, frozen).radar_new
    assert radar is not None
    assert radar[RADAR_AXES.index("spectral_radius")] == 1.0
    assert radar[RADAR_AXES.index("algebraic_connectivity")] == 0.0


def test_an_undefined_metric_of_the_text_has_no_difference_and_no_area(references: list[GraphMetrics]) -> None:
    profile = compute_profile(score_text("river").metrics, references)
    assert profile.differences["global_efficiency"] is None
    assert profile.undefined["global_efficiency"] == "undefined for the text: needs at least two nodes"
    assert profile.differences["spectral_radius"] is not None
    assert (profile.order_free, profile.paper_order, profile.order_sensitivity, profile.radar_new) == (None,) * 4
    assert profile.areas_undefined == "global_efficiency is undefined in 1 of 4 graphs"


def test_an_undefined_metric_of_a_reference_is_not_dropped_silently(
    new: GraphMetrics, references: list[GraphMetrics]
) -> None:
    profile = compute_profile(new, [*references, score_text("river").metrics])
    assert profile.differences["global_efficiency"] is None
    assert profile.undefined["global_efficiency"] == "undefined in 1 of 4 reference graphs"
    assert profile.reference_mean["global_efficiency"] is None


def test_an_axis_without_spread_has_no_area(new: GraphMetrics, references: list[GraphMetrics]) -> None:
    alike = [replace(each, spectral_gap=new.spectral_gap) for each in references]
    profile = compute_profile(new, alike)
    assert profile.order_free is None
    assert profile.areas_undefined == "spectral_gap has the same value in all 4 graphs of the range 'run'"
    assert profile.differences["spectral_gap"] == pytest.approx(0.0)


def test_the_best_text_fills_the_radar(new: GraphMetrics, references: list[GraphMetrics]) -> None:
    best = replace(new, **dict.fromkeys(RADAR_AXES, 1000000.0))
    profile = compute_profile(best, references)
    assert profile.radar_new == (1.0,) * 7
    assert profile.order_free is not None
    assert profile.order_free.difference > 0
    assert profile.order_sensitivity is not None
    assert profile.order_sensitivity.flips == 0


def test_an_empty_reference_set_is_refused(new: GraphMetrics) -> None:
    with pytest.raises(ValueError, match="at least one"):
        compute_profile(new, [])
    with pytest.raises(ValueError, match="at least one"):
        NormalisationRange.over("nothing", [])
    with pytest.raises(ValueError, match="at least one"):
        mean_metrics([])
