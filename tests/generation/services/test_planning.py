from decimal import Decimal

import pytest

from generation.models import Batch, Cell, Run
from generation.services import SpecError, plan_batch
from tests.factories import make_language_model

pytestmark = pytest.mark.django_db


def test_a_batch_is_the_full_factorial(spec):
    batch = plan_batch(spec=spec(queries=["How do tailings settle?", "What is lost?"]))
    assert batch.state == Batch.State.DRAFT
    cells = Cell.objects.filter(batch=batch)
    assert cells.count() == 1 * 2 * 1 * 2 * 2
    assert cells.values_list("prompt", "temperature", "query").distinct().count() == 8
    assert Run.objects.filter(cell__batch=batch).count() == 8 * 3
    assert list(cells.first().runs.order_by("iteration").values_list("iteration", flat=True)) == [1, 2, 3]


def test_seeds_follow_from_the_specification_alone(spec):
    def seeds(batch):
        return list(Run.objects.filter(cell__batch=batch).order_by("pk").values_list("seed", flat=True))

    first, same = plan_batch(spec=spec()), plan_batch(spec=spec(name="The same again"))
    other = plan_batch(spec=spec(seed=8))
    assert seeds(first) == seeds(same)
    assert len(set(seeds(first))) == 12
    assert not set(seeds(first)) & set(seeds(other))


def test_more_iterations_keep_the_seeds_of_the_first_ones(spec):
    short, long = plan_batch(spec=spec()), plan_batch(spec=spec(iterations=5))
    kept = Run.objects.filter(cell__batch=long, iteration__lte=3).order_by("pk").values_list("seed", flat=True)
    assert list(kept) == list(Run.objects.filter(cell__batch=short).order_by("pk").values_list("seed", flat=True))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": " "}, "Give the batch a name."),
        ({"prompts": []}, "Choose at least one prompt."),
        ({"temperatures": []}, "Choose at least one temperature."),
        ({"temperatures": [Decimal("2.5")]}, "Temperatures lie from 0 to 2; 2.5 does not."),
        ({"temperatures": [Decimal("0.1234")]}, "Temperatures have at most three decimals."),
        ({"temperatures": [Decimal("0.1"), Decimal("0.10")]}, "Each temperature may stand once only."),
        ({"queries": ["x", "x"]}, "Each query may stand once only."),
        ({"queries": [" "]}, "A query is empty."),
        ({"iterations": 0}, "Iterations must be from 1 to 1000, not 0."),
        ({"top_n": 101}, "Top n must be from 1 to 100, not 101."),
        ({"seed": -1}, "Seed must be from 0"),
        ({"queries": [f"Question {n}?" for n in range(60)], "iterations": 1000}, "240,000 runs are more than"),
    ],
)
def test_a_specification_that_cannot_be_planned_is_refused_with_the_reason(spec, changes, problem):
    with pytest.raises(SpecError) as refused:
        plan_batch(spec=spec(**changes))
    assert any(text.startswith(problem) for text in refused.value.problems), refused.value.problems
    assert not Batch.objects.exists()


def test_everything_wrong_is_said_at_once(spec):
    with pytest.raises(SpecError) as refused:
        plan_batch(spec=spec(name="", prompts=[], top_n=0))
    assert len(refused.value.problems) == 3


def test_planning_takes_few_statements_whatever_the_size(spec, django_assert_num_queries):
    # savepoint, batch, cells, runs, release
    with django_assert_num_queries(5):
        plan_batch(spec=spec())
    models = [make_language_model(key=f"model-{n}") for n in range(5)]
    with django_assert_num_queries(5):
        plan_batch(spec=spec(language_models=models, iterations=31))
