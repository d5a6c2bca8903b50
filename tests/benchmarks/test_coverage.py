"""The coverage study measures the intervals that the product prints."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from evaluation.science.agreement import report
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.ratings import RatingsTable

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def coverage():
    spec = importlib.util.spec_from_file_location("coverage_study", ROOT / "benchmarks" / "coverage.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tables():
    rng = np.random.default_rng(5)
    drawn = rng.multinomial(40, np.array([12, 3, 1, 2, 10, 3, 0, 2, 7]) / 40, size=4).reshape(-1, 3, 3)
    return np.concatenate([drawn, np.diag([5, 30, 5])[None]]).astype(float)


def printed(table, method, **options):
    found = report(
        RatingsTable.from_contingency(table, levels=range(3)), options=IntervalOptions(method=method, **options)
    )
    return found.pairs[0].coefficients["cohen_kappa_linear"]


@pytest.mark.parametrize("method", ["wald", "jackknife-t", "fisher-z"])
def test_formulas_are_those_of_the_report(coverage, tables, method):
    low, high = coverage.formula_intervals(coverage.Sampled.of(tables))[method]
    for i, table in enumerate(tables):
        found = printed(table, method, bootstrap=0)
        if found.ci is None:
            assert not high[i] - low[i] > 1e-12
        else:
            assert np.clip((low[i], high[i]), -1, 1) == pytest.approx(np.clip(found.ci, -1, 1))


def test_what_is_called_the_default_is_it(coverage, tables):
    assert printed(tables[0], "auto").ci == printed(tables[0], coverage.DEFAULT).ci


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bootstraps_are_those_of_the_report(coverage, tables, method):
    rng = np.random.default_rng(8)
    low, high = coverage.bootstrap_intervals(coverage.Sampled.of(tables), 20_000, rng)[method]
    for i, table in enumerate(tables[:-1]):
        assert (low[i], high[i]) == pytest.approx(printed(table, method, bootstrap=20_000).ci, abs=0.015)


def test_quantiles_leave_the_undefined_out(coverage):
    values = np.array([[3.0, np.nan, 1.0, 2.0], [np.nan, np.nan, np.nan, 1.0]])
    found = coverage._Ordered.of(values).quantiles(np.array([[0.25, 0.9], [0.25, 0.9]]))
    assert found[0] == pytest.approx(np.quantile([1, 2, 3], [0.25, 0.9]))
    assert np.isnan(found[1]).all()


def test_a_stopped_run_goes_on_and_gives_the_same_figures(coverage, tmp_path, monkeypatch):
    def run(name, items):
        monkeypatch.setattr(
            "sys.argv",
            f"coverage --items {items} --levels 3 --kappa 0,0.5 --margins balanced --simulations 20 --resamples 50 "
            f"--record {tmp_path / name}.jsonl --docs {tmp_path / name}.md".split(),
        )
        assert coverage.main() == 0
        return sorted(line for line in (tmp_path / f"{name}.jsonl").read_text().splitlines() if line.endswith("}"))

    whole = run("whole", "10,30")
    assert len(whole) == 6
    assert set(run("parts", "30")) < set(whole)
    with (tmp_path / "parts.jsonl").open("a") as record:
        record.write('{"model": "latent", "lev')  # as a run leaves it that is killed while writing
    assert run("parts", "10,30") == whole
    page = (tmp_path / "parts.md").read_text()
    assert "**n = 10**" in page
    assert "fisher-z** (default)" in page


def test_the_page_keeps_what_is_outside_the_markers(coverage, tmp_path):
    entry = {"model": "latent", "levels": 3, "margin": "balanced", "kappa": 0.5, "items": 30}
    figures = {"samples": 10, "coverage": 0.9, "width": 0.5, "below": 0.04, "above": 0.06, "none": 0.0}
    entry |= {"simulations": 10, "resamples": 10, "seed": 0, "undefined": 0.0}
    entry["methods"] = {coverage.DEFAULT: figures, "wald": figures | {"coverage": 0.94}}
    page = tmp_path / "page.md"
    page.write_text(f"before\n{coverage.BEGIN}\nold\n{coverage.END}\nafter\n")
    coverage.write([entry], page)
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "1 of 1 cells." in text
    assert "| latent | 3 | balanced | 0.5 | 30 | 90.0 | 4.0 | 6.0 | wald, 94.0 |" in text
