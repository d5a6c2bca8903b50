"""How figures are written."""

import pytest

from graphs.templatetags.figures import decimals, figure, signed


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0314159, "0.03142"),
        (12.34567, "12.35"),
        (-0.5, "−0.5000"),
        (54321.0, "54321"),
        (0.0, "0"),
        (999.95, "1000"),
        (0.00001234, "1.234e−05"),
        (None, "–"),
    ],
)
def test_four_significant_digits(value: float | None, written: str) -> None:
    assert figure(value) == written


@pytest.mark.parametrize(("value", "written"), [(0.25, "+0.2500"), (-0.25, "−0.2500"), (0.0, "0"), (None, "–")])
def test_differences_carry_a_sign(value: float | None, written: str) -> None:
    assert signed(value) == written


@pytest.mark.parametrize(("value", "written"), [(-1.837, "−1.84"), (0.0, "0.00"), (None, "–")])
def test_so_many_decimals(value: float | None, written: str) -> None:
    assert decimals(value, 2) == written
