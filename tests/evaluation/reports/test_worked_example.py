"""The paper's Section 4.3: the enumeration, the readings, what libraries print, and the document."""

import json
import subprocess
import sys
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from evaluation.reports.worked_example import (
    IMPORTANCE,
    LEVELS,
    MEANINGFULNESS,
    SORTED,
    classes,
    every_table,
    matching,
    worked_example,
)
from evaluation.reports.worked_example_tables import markdown_tables, with_figures

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs/worked_example.md"


@pytest.fixture(scope="module")
def found():
    return worked_example()


def test_every_table_is_there_once():
    tables = every_table()
    assert tables.shape == (43_758, 3, 3) == (comb(18, 8), 3, 3)
    assert set(tables.sum((1, 2)).tolist()) == {10}
    assert tables.min() == 0
    assert len(np.unique(tables.reshape(-1, 9), axis=0)) == 43_758
    assert every_table(items=2, levels=2).reshape(-1, 4).tolist() == [
        [0, 0, 0, 2], [0, 0, 1, 1], [0, 0, 2, 0], [0, 1, 0, 1], [0, 1, 1, 0],
        [0, 2, 0, 0], [1, 0, 0, 1], [1, 0, 1, 0], [1, 1, 0, 0], [2, 0, 0, 0],
    ]  # fmt: skip


def test_agreement_and_chi2_leave_one_table(found):
    assert found.tables == 43_758
    assert found.left == (("exact agreement 70 %", 2_016), ("χ² 6.92", 12))
    assert found.table == ((4, 1, 1), (1, 0, 0), (0, 0, 3))
    assert (found.kappa, found.chi2) == (Fraction(9, 19), Fraction(83, 12))


def test_the_tables_are_those_of_the_checked_values(shared):
    checked = json.loads((shared / "cases/paper_section_4_3.json").read_text())
    for criterion, tables in (
        ("meaningfulness", matching(every_table(), MEANINGFULNESS, chi2=True)),
        ("importance", matching(every_table(), IMPORTANCE)),
    ):
        expected = [entry["table_rows_rater1_cols_rater2_low_medium_high"] for entry in checked[criterion]["tables"]]
        assert sorted(tables.tolist()) == sorted(expected)


def test_the_middle_level_decides_linear_kappa(found):
    readings = {reading.middle: reading for reading in found.readings}
    assert {name: reading.linear for name, reading in readings.items()} == {
        "A": Fraction(17, 32),
        "B": Fraction(7, 12),
        "C": Fraction(9, 34),
    }
    assert {name: reading.used for name, reading in readings.items()} == {"A": 11, "B": 2, "C": 7}
    assert {name: (reading.adjacent, reading.extreme) for name, reading in readings.items()} == {
        "A": (3, 0),
        "B": (2, 1),
        "C": (1, 2),
    }
    assert [name for name, reading in readings.items() if reading.printed_is_right] == ["C"]
    for reading in readings.values():
        estimate = reading.report.pairs[0].coefficients["cohen_kappa_linear"]
        assert estimate.value == pytest.approx(float(reading.linear), abs=1e-12)
        assert estimate.landis_koch.band == ("fair" if reading.middle == "C" else "moderate")


def test_chi2_is_independence_and_the_margins_are_alike(found):
    for reading in found.readings:
        tests = reading.report.pairs[0].marginal_tests
        chi2 = tests["chi2_independence"]
        assert (chi2.statistic, chi2.df) == (pytest.approx(83 / 12), 4)
        assert (round(chi2.p, 4), round(chi2.exact_p, 4)) == (0.1404, 0.1429)
        for name in ("stuart_maxwell", "bowker"):
            assert tests[name].exact_p == pytest.approx(1.0)
        assert tests["stuart_maxwell"].min_p == pytest.approx(0.25)
        assert tests["wilcoxon_shift"].exact_p >= 0.75  # it depends on the reading


def test_importance_is_one_table_under_every_order(found):
    assert found.importance_left == (("exact agreement 60 %", 3_528), ("κ 0.05", 18), ("linear κ 0.05", 6))
    assert found.importance == ((5, 2, 0), (2, 1, 0), (0, 0, 0))
    assert found.importance_linear == (Fraction(1, 21),) * 3
    test = found.importance_report.pairs[0].marginal_tests["stuart_maxwell"]
    assert (test.statistic, test.df, test.p) == (pytest.approx(0.0, abs=1e-12), 1, pytest.approx(1.0))


def test_classes_forget_names_and_who_is_first():
    table = np.array([[4, 1, 1], [1, 0, 0], [0, 0, 3]])
    order = [2, 0, 1]
    assert len(classes(np.stack([table, table.T, table[np.ix_(order, order)]]))) == 1
    assert len(classes(np.stack([table, np.diag([4, 3, 3])]))) == 2


def test_libraries_print_what_the_example_says(found):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn comes with the test extra")
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater", reason="statsmodels comes with the test extra")
    pairs = [
        (LEVELS[row], LEVELS[column])
        for row, cells in enumerate(found.libraries.table)
        for column, count in enumerate(cells)
        for _ in range(count)
    ]
    first, second = zip(*pairs, strict=True)
    score = metrics.cohen_kappa_score
    assert score(first, second, weights="linear") == pytest.approx(found.libraries.wrong)
    assert score(first, second, weights="linear", labels=list(LEVELS)) == pytest.approx(found.libraries.right)
    table, _ = inter_rater.to_table(np.array(pairs))  # labels in the order of np.unique
    assert tuple(np.unique(np.array(pairs)).tolist()) == SORTED
    assert inter_rater.cohens_kappa(table, wt="linear", return_results=False) == pytest.approx(found.libraries.wrong)
    assert (found.libraries.right, found.libraries.wrong) == (pytest.approx(17 / 32), pytest.approx(9 / 34))
    assert (round(found.libraries.ac2_right, 5), round(found.libraries.ac2_wrong, 5)) == (0.71654, 0.52756)


def test_the_document_has_the_computed_figures(found):
    document = DOCUMENT.read_text(encoding="utf-8")
    assert with_figures(document, found) == document
    for name, table in markdown_tables(found).items():
        assert f"<!-- {name} -->\n{table}\n<!-- end -->" in document
    assert with_figures(document.replace("17/32", "18/32"), found) != document.replace("17/32", "18/32")
    middle = {reading.middle: reading.used for reading in found.readings}
    assert f"{middle['C']}: the printed value is right. {middle['A']} or {middle['B']}: it comes from" in document


def test_it_needs_no_django_and_little_time():
    code = (
        "import sys, time; started = time.process_time()\n"
        "from evaluation.reports.worked_example import worked_example\n"
        "worked_example(); assert 'django' not in sys.modules; print(time.process_time() - started)"
    )
    environment = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert float(done.stdout) < 5
