"""The page on agreement names everything that a report holds, and every formula explains itself."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest

import evaluation.science.coefficients as coefficients
import evaluation.science.marginal as marginal
from evaluation.science.agreement import report
from evaluation.science.intervals.choice import METHODS, IntervalOptions
from evaluation.science.ratings import RatingsTable

DOCS = Path(__file__).parents[3] / "docs"


def named(page):
    """Names in backticks, with `_linear` and `…_linear` completed from the name before."""
    found, last = set(), ""
    for name in re.findall(r"`([^`\s]+)`", (DOCS / page).read_text(encoding="utf-8")):
        short = name.lstrip("…")
        if short.startswith("_"):
            found |= {last + short, *(last.rsplit("_", cut)[0] + short for cut in (1, 2))}
        else:
            last = short
            found.add(short)
    return found


def test_every_coefficient_and_test_is_on_the_page():
    found = report(RatingsTable.from_codes(np.eye(4, 3, dtype=int), levels="ab"), options=IntervalOptions(bootstrap=0))
    names = {*found.overall, *found.pairs[0].coefficients, *found.pairs[0].marginal_tests, *found.marginal_tests}
    assert len(names) > 30
    assert names - named("agreement.md") == set()


def test_every_interval_is_on_its_page():
    assert set(METHODS) - named("intervals.md") == set()


def formulas():
    for package in (coefficients, marginal):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            loaded = importlib.import_module(module.name)
            for name in getattr(loaded, "__all__", ()):
                function = getattr(loaded, name)
                if inspect.isfunction(function) and function.__module__ == module.name:
                    yield pytest.param(function, id=f"{module.name.split('.')[-1]}.{name}")


@pytest.mark.parametrize("function", list(formulas()))
def test_every_formula_is_documented(function):
    assert inspect.getdoc(function), function.__name__
