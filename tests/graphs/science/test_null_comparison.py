import numpy as np
import pytest

from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.null_comparison import compare_score_with_null, compare_with_null
from graphs.science.null_draws import NullDraws, draw_null, join_draws
from graphs.science.null_models import NULL_MODELS, NullSource
from graphs.science.scoring import TextScore, score_text

pytestmark = pytest.mark.usefixtures("either_engine")

TEXT = (
    "Fine particles settle slowly in tailings ponds. Fine particles keep tailings soft, and soft tailings move when "
    "ponds rise; coarse particles settle quickly and keep dams firm."
)


def source_of(score: TextScore) -> NullSource:
    return NullSource.of_text(score.words, score.graph, score.settings)


@pytest.fixture(scope="module")
def score() -> TextScore:
    return score_text(TEXT)


def same(first: NullDraws, second: NullDraws) -> bool:
    return all(
        np.array_equal(getattr(first, name), getattr(second, name))
        for name in ("values", "defined", "edges", "components")
    )


@pytest.mark.parametrize("model", NULL_MODELS)
def test_chunks_join_to_the_same_draws(score: TextScore, model: str) -> None:
    source = source_of(score)
    whole = draw_null(source, model, draws=12, seed=7)
    chunks = [draw_null(source, model, draws=count, seed=7, start=start) for start, count in ((5, 7), (0, 2), (2, 3))]
    assert same(join_draws(chunks), whole)


def test_another_seed_gives_other_draws(score: TextScore) -> None:
    source = source_of(score)
    assert not same(draw_null(source, "er", draws=5, seed=0), draw_null(source, "er", draws=5, seed=1))


def test_chunks_that_do_not_fit_are_refused(score: TextScore) -> None:
    source = source_of(score)
    first = draw_null(source, "er", draws=2)
    with pytest.raises(ValueError, match="no chunk"):
        join_draws([])
    with pytest.raises(ValueError, match="draw 2 should come next"):
        join_draws([first, draw_null(source, "er", draws=2, start=3)])
    with pytest.raises(ValueError, match="different"):
        join_draws([first, draw_null(source, "swap", draws=2, start=2)])


def test_unknown_models_and_numbers_are_refused(score: TextScore) -> None:
    source = source_of(score)
    with pytest.raises(ValueError, match=r"'small-world'.*shuffle"):
        draw_null(source, "small-world")
    for options in ({"draws": 0}, {"seed": -1}, {"start": -1}):
        with pytest.raises(ValueError, match="at least"):
            draw_null(source, "er", **options)


@pytest.mark.parametrize("model", NULL_MODELS)
def test_figures_are_those_of_the_definition(score: TextScore, model: str) -> None:
    drawn = draw_null(source_of(score), model, draws=60)
    comparison = compare_with_null(score.metrics, drawn)
    for column, key in enumerate(METRIC_KEYS):
        observed = score.metrics.values()[key]
        assert observed is not None
        draws = drawn.values[:, column]
        result = comparison.metrics[key]
        assert result.mean == pytest.approx(draws.mean())
        assert result.sd == pytest.approx(draws.std(ddof=1))
        assert result.z == pytest.approx((observed - draws.mean()) / draws.std(ddof=1))
        at_least, at_most = np.sum(draws >= observed - 1e-9), np.sum(draws <= observed + 1e-9)
        assert result.p == pytest.approx(min(1, 2 * min(1 + at_least, 1 + at_most) / 61))
        assert result.reason is None
    assert comparison.draws == 60
    assert comparison.edges_mean == pytest.approx(drawn.edges.mean())
    assert comparison.connected == np.sum(drawn.components == 1)


def test_betweenness_and_its_inverse_are_one_test(score: TextScore) -> None:
    metrics = compare_score_with_null(score, "swap", draws=99).metrics
    average, inverse = metrics["average_edge_betweenness"], metrics["inverse_average_edge_betweenness"]
    assert (average.p, average.p_holm) == (inverse.p, inverse.p_holm)
    assert average.z is not None
    assert inverse.z is not None
    assert average.z * inverse.z < 0


def test_holm_counts_seven_tests(score: TextScore) -> None:
    metrics = compare_score_with_null(score, "swap", draws=99).metrics
    family = [each.p for key, each in metrics.items() if key != "inverse_average_edge_betweenness"]
    smallest = min(p for p in family if p is not None)
    assert min(each.p_holm for each in metrics.values() if each.p_holm is not None) == pytest.approx(
        min(1.0, 7 * smallest)
    )


def test_draws_that_are_all_alike_have_no_z() -> None:
    score = score_text("river sand silt")
    result = compare_score_with_null(score, "swap", draws=19)
    for each in result.metrics.values():
        assert (each.sd, each.z, each.p) == (0.0, None, 1.0)
        assert each.reason == "all draws have the same value, so there is no z"


def test_an_undefined_metric_is_not_tested() -> None:
    result = compare_score_with_null(score_text("river"), "shuffle", draws=19)
    efficiency = result.metrics["global_efficiency"]
    assert (efficiency.mean, efficiency.z, efficiency.p, efficiency.p_holm) == (None, None, None, None)
    assert efficiency.reason == "undefined for the text: needs at least two nodes"
    assert result.metrics["spectral_radius"].p == 1.0


def test_one_draw_has_no_standard_deviation(score: TextScore) -> None:
    result = compare_score_with_null(score, "er", draws=1).metrics["spectral_radius"]
    assert (result.sd, result.z) == (None, None)
    assert result.reason == "a standard deviation needs two draws"
    assert result.p == 1.0


def test_disconnected_draws_are_counted() -> None:
    score = score_text(" ".join(f"word{number}" for number in range(40)))
    result = compare_score_with_null(score, "er", draws=40)
    assert result.connected < 40
    assert result.edges_mean == score.graph.size
    assert result.edges_sd == 0.0


def test_a_shuffled_text_is_ordinary_among_shuffles(score: TextScore) -> None:
    words = np.random.default_rng(3).permutation(score.words)
    p_values = [
        each.p for each in compare_score_with_null(score_text(" ".join(words)), "shuffle", draws=199).metrics.values()
    ]
    assert min(p for p in p_values if p is not None) > 0.01
